#pragma once
// The phases that label rows: which states satisfy a predicate, EX, EU, AU. One object a state space.
//
// All of them work on whole rows. EX, EU and AU walk backwards: from the lanes of a row to the lanes of
// other rows from which some transition leads there. Predecessors that were never reached drop out when
// their row is looked up.
//
// The calls are virtual, once a phase; the loops behind them are templates.

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "check/state_set.hpp"
#include "dcheck/explore/explore.hpp"

namespace dcheck {

/// A reached state.
struct StateRef {
  std::uint64_t row = 0;
  std::uint32_t lane = 0;
  bool operator==(const StateRef&) const = default;
};

/// The distance of each state to a set of states, as numbers of as many bits as the largest one needs.
struct Levels {
  std::vector<StateSet> bits;  // of the distance, the lowest first
  StateSet known;              // states whose distance is known
};

class Phases {
 public:
  virtual ~Phases() = default;

  /// All states that were reached.
  virtual const StateSet& reached() const = 0;
  virtual SetPool& sets() = 0;

  virtual std::optional<StateRef> locate(std::span<const Tokens> marking) const = 0;
  virtual bool contains(const StateSet& set, StateRef state) const = 0;

  /// The states that satisfy a predicate.
  virtual StateSet label(const Expression& predicate) = 0;
  /// The states with a successor in `target`.
  virtual StateSet ex(const StateSet& target) = 0;
  /// Grows `sat` by every state of `lasts` with a path into it through `lasts`. Ends early, with a part
  /// of the answer, once `stop` has joined.
  virtual void eu(const StateSet& lasts, StateSet& sat, const std::optional<StateRef>& stop) = 0;
  /// Grows `sat` by every state of `lasts` with a successor, all of whose successors are in it. `stop` as above.
  virtual void au(const StateSet& lasts, StateSet& sat, const std::optional<StateRef>& stop) = 0;
  /// The distances of states to `ends` by paths through `lasts`; as far as that of `stop`, where given.
  virtual Levels levels(const StateSet& lasts, const StateSet& ends, const std::optional<StateRef>& stop) = 0;
  virtual std::optional<std::uint64_t> level_of(const Levels& levels, StateRef state) const = 0;
};

/// `poll` is called now and then; what it throws ends the phase. The space must outlive the phases; its
/// worklists are used by them.
std::unique_ptr<Phases> make_phases(StateSpace& space, std::function<void()> poll);

/// The two versions differ in the bit instructions they use, in nothing else.
std::unique_ptr<Phases> make_portable_phases(StateSpace& space, std::function<void()> poll);
std::unique_ptr<Phases> make_fast_phases(StateSpace& space, std::function<void()> poll);

}  // namespace dcheck
