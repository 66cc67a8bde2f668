#pragma once
// Closes a row: adds the lanes that join because of others that joined in the same row, by transitions that stay in it.
//
// Three ways lead to the same lanes, and the one with the least work is taken: to move whole masks, one per transition;
// to follow the arcs into the lanes that joined, one by one, until no more join; to follow the arcs out of the lanes
// that are still open.

#include "dcheck/rows/lane_arcs.hpp"
#include "dcheck/rows/mask.hpp"
#include "dcheck/walk/operation_kinds.hpp"

namespace dcheck {

/// What an operator offers, of a row:
///   open_lanes(row)       those that may still join
///   wants(...)            see row_walk.hpp
///   notify(row, lanes)    once per transition: these have a successor that joined; returns those that join now
///   notify(row, lane)     the same for one arc
///   join(row, lanes)      these join; they are open no more
template <int W>
class RowCloser {
 public:
  using Kind = OperationKinds::Kind;

  /// The plan must outlive it. `mask_cost`: what moving a mask takes, in arcs that are followed one by one; and one
  /// more per word.
  explicit RowCloser(const Plan& plan, double mask_cost = 4)
      : _plan(plan), _ops(plan.words()), _mask_cost(mask_cost + static_cast<double>(plan.words())) {}

  /// Another row is at hand.
  void begin_row() {
    _inside.clear();
    if (!_is_prepared) return;
    for (const std::uint32_t number : _in_use) _sources[number] = nullptr;
    _in_use.clear();
    _masks.clear();
    _is_prepared = false;
  }
  /// An operation from the row into itself; where not `is_exact`, fewer lanes may fire than the kind says.
  void add(const Kind& kind, bool is_exact) { _inside.push_back({kind, is_exact}); }

  /// Adds to `lanes`, which joined, those that join because of them. before(kind, lanes): from where it leads there.
  template <typename Operator, typename Before>
  void close(Operator& op, Row row, Mask<W>& lanes, Before&& before) {
    if (_inside.empty()) return;
    if (!_arcs) make_arcs();
    Mask<W> frontier = lanes;
    while (_ops.any(frontier) && op.wants(row)) {
      Mask<W> fresh = _ops.zero();
      const Way way = best_way(_ops.size(frontier), _ops.size(op.open_lanes(row)));
      if (way != Way::masks && !_is_prepared) prepare(before);
      if (way == Way::masks)
        move_masks(op, row, frontier, fresh, before);
      else if (way == Way::into_joined)
        follow_into(op, row, frontier, fresh);
      else
        follow_out_of_open(op, row, frontier, fresh);
      if (!_ops.any(fresh)) return;
      op.join(row, fresh);
      _ops.join(lanes, fresh);
      if (way == Way::into_joined) return;  // it went on to the end
      frontier = fresh;
    }
  }

 private:
  enum class Way : std::uint8_t { masks, into_joined, out_of_open };
  struct Inside {
    Kind kind;
    bool is_exact;
  };

  Way best_way(std::uint64_t joined, std::uint64_t open) const {
    const double by_masks = static_cast<double>(_inside.size()) * _mask_cost;
    const double by_arcs = static_cast<double>(std::min(joined, open)) * _arcs->per_lane();
    if (_arcs->empty() || by_arcs >= by_masks) return Way::masks;
    return joined <= open ? Way::into_joined : Way::out_of_open;
  }

  template <typename Operator, typename Before>
  void move_masks(Operator& op, Row row, const Mask<W>& frontier, Mask<W>& fresh, Before&& before) {
    for (const Inside& inside : _inside)
      if (op.wants(row, inside.kind.sources, inside.kind.transition->domain))
        _ops.join(fresh, op.notify(row, before(inside.kind, frontier)));
  }
  template <typename Operator>
  void follow_into(Operator& op, Row row, const Mask<W>& frontier, Mask<W>& fresh) {
    _stack.clear();
    for_each_lane(frontier.word.data(), _ops.count(), [&](Lane lane) { _stack.push_back(lane); });
    while (!_stack.empty()) {
      const Lane lane = _stack.back();
      _stack.pop_back();
      for (const auto& [transition, from] : _arcs->into(lane)) {
        const std::uint64_t* const sources = _sources[transition];
        if (sources == nullptr || !has_lane(sources, from) || has_lane(fresh.word.data(), from)) continue;
        if (!op.notify(row, from)) continue;
        add_lane(fresh.word.data(), from);
        _stack.push_back(from);
      }
    }
  }
  template <typename Operator>
  void follow_out_of_open(Operator& op, Row row, const Mask<W>& frontier, Mask<W>& fresh) {
    const Mask<W> open = op.open_lanes(row);
    for_each_lane(open.word.data(), _ops.count(), [&](Lane lane) {
      for (const auto& [transition, to] : _arcs->out_of(lane)) {
        const std::uint64_t* const sources = _sources[transition];
        if (sources == nullptr || !has_lane(frontier.word.data(), to) || !has_lane(sources, lane)) continue;
        if (op.notify(row, lane)) add_lane(fresh.word.data(), lane);
      }
    });
  }

  void make_arcs() {
    _arcs.emplace(_plan);
    _sources.assign(_arcs->staying_count(), nullptr);
    _masks.reserve(_arcs->staying_count());  // pointed into
    for (const Lane lane : _plan.lanes().all()) add_lane(_every_lane.word.data(), lane);
  }
  /// The lanes from which each transition fires in this row.
  template <typename Before>
  void prepare(Before&& before) {
    _is_prepared = true;
    for (const auto& [kind, is_exact] : _inside) {
      const std::uint32_t number = _arcs->number_of(_plan.number_of(*kind.transition));
      if (!is_exact) _masks.push_back(before(kind, _every_lane));
      _sources[number] = is_exact ? kind.sources : _masks.back().word.data();
      _in_use.push_back(number);
    }
  }

  const Plan& _plan;
  MaskOps<W> _ops;
  double _mask_cost;
  std::optional<LaneArcs> _arcs;
  Mask<W> _every_lane{};
  // Of the row at hand.
  std::vector<Inside> _inside;
  bool _is_prepared = false;
  std::vector<const std::uint64_t*> _sources;  // per staying transition: the lanes that it may come from; null: none
  std::vector<Mask<W>> _masks;
  std::vector<std::uint32_t> _in_use;
  std::vector<Lane> _stack;
};

}  // namespace dcheck
