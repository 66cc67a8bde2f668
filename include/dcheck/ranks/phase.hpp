#pragma once
// The one loop in which rows are handled, whether they are explored or labelled: a phase of the exchange, from its
// beginning on all ranks to its end on all of them. Alone it is the same loop with nobody to listen to.
//
// A phase ends in one of three ways, the same on all ranks (Stop):
//
//   none   nothing waits anywhere
//   pause  some rank wanted it: what waits is kept where it waits, nothing is under way, and everything that was going
//          on is in the job's own lists. The next phase can go on with them.
//   drop   some rank knows that nobody needs the rest
//
// What a job offers:
//
//   begin()          before anything else
//   handle(rows)     handles at most so many of the rows that wait here; false: none waits any more
//   wanted(has_more) asked after each piece: how all ranks should stop, if they should. `has_more` is false where this
//                    rank is alone and has nothing left: then only what the job itself cannot go on without counts.
//   receive(records) what other ranks have sent. Called inside anything that sends or polls.
//   hand_over(stop)  nothing is handled now, because nothing waits or because all were asked to stop: sends what was
//                    gathered for others, and answers what they still ask
//   finish(stop)     the phase is over on all ranks: puts what is left where it belongs

#include <algorithm>
#include <type_traits>

#include "dcheck/ranks/ranks.hpp"

namespace dcheck {

/// What the records of a phase are. Those of another plan are refused.
struct PhaseKind {
  RecordShape shape;
  Merging merging = Merging::none;
  std::uint32_t plan_number = 0;
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

template <typename Job>
Stop handle_alone(Job& job, std::uint64_t most_rows) {
  while (true) {
    const bool has_more = job.handle(most_rows);
    if (const Stop how = job.wanted(has_more); how != Stop::none) {
      job.hand_over(how);
      return how;
    }
    if (!has_more) return Stop::none;
  }
}

template <typename Job>
Stop handle_with_others(Job& job, std::uint64_t most_rows, Ranks& ranks) {
  Exchange& exchange = ranks.exchange();
  Transport& transport = ranks.cluster().transport();
  PieceSize piece(most_rows);
  while (true) {
    bool is_passive = exchange.stop() != Stop::none;  // what waits is kept back
    if (!is_passive) {
      const std::uint64_t begin = transport.now();
      is_passive = !job.handle(piece.rows());
      if (!is_passive) piece.note(transport.now() - begin);
      if (const Stop how = job.wanted(true); how != Stop::none) exchange.ask_to_stop(how);
    }
    if (is_passive) {
      job.hand_over(exchange.stop());
      if (exchange.is_over(true)) return exchange.stop();
    } else {
      exchange.poll();
    }
  }
}

/// Collective: one phase. make() gives this rank's job, or a reference to it; it may run out of memory. At most
/// `most_rows` rows are handled before anybody is asked whether to stop. Returns how the phase ended.
template <typename Make>
Stop run_phase(Ranks& ranks, const PhaseKind& kind, std::uint64_t most_rows, Make&& make) {
  // Other ranks may begin sooner; what they send waits until this rank looks for it, when its job is there.
  std::remove_reference_t<decltype(make())>* running = nullptr;
  if (!ranks.is_alone())
    ranks.exchange().begin(kind.shape, kind.merging, kind.plan_number,
                           [&](const Records& records) { running->receive(records); });
  Stop end = Stop::none;
  ranks.together([&] {
    auto&& job = make();
    running = &job;
    job.begin();
    end = ranks.is_alone() ? handle_alone(job, most_rows) : handle_with_others(job, most_rows, ranks);
    job.finish(end);
  });
  return end;
}

}  // namespace dcheck
