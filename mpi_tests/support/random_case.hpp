#pragma once
// Random nets, formulas, leaves and options through check(), judged by the reference checker and the replayer.
// On one rank, or on several in the loopback. Unit tests run a sample, campaigns (campaign/random_ctl.cpp,
// campaign/random_ranks.cpp) as many as one likes.

#include <string>
#include <vector>

#include "dcheck/check/check.hpp"
#include "support/check_on_ranks.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {

/// Automatic, off, or places at will.
LaneChoice random_lanes(Dice& dice, const Net& net);

/// What was compared, so that a test can ask for some of everything.
struct CaseTally {
  std::uint64_t cases = 0;       // calls of check()
  std::uint64_t verdicts = 0;    // known ones, each the reference's
  std::uint64_t unknown = 0;     // because of a limit
  std::uint64_t sat_counts = 0;  // sizes of satisfaction sets
  std::uint64_t witnesses = 0;   // trees of evidence replayed
  std::uint64_t shortest = 0;    // paths whose length was compared
  std::uint64_t bounds = 0;      // upper bounds
  std::uint64_t shared = 0;      // cases in which some rank sent records to another
  std::uint64_t merged = 0;      // cases in which records were merged before they were sent
  std::uint64_t too_large = 0;   // cases that end because numbers leave 63 bits, or what the plan can hold
  std::uint64_t asked = 0;       // cases in which some rank asked another about successors
};

/// Cases in a fixed order: every seed gives a net, and `cases_per_net` cases where its states are few enough, but not
/// so few that nothing can go wrong.
class RandomCases {
 public:
  static constexpr std::uint64_t cases_per_net = 8;

  enum class On : std::uint8_t { one_rank, several_ranks };
  /// Lossy ones may leave anything unknown, but what is told must be right.
  enum class Stores : std::uint8_t { exact, lossy };
  explicit RandomCases(std::uint64_t first_seed, On on = On::one_rank, Stores stores = Stores::exact);

  /// Moves on to the next case; the first call to the first one.
  void advance();

  /// Runs the case: what disagrees, a line each.
  std::vector<std::string> run();

  /// The case: net, formulas, options, and how to run it again. Several lines.
  std::string describe() const;

  const CaseTally& tally() const { return _tally; }

 private:
  void next_net();
  Property random_property(std::size_t number);
  void choose();
  CheckOutcome check_and_compare();
  void judge(const CheckOutcome& outcome);
  void judge_exploration(const Exploration& exploration);
  void judge_overflow(const Exploration& exploration);
  bool outgrows_lanes() const;
  void judge_property(const Property& property, const PropertyResult& result);
  void judge_verdict(const Property& property, const PropertyResult& result);
  void judge_bound(const Property& property, const PropertyResult& result);
  void judge_witness(const Property& property, const PropertyResult& result, bool holds);
  void expect(bool is_so, const std::string& otherwise);

  std::uint64_t _seed, _case = 0;  // of the net; of the cases of one net
  On _on;
  Stores _stores;
  Dice _dice{0};
  Net _net;
  NaiveGraph _truth;
  std::vector<Property> _properties;
  CheckOptions _options;
  RankChoice _ranks;
  bool _is_portable = false;       // the engine without BMI2, by environment variable
  bool _overflows = false;         // the reference has met a number that leaves 63 bits
  bool _may_be_too_large = false;  // a plan may not be able to hold all numbers
  bool _may_be_cut = false;        // a limit was set and not everything explored: verdicts and witnesses may be missing
  std::vector<std::string> _disagreements;
  CaseTally _tally;
};

}  // namespace dcheck::test
