#include "dcheck/rows/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dcheck/base/error.hpp"

namespace dcheck {

std::vector<Tokens> Plan::marking_of_working(const std::uint64_t* working, Lane lane) const {
  std::vector<Tokens> tokens;
  tokens.reserve(_views.size());
  for (const PlaceView& view : _views) {
    Tokens scaled = view.constant;
    if (view.field >= 0) scaled += _layout->field(static_cast<std::size_t>(view.field)).value(working);
    if (view.quantity >= 0) scaled += _quantities[static_cast<std::size_t>(view.quantity)].value(lane);
    tokens.push_back(scaled / view.scale);
  }
  return tokens;
}

std::vector<Tokens> Plan::marking(const std::uint64_t* stored, Lane lane) const {
  std::vector<std::uint64_t> working(_layout->working_words());
  _layout->decode(stored, working.data());
  return marking_of_working(working.data(), lane);
}

std::vector<std::uint64_t> Plan::stored_key(std::span<const Tokens> marking) const {
  std::vector<Tokens> key;
  for (const Place p : _key_places) key.push_back(marking[index(p)]);
  return _layout->encode(key);
}

LeafMarking Plan::leaf_marking(std::span<const Tokens> marking) const {
  LeafMarking leaf;
  for (const Place p : _leaf) leaf.push_back(marking[index(p)]);
  return leaf;
}

std::size_t Plan::bytes() const {
  std::size_t sum =
      _layout->bytes() + _lane_masks.size() * 8 + _transitions.size() * sizeof(RowTransition) +
      _floors.size() * sizeof(FloorTest) + _ceilings.size() * sizeof(CeilingTest) + _mixed.size() * sizeof(MixedTest) +
      (_working_deltas.size() + _stored_deltas.size()) * sizeof(WordDelta) +
      (_watch_before.field_of_bit.size() + _watch_after.field_of_bit.size()) * 4 + _views.size() * sizeof(PlaceView);
  for (const LaneQuantity& quantity : _quantities) sum += quantity.bytes();
  return sum;
}

std::string Plan::explain() const {
  std::size_t mixed = 0;
  for (const PlaceView& view : _views)
    if (view.field >= 0 && view.quantity >= 0) ++mixed;
  std::string text =
      fmt::format("{} places: {} in the key, {} in the leaf, {} follow from invariants ({} from key and leaf)\n",
                  _views.size(), _key_places.size(), _leaf.size(), _dependents.size(), mixed);
  text += fmt::format("key: {} bits stored, {} words to work on\n", _layout->stored_bits(), _layout->working_words());
  if (_leaf.empty()) return text + "leaf: none, one lane a row";
  text += fmt::format("leaf: {} lanes{} of", lane_count(), _lanes.closed ? "" : " so far");
  std::vector<Place> leaf = _leaf;
  std::sort(leaf.begin(), leaf.end(), [&](Place a, Place b) { return _net->position(a) < _net->position(b); });
  for (std::size_t i = 0; i < leaf.size() && i < 12; ++i) text += " " + _net->name(leaf[i]);
  return _leaf.size() > 12 ? text + " ..." : text;
}

}  // namespace dcheck
