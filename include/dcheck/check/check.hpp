#pragma once
// Properties in, verdicts and evidence out: simplify, explore as far as is needed, label rows with the subformulas that
// hold, and show why. As one call, or on states that were explored before.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcheck/check/paper_test.hpp"
#include "dcheck/ctl/evidence.hpp"
#include "dcheck/explore/explore.hpp"
#include "dcheck/label/operators.hpp"
#include "dcheck/ranks/figures.hpp"

namespace dcheck {

enum class Verdict : std::uint8_t { holds, fails, unknown };

struct PropertyResult {
  std::string id;
  std::string formula;  // as the user wrote it
  Verdict verdict = Verdict::unknown;
  std::string reason = {};  // one line, where the verdict (or the bound) is unknown
  bool is_upper_bound = false;
  std::optional<Tokens> bound = {};              // where is_upper_bound and known
  std::optional<std::uint64_t> sat_states = {};  // reachable states that satisfy it, where asked for
  double seconds = 0;
  /// Where asked for and some path shows the verdict, or reaches the bound.
  std::optional<Evidence> witness = {};
  std::string witness_reason = {};  // why a witness that was asked for could not be looked for; mostly empty
};

/// Whether formulas are first tried on a few states around the initial marking (ctl/local/local_search.hpp).
enum class LocalChoice : std::uint8_t { automatic, off };

struct CheckOptions {
  ExploreOptions explore;
  LocalChoice local = LocalChoice::automatic;
  GraphChoice graph = GraphChoice::automatic;
  AuMethod au = AuMethod::count;
  bool sat_counts = false;  // count the states that satisfy each property; implies `full`
  bool witness = false;     // show paths
  bool full = false;        // explore everything even if all is decided
  /// Taken after a full exploration, in the place of properties: there must be none.
  std::optional<TestChoice> test = {};
};

/// How formulas were decided: by few states, and by labels with the graph of rows kept or without it.
struct LabelFigures {
  std::size_t decided_locally = 0;                // properties
  std::optional<GraphDecision> graph;             // where anything was labelled
  std::uint64_t graph_arcs = 0, graph_bytes = 0;  // of all ranks together, where it was kept
  double graph_seconds = 0;                       // to make it
  std::uint64_t condensed_bytes = 0;              // of rows without an index, once the graph was there
};

/// What was found out about properties.
struct Answers {
  std::vector<PropertyResult> properties;  // one each, in order
  std::optional<TestResult> test;          // where asked for
  double seconds = 0;
  std::string stop_reason;  // one line, where a limit or somebody's wish ended it early
  int stop_signal = 0;      // by which that was wished; 0: it was not
  LabelFigures labels;
  std::string save_failure;   // one line, where the states could not be kept as was asked
  std::uint64_t queries = 0;  // successors, as states, that this rank has asked others about
};

/// Collective. Decides properties on states that were explored before, as often as one likes; the space is not changed.
/// Of a space that is not complete it takes what that part proves. `structure` is the net's. The options of the
/// exploration give the limits.
Answers answer(const StateSpace& space, const Structure& structure, const std::vector<Property>& properties,
               const CheckOptions& options);

/// The answers, and the exploration that led to them. A signal may have stopped either.
struct CheckOutcome : Answers {
  Exploration exploration;
  std::vector<RankFigures> ranks;  // on rank 0 of several: of each rank; elsewhere empty
  /// What was explored, where anything was. Giving gigabytes back takes long: the caller says when.
  std::unique_ptr<StateSpace> space;
};

/// Collective; net, properties and options are the same on all ranks, and so is the outcome but for seconds. Decides
/// what it can within the limits; the rest is unknown, with a reason. A verdict is proven. Throws InputError where
/// explore() does, and ResourceError where a limit is met before anything could be explored.
CheckOutcome check(const Net& net, const std::vector<Property>& properties, const CheckOptions& options,
                   Ranks& ranks = alone());

}  // namespace dcheck
