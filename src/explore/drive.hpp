#pragma once
// The loop around an engine, the same for both of them and for any number of ranks: pieces of work, and between
// two of them a look at what others want. One phase of the exchange; level by level, one phase a level.

#include <algorithm>
#include <functional>
#include <utility>

#include "dcheck/base/finally.hpp"
#include "dcheck/explore/state.hpp"
#include "dcheck/ranks/ranks.hpp"

namespace dcheck {

/// Asked between two rows, now and then, whether to stop.
struct Interruption {
  std::function<bool()> should_stop;
  unsigned rows_between = 4096;
};

/// How many rows to handle before looking at the exchange again: about a third of a millisecond's work.
class PieceSize {
 public:
  explicit PieceSize(std::uint64_t most) : _most(most), _rows(std::min<std::uint64_t>(most, 64)) {}
  std::uint64_t rows() const { return _rows; }
  void note(std::uint64_t nanoseconds) {
    if (nanoseconds < 150'000) _rows = std::min(_most, 2 * _rows);
    if (nanoseconds > 600'000) _rows = std::max<std::uint64_t>(1, _rows / 2);
  }

 private:
  std::uint64_t _most, _rows;
};

/// One phase with other ranks: handles rows until nothing waits anywhere, or all stop because one of them wants to.
template <typename Engine, typename Rows, typename WantsToStop>
void handle_with_others(Engine& engine, Rows& rows, Ranks& ranks, std::uint64_t most_rows,
                        const WantsToStop& wants_to_stop) {
  Exchange& exchange = ranks.exchange();
  Transport& transport = ranks.cluster().transport();
  PieceSize piece(most_rows);
  while (true) {
    bool is_passive = exchange.stop() != Stop::none;  // what waits is kept back
    if (!is_passive) {
      const std::uint64_t begin = transport.now();
      is_passive = !engine.handle_rows(piece.rows());
      if (!is_passive) piece.note(transport.now() - begin);
      if (wants_to_stop()) exchange.ask_to_stop(Stop::pause);
    }
    if (is_passive) {
      rows.send_found();
      if (exchange.is_over(true)) return;
    } else {
      exchange.poll();
    }
  }
}

/// See run() in engine.hpp. Engine: handle_rows(most) handles rows, one at least where one waits; false: nothing waits.
template <typename Engine, typename Rows>
bool drive(Engine& engine, Rows& rows, const Plan& plan, ExploreState& state, Ranks& ranks,
           const Interruption& interruption) {
  const auto wants_to_stop = [&] {
    return state.goals.is_enough || !state.parked.empty() || interruption.should_stop();
  };
  const auto deliver = [&] {
    const std::size_t key_words = plan.layout().stored_words();
    const Undelivered found = std::exchange(state.undelivered, {});
    for (std::size_t i = 0; i * key_words < found.keys.size(); ++i)
      rows.add_found(found.keys.data() + i * key_words, found.masks.data() + i * plan.words());
  };
  bool is_done = true;
  const auto work = [&] {
    deliver();
    if (!ranks.is_alone()) {
      handle_with_others(engine, rows, ranks, interruption.rows_between, wants_to_stop);
      is_done = ranks.exchange().stop() == Stop::none;
    } else {
      while (is_done && engine.handle_rows(interruption.rows_between)) is_done = !wants_to_stop();
      is_done = is_done && state.parked.empty();
    }
    rows.finish();
  };
  const auto receive = [&](const Records& records) { rows.receive(records); };
  do {
    ranks.phase(rows.shape(), Merging::idempotent, receive, work);
    if (!is_done || !ranks.any(rows.has_next_level())) break;
    rows.begin_level();
  } while (true);
  rows.put_back();
  return is_done;
}

}  // namespace dcheck
