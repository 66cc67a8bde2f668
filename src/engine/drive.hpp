#pragma once
// Exploration as the job of a phase (ranks/phase.hpp), the same for both engines: one phase; level by level, one phase
// per level.

#include <utility>

#include "dcheck/engine/engine.hpp"

namespace dcheck {

/// Engine: handle_rows(most) handles rows, one at least where one waits; false: nothing waits.
template <typename Engine, typename Frontier>
class ExploreJob {
 public:
  ExploreJob(StateSpace& space, Engine& engine, Frontier& frontier, const Interruption& interruption)
      : _space(space), _engine(engine), _frontier(frontier), _interruption(interruption) {}

  /// Rows that were found outside of any phase come first.
  void begin() {
    const std::size_t key_words = _space.plan->layout().stored_words();
    const Undelivered found = std::exchange(_space.state.undelivered, {});
    for (std::size_t i = 0; i * key_words < found.keys.size(); ++i)
      _frontier.add_found(found.keys.data() + i * key_words, found.masks.data() + i * _space.plan->words());
  }
  bool handle(std::uint64_t rows) { return _engine.handle_rows(rows); }
  Stop wanted(bool has_more) {
    const ExploreState& state = _space.state;
    const bool is_wanted = state.goals.is_enough || !state.parked.empty() || (has_more && _interruption.should_stop());
    return is_wanted ? Stop::pause : Stop::none;
  }
  void receive(const Records& records) { _frontier.receive(records); }
  void hand_over(Stop) { _frontier.send_found(); }
  void finish(Stop) { _frontier.finish(); }

 private:
  StateSpace& _space;
  Engine& _engine;
  Frontier& _frontier;
  const Interruption& _interruption;
};

/// See explore_rows().
template <typename Engine, typename Frontier>
bool drive(StateSpace& space, Engine& engine, Frontier& frontier, const Interruption& interruption) {
  ExploreJob job(space, engine, frontier, interruption);
  Stop end = Stop::none;
  while (true) {
    end = run_phase(
        space.ranks, space.phase(frontier.shape(), Merging::idempotent),
        interruption.rows_between, [&]() -> auto& { return job; });
    if (end != Stop::none || !space.ranks.any(frontier.has_next_level())) break;
    frontier.begin_level();
  }
  frontier.put_back();
  return end == Stop::none;
}

}  // namespace dcheck
