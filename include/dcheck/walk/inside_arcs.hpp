#pragma once
// The arcs inside the row at hand, backwards and lane by lane: for an operator that closes a row in which few lanes
// joined. Where many did, whole masks are moved instead.

#include "dcheck/rows/lane_arcs.hpp"
#include "dcheck/rows/mask.hpp"

namespace dcheck {

template <int W>
class InsideArcs {
 public:
  /// The plan must outlive it.
  explicit InsideArcs(const Plan& plan) : _plan(plan), _ops(plan.words()) {}

  /// Whether `lanes` are so few that their arcs are sooner found one by one than by masks, one for each of so many
  /// transitions.
  bool pays(const Mask<W>& lanes, std::size_t transitions) {
    prepare();
    return !_arcs->empty() && static_cast<double>(_ops.size(lanes)) * _arcs->per_lane() <
                                  static_cast<double>(transitions) * (mask_cost + static_cast<double>(_ops.count()));
  }

  /// Another row is at hand.
  void forget_row() {
    for (const std::uint32_t number : _in_use) _sources[number] = nullptr;
    _in_use.clear();
    _masks.clear();
  }
  bool knows_row() const { return !_in_use.empty(); }
  /// A transition by which the row at hand may be entered from itself, and the lanes from which it leads to some lane
  /// of this row, or more of its domain.
  void add(const RowTransition& t, const std::uint64_t* sources) {
    const std::uint32_t number = _arcs->number_of(_plan.number_of(t));
    _in_use.push_back(number);
    _sources[number] = sources;
  }
  /// The same with a copy of the lanes.
  void add(const RowTransition& t, const Mask<W>& sources) {
    _masks.push_back(sources);
    add(t, _masks.back().word.data());
  }
  /// visit(from) for every arc of these transitions that leads into the lane from another lane.
  template <typename Visit>
  void for_each_into(Lane lane, Visit&& visit) const {
    for (const LaneArcs::Arc& arc : _arcs->into(lane)) {
      const std::uint64_t* const sources = _sources[arc.transition];
      if (sources != nullptr && has_lane(sources, arc.from)) visit(arc.from);
    }
  }

 private:
  static constexpr double mask_cost = 4;  // in arcs that are visited one by one; and one more per word

  void prepare() {
    if (_arcs) return;
    _arcs.emplace(_plan);
    _sources.assign(_arcs->staying_count(), nullptr);
    _masks.reserve(_arcs->staying_count());  // pointed into
  }

  const Plan& _plan;
  MaskOps<W> _ops;
  std::optional<LaneArcs> _arcs;
  std::vector<const std::uint64_t*> _sources;  // per staying transition: the lanes that it may come from; null: none
  std::vector<Mask<W>> _masks;
  std::vector<std::uint32_t> _in_use;
};

}  // namespace dcheck
