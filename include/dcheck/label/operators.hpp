#pragma once
// The operators that label rows: which states satisfy a predicate, EX, EU, AU. One object per use of a state space.
//
// All of them work on whole rows. EX, EU and AU walk backwards: from the lanes of a row to the lanes of
// other rows from which some transition leads there. Predecessors that were never reached drop out when
// their row is looked up, by the rank that owns it.
//
// On several ranks a set holds the states of this rank's rows, and everything here but reached() and give_back() is
// collective: all ranks call the same in the same order, answers are the same on all of them, and where one of them
// runs out of memory or into a limit all get AgreedStop. So what is done to sets of states is decided by what was
// answered here, never by looking at a set.
//
// Where a limit ends eu() or au(), the set has what has joined so far, and the same call goes on from there. All others
// begin anew when they are called again.
//
// The calls are virtual, one per phase; the loops behind them are templates.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dcheck/base/progress.hpp"
#include "dcheck/base/run_limit.hpp"
#include "dcheck/base/truth.hpp"
#include "dcheck/net/marking.hpp"
#include "dcheck/space/state_space.hpp"
#include "dcheck/walk/state_set.hpp"

namespace dcheck {

/// How A[p U q] is decided: by counting down the successors of each state, or by asking for them (paper five).
enum class AuMethod : std::uint8_t { count, query };

/// The distance of each state to a set of states, as numbers of as many bits as the largest one needs.
struct Levels {
  std::vector<StateSet> bits;  // of the distance, the lowest first
  StateSet known;              // states whose distance is known
};

/// A kept graph, as far as it is this rank's. Arcs: where rows have many lanes, operations on rows.
struct GraphSize {
  std::uint64_t arcs = 0, bytes = 0;
};

/// A set that grows: `sat` by states of `lasts`.
struct Growth {
  const StateSet* lasts = nullptr;
  StateSet* sat = nullptr;
  bool until_initial = false;  // nobody needs more of it once the initial state has joined
};

class Operators {
 public:
  using Sets = std::span<const StateSet* const>;
  /// A marking after which a phase may end, if any.
  using Until = std::optional<std::span<const Tokens>>;

  virtual ~Operators() = default;
  Operators(const Operators&) = delete;
  Operators& operator=(const Operators&) = delete;

  /// All states that were reached.
  virtual const StateSet& reached() const = 0;

  /// The states that satisfy a predicate.
  StateSet label(const Expression& predicate);
  /// The states with a successor in `target`.
  virtual StateSet ex(const StateSet& target) = 0;
  /// The same by looking at successors, as paper five does for comparison.
  virtual StateSet ex_forward(const StateSet& target) = 0;
  /// Grows `sat` by every state of `lasts` with a path into it through `lasts`. Ends early, with a part
  /// of the answer, once `until` has joined.
  virtual void eu(const StateSet& lasts, StateSet& sat, Until until) = 0;
  /// Grows `sat` by every state of `lasts` with a successor, all of whose successors are in it. `until` as above.
  virtual void au(const StateSet& lasts, StateSet& sat, Until until) = 0;
  // The same for many at once: one walk serves up to 64 of them where the graph is kept. None depends on another.
  virtual std::vector<StateSet> label_all(std::span<const Expression* const> predicates) = 0;
  virtual std::vector<StateSet> ex_all(Sets targets);
  virtual void eu_all(std::span<const Growth> grown) = 0;
  virtual void au_all(std::span<const Growth> grown) = 0;

  /// eu() in step: what joins in one step is not looked at before the next. Returns the steps, of which the last one
  /// found nothing.
  virtual std::uint64_t eu_in_steps(const StateSet& lasts, StateSet& sat) = 0;
  /// The distances of states to `ends` by paths through `lasts`; as far as that of `until`, where given.
  virtual Levels levels(const StateSet& lasts, const StateSet& ends, Until until) = 0;

  /// Throws AgreedStop, alone ResourceError, with the reason where a limit is reached on some rank.
  virtual void expect_room() = 0;
  /// The same, and where on some rank a break is due (run_limit.hpp): between two calls here nothing is lost by that.
  virtual void take_break() = 0;

  /// Whether memory has room for so many sets more, on all ranks.
  bool has_room_for(std::size_t more) { return !_ranks.any(!sets().has_room_for(more)); }
  StateSet empty_set();
  StateSet copy_of(const StateSet& set);
  /// Keeps the memory of a set that nobody needs any more for the next one.
  void give_back(StateSet&& set) { sets().give_back(std::move(set)); }

  std::uint64_t size(const StateSet& set) const { return _ranks.sum(set.size()); }
  bool is_empty(const StateSet& set) const { return !_ranks.any(!set.empty()); }
  /// yes: all states that were reached are in the set; no: none is.
  Truth holds_of_all(const StateSet& set) const;
  bool contains(const StateSet& set, std::span<const Tokens> marking) const;

  /// Per marking: bit 0 says whether it was reached, bit i + 1 whether it is in sets[i]. One meeting of the ranks for
  /// all of them. At most 63 sets.
  std::vector<std::uint64_t> look_up(std::span<const Marking> markings, Sets in) const;
  std::vector<std::optional<std::uint64_t>> levels_of(const Levels& levels, std::span<const Marking> markings) const;

  // The lanes of a row in a set, of Plan::words() words; sets may be ordered otherwise than rows. Not collective.
  void write_lanes(const StateSet& set, Row row, std::uint64_t* to) const;
  void set_lanes(StateSet& set, Row row, const std::uint64_t* lanes) const;

  Ranks& ranks() const { return _ranks; }
  /// Where one is kept.
  virtual std::optional<GraphSize> graph() const { return std::nullopt; }
  /// Collective: makes the graph of rows with many lanes, and walks on it from now on. `step` tells how far it is.
  virtual void keep_graph(LabellingStep& step);
  /// Whether one walk serves many formulas, so that it pays to take those side by side that could be taken in turn.
  virtual bool takes_many_at_once() const { return false; }

  /// What is under way, or was last.
  virtual const LabellingStep& step() const = 0;

  /// How many successors, as states, this rank has asked other ranks about.
  std::uint64_t queries() const { return _queries; }
  /// How often the last eu() or au() went through this rank's rows in the order in which they lie there; none where
  /// rows have many lanes: then they are taken last in, first out.
  std::optional<std::uint64_t> sweeps() const { return _sweeps; }

 protected:
  explicit Operators(Ranks& ranks) : _ranks(ranks) {}

  virtual SetPool& sets() = 0;
  /// Whether sets have a bit per row, and which one it is.
  virtual bool has_one_lane() const = 0;
  virtual std::size_t bit_of(Row row) const { return index(row); }
  /// As look_up(), for one marking; nothing where another rank owns it.
  virtual std::uint64_t look_up_here(std::span<const Tokens> marking, Sets in) const = 0;

  Ranks& _ranks;
  std::uint64_t _queries = 0;
  std::optional<std::uint64_t> _sweeps;
};

/// Collective. The space must outlive the operators. AU and steps forwards need a space that is complete.
std::unique_ptr<Operators> make_operators(const StateSpace& space, AuMethod au, const RunLimit& limit);

/// Whether the graph is kept: where it pays, always where it can be, never.
enum class GraphChoice : std::uint8_t { automatic, keep, off };
struct GraphDecision {
  bool is_kept = false;
  std::string why;  // one line
};
/// Collective. `path_steps`: how many EX, EU and AU may have to be decided.
GraphDecision decide_graph(const StateSpace& space, GraphChoice choice, std::size_t path_steps);

/// Collective: makes the graph and operators that walk on it. AU is counted. `step` tells how far the graph is.
/// @pre decide_graph() was for it.
std::unique_ptr<Operators> make_graph_operators(const StateSpace& space, const RunLimit& limit, LabellingStep& step);

/// The two versions differ in the bit instructions they use, in nothing else. Not collective: each rank for itself.
std::unique_ptr<Operators> make_portable_operators(const StateSpace& space, AuMethod au, const RunLimit& limit);
std::unique_ptr<Operators> make_fast_operators(const StateSpace& space, AuMethod au, const RunLimit& limit);

}  // namespace dcheck
