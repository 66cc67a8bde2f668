#pragma once
// What the operators that walk over rows have in common as jobs of a phase (ranks/phase.hpp). An operator derives from
// this and hides what it does otherwise.

#include "dcheck/walk/row_walk.hpp"

namespace dcheck {

/// Operator: see row_walk.hpp; worklist() is where its rows wait.
template <typename Operator, typename WalkOf>
class WalkJob {
 public:
  using Walk = WalkOf;
  using Lanes = typename Walk::Lanes;
  using Work = typename Walk::Work;

  explicit WalkJob(Walk& over) : walk(over) {}

  Walk& walk;
  bool is_done = false;

  /// Whether it can stop at any moment and go on from its set: it is then paused where somebody waits for that.
  static constexpr bool takes_breaks = false;
  static constexpr bool wants(Row) { return true; }
  static constexpr bool wants(Row, const std::uint64_t*, WordRange) { return true; }
  static constexpr bool is_full_here() { return false; }

  void begin() {}
  bool handle(std::uint64_t rows) { return walk.handle_rows(self().worklist(), self(), rows); }
  Stop wanted(bool has_more) const {
    if (is_done) return Stop::drop;
    if (!has_more) return Stop::none;
    const bool is_break = Operator::takes_breaks && walk.limit.is_break_due();
    return is_break || walk.limit.is_reached() ? Stop::pause : Stop::none;
  }
  void receive(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i) walk.take_in(records, i, self());
  }
  /// What was gathered is merged, so that at a pause all of it waits in the worklist.
  void hand_over(Stop stop) {
    if (stop != Stop::drop) walk.flush(self());
  }
  void finish(Stop stop) {
    if (stop == Stop::drop)
      walk.rows.forget();
    else
      walk.flush(self());
  }

 private:
  Operator& self() { return static_cast<Operator&>(*this); }
};

}  // namespace dcheck
