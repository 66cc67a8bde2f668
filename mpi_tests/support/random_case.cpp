#include "support/random_case.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>
#include <set>

#include "dcheck/base/error.hpp"
#include "dcheck/ctl/text.hpp"
#include "support/random_formula.hpp"
#include "support/random_rows.hpp"
#include "support/reference_checker.hpp"
#include "support/replayer.hpp"

namespace dcheck::test {
namespace {

constexpr NaiveLimits case_limits{.states = 3'000, .tokens = std::numeric_limits<Tokens>::max()};

/// The engine without BMI2, as long as the object lives.
class PortableBits {
 public:
  explicit PortableBits(bool is_wanted) : _is_wanted(is_wanted) {
    if (_is_wanted) setenv("DCHECK_PORTABLE_BITS", "1", 1);
  }
  ~PortableBits() {
    if (_is_wanted) unsetenv("DCHECK_PORTABLE_BITS");
  }
  PortableBits(const PortableBits&) = delete;
  PortableBits& operator=(const PortableBits&) = delete;

 private:
  bool _is_wanted;
};

std::size_t depth_of(const NaiveGraph& graph) {
  std::vector<std::size_t> level(graph.states(), graph.states());
  level[0] = 0;
  for (std::size_t s = 0; s < graph.states(); ++s) {
    for (const NaiveArc& arc : graph.successors[s]) level[arc.target] = std::min(level[arc.target], level[s] + 1);
  }
  return *std::ranges::max_element(level);
}

/// Whether dcheck takes these places as `--lanes`.
bool can_be_named(const Net& net, std::vector<Place> places) {
  const Structure structure = analyse(net);
  std::erase_if(places, [&](Place p) { return !structure.bounds[index(p)]; });
  return count_lanes(net, structure, places, max_lanes) <= max_lanes;
}

}  // namespace

LaneChoice random_lanes(Dice& dice, const Net& net) {
  LaneChoice choice;
  choice.kind = static_cast<LaneChoice::Kind>(dice.between(0, 2));
  // Often so early that fields turn out too narrow, and leaves are chosen, in the middle of a small state space.
  if (!dice.one_in(4)) choice.sample_steps = 1;
  if (!dice.one_in(4)) choice.look_after_rows = static_cast<std::uint64_t>(dice.between(1, 200));
  if (choice.kind != LaneChoice::Kind::places) return choice;
  for (std::size_t p = 0; p < net.place_count(); ++p) {
    if (dice.one_in(2)) choice.places.push_back(static_cast<Place>(p));
  }
  while (!can_be_named(net, choice.places)) choice.places.pop_back();
  return choice;
}

RandomCases::RandomCases(std::uint64_t first_seed, On on, Stores stores)
    : _seed(first_seed - 1), _on(on), _stores(stores) {
  next_net();
}

void RandomCases::next_net() {
  do {
    Dice dice(~++_seed);
    NetFlavour flavour = NetFlavour::from(dice);
    flavour.huge = dice.one_in(6);
    _net = random_net(_seed, flavour);
    _truth = explore_naively(_net, case_limits);
    _overflows = _truth.cut == NaiveGraph::Cut::overflow;
    _may_be_too_large = flavour.huge;
    // Many nets die at once: a few of them are enough.
  } while ((!_truth.is_complete() && !_overflows) || (_truth.states() < 8 && _seed % 8 != 0));
  _case = 0;
  _dice = Dice(_seed + (std::uint64_t{1} << 40));  // not the numbers the net was made of
}

void RandomCases::advance() {
  if (_case == cases_per_net) next_net();
  ++_case;
  choose();
}

std::vector<std::string> RandomCases::run() {
  ++_tally.cases;
  _disagreements.clear();
  const PortableBits bits(_is_portable);
  try {
    judge(_on == On::one_rank ? check(_net, _properties, _options) : check_and_compare());
  } catch (const ResourceError& error) {
    expect(_may_be_too_large, std::string("no report: ") + error.what());
    ++_tally.too_large;
  } catch (const std::exception& error) {
    expect(false, std::string("exception: ") + error.what());
  }
  return std::move(_disagreements);
}

/// On several ranks, which must agree; the outcome of rank 0.
CheckOutcome RandomCases::check_and_compare() {
  std::vector<CheckOutcome> outcomes = check_on_ranks(_net, _properties, _options, _ranks);
  for (std::size_t rank = 1; rank < outcomes.size(); ++rank) {
    for (const std::string& line : differences(outcomes[0], outcomes[rank]))
      expect(false, "ranks 0 and " + std::to_string(rank) + " differ: " + line);
    expect(outcomes[rank].ranks.empty(), "figures of all ranks on another rank than the first");
  }
  // With lossy stores every rank explores by itself, and counts the same states again.
  if (_stores == Stores::exact)
    for (const std::string& line : wrong_figures(outcomes[0], _ranks)) expect(false, line);
  const auto any_rank = [&](std::uint64_t TrafficFigures::*figure) {
    return std::ranges::any_of(outcomes[0].ranks, [&](const RankFigures& rank) { return rank.traffic.*figure != 0; });
  };
  if (any_rank(&TrafficFigures::records)) ++_tally.shared;
  if (any_rank(&TrafficFigures::merged)) ++_tally.merged;
  const auto has_asked = [](const RankFigures& rank) { return rank.queries != 0; };
  if (std::ranges::any_of(outcomes[0].ranks, has_asked)) ++_tally.asked;
  return std::move(outcomes[0]);
}

void RandomCases::choose() {
  _properties.clear();
  const auto count = _dice.one_in(2) ? 1 : _dice.between(2, 4);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) _properties.push_back(random_property(i));
  _options = {};
  _options.explore.lanes = random_lanes(_dice, _net);
  _options.explore.levels = _dice.one_in(3);
  _options.sat_counts = _dice.one_in(3);
  _options.witness = _dice.one_in(2);
  _options.full = _dice.one_in(4);
  if (_dice.one_in(8)) {
    const auto states = static_cast<std::int64_t>(_truth.states());
    _options.explore.limits.max_states = static_cast<std::uint64_t>(_dice.between(1, states));
  }
  // Such a net may be infinite, and in another order than the reference's the overflow may come very late.
  if (_overflows && !_options.explore.limits.max_states) _options.explore.limits.max_states = 100'000;
  _is_portable = _dice.one_in(8);
  _options.au = _dice.one_in(2) ? AuMethod::query : AuMethod::count;
  _options.local = _dice.one_in(3) ? LocalChoice::automatic : LocalChoice::off;
  _options.graph = static_cast<GraphChoice>(_dice.between(0, 2));
  if (_on == On::several_ranks) _ranks = random_ranks(_dice);
  if (_stores == Stores::lossy)
    choose_lossy_rows(_dice, _options.explore);
  else
    choose_rows(_dice, _options.explore);
}

Property RandomCases::random_property(std::size_t number) {
  Property property;
  property.id = "p" + std::to_string(number);
  property.is_upper_bound = _dice.one_in(6);
  if (property.is_upper_bound) {
    property.bound_of = random_sum(_dice, _net);
    property.text = "bound(" + text_of(property.bound_of, _net) + ")";
  } else {
    const auto depth = static_cast<int>(_dice.between(1, 4));
    if (_dice.one_in(5))
      property.formula = random_reachability(_dice, _net, depth - 1);
    else if (_dice.one_in(4))  // two ways to decide it
      property.formula = Formula::of(Formula::Kind::af, {random_formula(_dice, _net, depth - 1)});
    else
      property.formula = random_formula(_dice, _net, depth);
    property.text = text_of(property.formula, _net);
  }
  return property;
}

void RandomCases::judge(const CheckOutcome& outcome) {
  judge_exploration(outcome.exploration);
  expect(outcome.properties.size() == _properties.size(), "not one result a property");
  if (_overflows) return;  // the reference does not know all states either
  const std::size_t count = std::min(outcome.properties.size(), _properties.size());
  for (std::size_t i = 0; i < count; ++i) judge_property(_properties[i], outcome.properties[i]);
}

void RandomCases::judge_exploration(const Exploration& exploration) {
  const bool has_limit = _options.explore.limits.max_states.has_value() || outgrows_lanes();
  const bool is_lossy = _stores == Stores::lossy;
  _may_be_cut = ((has_limit || is_lossy) && !exploration.complete) || _may_be_too_large;
  if (is_lossy) expect(!exploration.complete, "complete with a store that may leave states out");
  if (_overflows) return judge_overflow(exploration);
  if ((_options.full || _options.sat_counts) && !_may_be_cut)
    expect(exploration.complete, "not everything is explored");
  expect(exploration.states <= _truth.states(), "more states than there are");
  if (!exploration.complete) return;
  expect(exploration.states == _truth.states(), "states");
  expect(exploration.arcs == _truth.arcs, "arcs");
  expect(exploration.deadlocks == _truth.deadlocks, "deadlocks");
  expect(exploration.max_tokens == _truth.most_in_place, "largest numbers of tokens");
  expect(exploration.max_tokens_in_marking == _truth.most_in_marking, "largest number of tokens in a marking");
  if (_options.explore.levels) expect(exploration.levels == depth_of(_truth), "number of levels");
}

/// Whether the places that were named have more markings than a row has lanes.
bool RandomCases::outgrows_lanes() const {
  const LaneChoice& lanes = _options.explore.lanes;
  if (lanes.kind != LaneChoice::Kind::places || _truth.states() <= max_lanes) return false;
  std::set<std::vector<Tokens>> leaves;
  for (const std::vector<Tokens>& marking : _truth.markings) {
    std::vector<Tokens> leaf;
    for (const Place p : lanes.places) leaf.push_back(marking[index(p)]);
    leaves.insert(std::move(leaf));
  }
  return leaves.size() > max_lanes;
}

void RandomCases::judge_overflow(const Exploration& exploration) {
  ++_tally.too_large;
  expect(!exploration.complete, "complete, although numbers leave 63 bits");
  expect(!exploration.stop_reason.empty(), "stopped without a reason");
}

void RandomCases::judge_property(const Property& property, const PropertyResult& result) {
  expect(result.id == property.id && result.formula == property.text, "result of another property");
  expect(result.is_upper_bound == property.is_upper_bound, "kind of result");
  const bool is_known = property.is_upper_bound ? result.bound.has_value() : result.verdict != Verdict::unknown;
  if (!is_known) {
    ++_tally.unknown;
    expect(_may_be_cut, property.text + ": unknown without a limit");
    expect(!result.reason.empty(), property.text + ": unknown without a reason");
    expect(!result.witness, property.text + ": unknown with a witness");
  } else if (property.is_upper_bound) {
    judge_bound(property, result);
  } else {
    judge_verdict(property, result);
  }
}

void RandomCases::judge_verdict(const Property& property, const PropertyResult& result) {
  ++_tally.verdicts;
  const std::vector<bool> sat = satisfying_states(property.formula, _net, _truth);
  const bool holds = result.verdict == Verdict::holds;
  expect(holds == sat[0], property.text + ": wrong verdict, " + (holds ? "holds" : "fails"));
  if (holds != sat[0]) return;
  const auto sat_states = static_cast<std::uint64_t>(std::ranges::count(sat, true));
  if (result.sat_states) {
    ++_tally.sat_counts;
    expect(_options.sat_counts, property.text + ": counted though nobody asked");
    expect(*result.sat_states == sat_states, property.text + ": " + std::to_string(*result.sat_states) +
                                                 " states satisfy it, should be " + std::to_string(sat_states));
  } else if (_options.sat_counts) {
    expect(_may_be_cut, property.text + ": satisfying states not counted");
  }
  judge_witness(property, result, holds);
}

void RandomCases::judge_witness(const Property& property, const PropertyResult& result, bool holds) {
  if (!result.witness) {
    const bool is_missing = _options.witness && !_may_be_cut && needs_path(property.formula, _net, _truth);
    expect(!is_missing, property.text + ": no witness");
    return;
  }
  ++_tally.witnesses;
  expect(_options.witness, property.text + ": a witness though nobody asked");
  expect(result.witness->has_path(), property.text + ": a witness without a path");
  if (const auto reason = refutes(_net, property.formula, holds, *result.witness, &_truth))
    expect(false, property.text + ": " + (holds ? "holds" : "fails") + ", witness refused: " + *reason);
  const auto shortest = shortest_evidence(property.formula, _net, _truth);
  if (!_options.explore.levels || !shortest) return;
  ++_tally.shortest;
  expect(result.witness->path.size() == *shortest, property.text + ": " + std::to_string(result.witness->path.size()) +
                                                       " steps, the shortest path has " + std::to_string(*shortest));
}

void RandomCases::judge_bound(const Property& property, const PropertyResult& result) {
  ++_tally.bounds;
  Tokens most = value_naively(property.bound_of, _truth.markings[0]);
  for (const auto& marking : _truth.markings) most = std::max(most, value_naively(property.bound_of, marking));
  expect(*result.bound == most,
         property.text + ": " + std::to_string(*result.bound) + ", should be " + std::to_string(most));
  expect(result.witness.has_value() == _options.witness || (_may_be_cut && _options.witness),
         property.text + ": witness of a bound");
  if (!result.witness) return;
  ++_tally.witnesses;
  if (const auto reason = refutes_bound(_net, property.bound_of, *result.bound, *result.witness))
    expect(false, property.text + ": witness refused: " + *reason);
}

void RandomCases::expect(bool is_so, const std::string& otherwise) {
  if (!is_so) _disagreements.push_back(otherwise);
}

std::string RandomCases::describe() const {
  std::string text = "net " + std::to_string(_seed) + ", case " + std::to_string(_case) + ", " +
                     std::to_string(_truth.states()) + " states, lanes";
  constexpr const char* kinds[] = {" auto", " off", " places"};
  text += kinds[static_cast<int>(_options.explore.lanes.kind)];
  for (const Place p : _options.explore.lanes.places) text += " " + _net.name(p);
  if (_options.explore.levels) text += ", levels";
  if (_options.sat_counts) text += ", sat-counts";
  if (_options.witness) text += ", witness";
  if (_options.full) text += ", full";
  if (const auto& most = _options.explore.limits.max_states) text += ", max-states " + std::to_string(*most);
  if (_is_portable) text += ", portable bits";
  if (_options.au == AuMethod::query) text += ", au query";
  if (_options.local == LocalChoice::off) text += ", local off";
  constexpr const char* graphs[] = {"auto", "keep", "off"};
  text += std::string(", graph ") + graphs[static_cast<int>(_options.graph)];
  if (_on == On::several_ranks) text += ", " + test::describe(_ranks);
  text += ", " + describe_rows(_options.explore);
  for (const Property& property : _properties) text += "\n  " + property.text;
  const char* const script = _stores == Stores::lossy ? "random-lossy"
                             : _on == On::one_rank    ? "random-ctl"
                                                      : "random-ranks";
  return text + "\n  again: scripts/" + script + " " + std::to_string(_case) + " " + std::to_string(_seed);
}

}  // namespace dcheck::test
