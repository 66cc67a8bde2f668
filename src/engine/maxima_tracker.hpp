#pragma once
// Keeps the largest token counts while rows go by. A count that has met its proven bound is no longer
// looked at, so on most nets this soon costs nothing.

#include <algorithm>
#include <limits>

#include "dcheck/rows/mask.hpp"
#include "dcheck/space/explore_state.hpp"

namespace dcheck {

constexpr Tokens largest_token_count = std::numeric_limits<Tokens>::max();

class MaximaTracker {
 public:
  MaximaTracker(const Plan& plan, Maxima& maxima);

  /// A row's key with the lanes that are new in it. Throws ResourceError where the tokens of a marking leave 63 bits.
  template <int W>
  void see(const std::uint64_t* working, Tokens total, const Mask<W>& lanes, const MaskOps<W>& ops) {
    for (const std::uint32_t word : _open_words) {
      const std::uint64_t guards = _plan.layout().all_guards()[word];
      if ((((_largest[word] | guards) - working[word]) & guards) != guards) [[unlikely]]
        raise_fields(word, working);
    }
    for (const std::uint32_t place : _open_lane_places) {
      const PlaceView& view = _plan.views()[place];
      if (exceeds(view, key_part(view, working), _maxima.place[place], lanes, ops)) [[unlikely]]
        raise_place(view, key_part(view, working), lanes.word.data());
    }
    if (_adds_up) [[unlikely]]
      add_up(working, lanes.word.data());
    else if (_total_varies && exceeds(_plan.total(), total, _maxima.marking, lanes, ops)) [[unlikely]]
      _maxima.marking = largest(_plan.total(), total, lanes.word.data());
    if (_closable) [[unlikely]]
      close_saturated();
  }

  /// Whether see() looks at the total at all.
  bool total_varies() const { return _total_varies; }

  /// Writes what fields have seen into the Maxima.
  void finish();

 private:
  Tokens key_part(const PlaceView& view, const std::uint64_t* working) const {
    return view.field < 0 ? view.constant : _plan.layout().field(static_cast<std::size_t>(view.field)).value(working);
  }
  template <int W>
  bool exceeds(const PlaceView& view, Tokens key, Tokens best, const Mask<W>& lanes, const MaskOps<W>& ops) const {
    const auto exact = (static_cast<__int128>(best) + 1) * view.scale - key;
    const auto threshold = static_cast<Tokens>(std::clamp<__int128>(exact, -largest_token_count, largest_token_count));
    if (view.quantity < 0) return threshold <= 0;
    const std::uint64_t* mask = _plan.quantities()[static_cast<std::size_t>(view.quantity)].at_least(threshold);
    std::uint64_t common = 0;
    for (std::size_t w = 0; w < ops.count(); ++w) common |= mask[w] & lanes.word[w];
    return common != 0;
  }
  Tokens largest(const PlaceView& view, Tokens key, const std::uint64_t* lanes) const;
  void raise_fields(std::uint32_t word, const std::uint64_t* working);
  void raise_place(const PlaceView& view, Tokens key, const std::uint64_t* lanes);
  void add_up(const std::uint64_t* working, const std::uint64_t* lanes);
  void close_saturated();
  bool is_saturated(Place place, Tokens tokens) const;

  const Plan& _plan;
  Maxima& _maxima;
  std::vector<std::uint64_t> _largest;  // working words: the largest value of each field
  std::vector<std::vector<std::uint32_t>> _fields_of_word;
  std::vector<Place> _place_of_field;
  std::vector<std::uint32_t> _open_words, _open_lane_places;
  bool _total_varies = true, _closable = false;
  bool _adds_up = false;  // the plan has no total: every marking is added up
};

}  // namespace dcheck
