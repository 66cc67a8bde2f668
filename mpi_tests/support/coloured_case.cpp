#include "support/coloured_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dcheck/check/check.hpp"
#include "dcheck/colour/unfold.hpp"
#include "dcheck/parse/formula.hpp"
#include "support/coloured_interpreter.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_coloured_net.hpp"

namespace dcheck::test {
namespace {

constexpr std::size_t most_states = 2'000;
constexpr Tokens most_tokens = 40;

using NamedMarking = std::map<std::string, Tokens>;

NamedMarking named(const ColouredNet& net, const ColouredMarking& marking) {
  NamedMarking result;
  for (const auto& [token, count] : marking) result[name_of(net, token)] = count;
  return result;
}

NamedMarking named(const Net& net, const std::vector<Tokens>& marking) {
  NamedMarking result;
  for (std::size_t p = 0; p < marking.size(); ++p)
    if (marking[p] != 0) result[net.name(static_cast<Place>(p))] = marking[p];
  return result;
}

class ColouredCase {
 public:
  explicit ColouredCase(std::uint64_t seed, ColouredTally& tally)
      : _tally(tally), _coloured(random_coloured_net(seed)) {}

  std::vector<std::string> run() {
    _truth = interpret(_coloured, most_states, most_tokens);
    if (!_truth.is_complete) {
      ++_tally.cut;
      return {};
    }
    ++_tally.nets;
    _model.net = unfold(_coloured);
    look_at_net();
    compare_graphs();
    if (_wrong.empty()) compare_formulas();
    return std::move(_wrong);
  }

 private:
  void expect(bool is_so, const std::string& otherwise) {
    if (!is_so) _wrong.push_back(otherwise);
  }

  void look_at_net() {
    const Net& net = _model.net;
    expect(net.place_families().count() == _coloured.places.size(), "families of places");
    expect(net.transition_families().count() == _coloured.transitions.size(), "families of transitions");
    std::size_t colours = 0;
    for (const ColouredPlace& place : _coloured.places) {
      std::size_t product = 1;
      for (const std::uint32_t of : place.classes) product *= _coloured.classes[of].size;
      colours += product;
    }
    if (net.place_count() < colours) ++_tally.pruned;
    for (std::size_t t = 0; t < net.transition_count(); ++t)
      if (net.bindings(static_cast<Transition>(t)) > 1) {
        ++_tally.merged;
        break;
      }
  }

  /// The same markings, and between them the same steps, binding by binding.
  void compare_graphs() {
    const Net& net = _model.net;
    const NaiveGraph graph = explore_naively(net, {most_states, most_tokens});
    expect(graph.is_complete() && graph.states() == _truth.markings.size(),
           fmt::format("{} states, not {}", graph.states(), _truth.markings.size()));
    expect(graph.arcs == _truth.arcs, fmt::format("{} arcs, not {}", graph.arcs, _truth.arcs));
    expect(graph.deadlocks == _truth.deadlocks, "deadlocks");
    if (!_wrong.empty()) return;
    std::map<NamedMarking, std::size_t> number;
    for (std::size_t s = 0; s < _truth.markings.size(); ++s) number[named(_coloured, _truth.markings[s])] = s;
    for (std::size_t s = 0; s < graph.states(); ++s) {
      const auto same = number.find(named(net, graph.markings[s]));
      if (same == number.end()) return expect(false, "a marking that is not reached");
      std::vector<std::pair<std::string, NamedMarking>> found, known;
      for (const NaiveArc& arc : graph.successors[s]) {
        const auto family = net.transition_families().of(arc.transition);
        for (std::uint32_t i = 0; i < net.bindings(arc.transition); ++i)
          found.emplace_back(net.transition_families()[*family].name, named(net, graph.markings[arc.target]));
      }
      for (const ColouredStep& step : _truth.successors[same->second])
        known.emplace_back(_coloured.transitions[step.transition].name, named(_coloured, _truth.markings[step.target]));
      std::ranges::sort(found);
      std::ranges::sort(known);
      expect(found == known, "other steps from a marking");
    }
  }

  Tokens tokens_in(const ColouredMarking& marking, std::uint32_t place) const {
    Tokens sum = 0;
    for (const auto& [token, count] : marking)
      if (token.first == place) sum += count;
    return sum;
  }

  /// Of each place the largest sum over its colours, and whether it can always be as in the beginning; of each
  /// transition whether some binding ever fires.
  void compare_formulas() {
    std::vector<Property> properties;
    std::vector<Tokens> known;
    const auto ask = [&](const std::string& text, Tokens answer) {
      properties.push_back(parse_property(text, fmt::format("p{}", properties.size()), _model));
      known.push_back(answer);
    };
    for (std::uint32_t p = 0; p < _coloured.places.size(); ++p) {
      Tokens most = 0;
      for (const ColouredMarking& marking : _truth.markings) most = std::max(most, tokens_in(marking, p));
      ask(fmt::format("bound({})", _coloured.places[p].name), most);
      const Tokens first = tokens_in(_truth.markings.front(), p);
      ask(fmt::format("AG EF {} == {}", _coloured.places[p].name, first), always_returns(p, first) ? 1 : 0);
    }
    for (std::uint32_t t = 0; t < _coloured.transitions.size(); ++t) {
      const auto fires = [&](const std::vector<ColouredStep>& steps) {
        return std::ranges::any_of(steps, [&](const ColouredStep& step) { return step.transition == t; });
      };
      ask(fmt::format("EF fireable({})", _coloured.transitions[t].name),
          std::ranges::any_of(_truth.successors, fires) ? 1 : 0);
      ask(fmt::format("fireable({})", _coloured.transitions[t].name), fires(_truth.successors.front()) ? 1 : 0);
    }
    CheckOptions options;
    options.full = true;
    const CheckOutcome outcome = check(_model.net, properties, options);
    expect(outcome.exploration.states == _truth.markings.size(), "states of the engine");
    expect(outcome.exploration.arcs == _truth.arcs,
           fmt::format("{} arcs of the engine, not {}", outcome.exploration.arcs, _truth.arcs));
    for (std::size_t i = 0; i < properties.size(); ++i) {
      const PropertyResult& result = outcome.properties[i];
      const Tokens answer = result.is_upper_bound              ? result.bound.value_or(-1)
                            : result.verdict == Verdict::holds ? 1
                                                               : 0;
      expect(answer == known[i], fmt::format("{} is {}, not {}", properties[i].text, answer, known[i]));
      ++_tally.verdicts;
    }
  }

  bool always_returns(std::uint32_t place, Tokens tokens) const {
    std::vector<bool> returns;
    for (const ColouredMarking& marking : _truth.markings) returns.push_back(tokens_in(marking, place) == tokens);
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t s = 0; s < returns.size(); ++s) {
        if (returns[s]) continue;
        returns[s] =
            std::ranges::any_of(_truth.successors[s], [&](const ColouredStep& step) { return returns[step.target]; });
        grows = grows || returns[s];
      }
    }
    return std::ranges::find(returns, false) == returns.end();
  }

  ColouredTally& _tally;
  ColouredNet _coloured;
  ColouredGraph _truth;
  Model _model;
  std::vector<std::string> _wrong;
};

}  // namespace

std::vector<std::string> wrong_about_colours(std::uint64_t seed, ColouredTally& tally) {
  return ColouredCase(seed, tally).run();
}

}  // namespace dcheck::test
