#include "parse/extended/variable_arcs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dcheck/base/narrow.hpp"
#include "dcheck/net/net_builder.hpp"
#include "dcheck/net/structure.hpp"
#include "parse/extended/conditions.hpp"
#include "parse/extended/interval.hpp"

namespace dcheck::parse {
namespace {

using Kind = Expression::Kind;

constexpr std::uint64_t most_variants = 10'000, most_transitions = 1'000'000;

bool has_variable_arcs(const ExtendedTransition& t) {
  return !t.variable_inputs.empty() || !t.variable_outputs.empty() || !t.variable_inhibitors.empty();
}

/// The arcs of a transition that have one weight, whatever it is in a marking.
struct WeightGroup {
  const std::vector<WeightCase>* cases;
  std::vector<Place> inputs, outputs;
  Offset at;
};

std::vector<WeightGroup> groups_of(const ExtendedTransition& t) {
  std::vector<WeightGroup> groups;
  const auto group_of = [&](const VariableArc& arc) -> WeightGroup& {
    const auto known = std::ranges::find_if(groups, [&](const auto& group) { return *group.cases == arc.cases; });
    if (known != groups.end()) return *known;
    return groups.emplace_back(WeightGroup{&arc.cases, {}, {}, arc.at});
  };
  for (const VariableArc& arc : t.variable_inputs) group_of(arc).inputs.push_back(arc.place);
  for (const VariableArc& arc : t.variable_outputs) group_of(arc).outputs.push_back(arc.place);
  return groups;
}

/// What the weight can be where the case is the one; low > high where it never is.
Interval values_in(Box box, const WeightCase& weight_case) {
  if (!box.learn(weight_case.condition)) return {1, 0};
  return box.values(weight_case.weight);
}

// The relaxed net can do all that the net can, and never has fewer tokens in a place then: no guards, no inhibitor
// arcs, and what variable arcs take stays, or is moved token by token where as many are put elsewhere. So its bounds
// are bounds.
class RelaxedNet {
 public:
  explicit RelaxedNet(const SourceText& source) : _source(source), _builder("relaxed") {}

  std::vector<std::optional<Tokens>> bounds(const ExtendedNet& net) {
    for (const ExtendedPlace& place : net.places) _builder.add_place(place.name, place.initial);
    for (const ExtendedTransition& t : net.transitions) add(t);
    return analyse(_builder.build()).bounds;
  }

 private:
  Transition fresh() { return _builder.add_transition(fmt::format("t{}", _builder.transition_count())); }

  void add(const ExtendedTransition& t) {
    const Transition own = fresh();
    for (const Arc& arc : t.inputs) _builder.add_input(own, arc.place, arc.weight);
    for (const Arc& arc : t.outputs) _builder.add_output(own, arc.place, arc.weight);
    for (const WeightGroup& group : groups_of(t)) {
      if (group.outputs.empty()) continue;
      if (!group.inputs.empty()) {
        const Transition unit = fresh();
        for (const Place place : group.inputs) _builder.add_input(unit, place, 1);
        for (const Place place : group.outputs) _builder.add_output(unit, place, 1);
        continue;
      }
      Tokens most = 0;
      for (const WeightCase& weight_case : *group.cases) most = std::max(most, values_in(Box(), weight_case).high);
      if (most >= Interval::endless)
        _source.fail(group.at, fmt::format("the weight of an arc from transition '{}' depends on the marking and has "
                                           "no upper bound: expected an input arc of the same weight",
                                           shown(t.name)));
      if (most == 0) continue;
      for (const Place place : group.outputs) _builder.add_output(own, place, most);
    }
  }

  const SourceText& _source;
  NetBuilder _builder;
};

void require_no_negative(const Interval& weights, Offset at, const ExtendedTransition& t, const SourceText& source) {
  if (weights.low >= 0 || weights.low > weights.high) return;
  const std::string low = weights.low <= -Interval::endless ? "any negative number" : std::to_string(weights.low);
  source.fail(at,
              fmt::format("the weight of an arc of transition '{}' could be {}: expected one that is never negative",
                          shown(t.name), low));
}

/// One weight of each group, the last one counting fastest.
class Variants {
 public:
  Variants(const ExtendedTransition& t, std::span<const std::optional<Tokens>> bounds, const SourceText& source)
      : _transition(t), _groups(groups_of(t)) {
    const Box box(bounds);
    std::uint64_t count = 1;
    for (const WeightGroup& group : _groups) {
      _choices.push_back(choices_of(group, box, source));
      count *= std::max<std::uint64_t>(_choices.back().size(), 1);
      if (count > most_variants)
        source.fail(group.at, fmt::format("the arcs of transition '{}' whose weights depend on the marking have more "
                                          "than {} combinations of weights",
                                          shown(t.name), most_variants));
    }
    _chosen.assign(_groups.size(), 0);
    // Where a weight can never be taken the transition is never enabled.
    _is_at_end = std::ranges::any_of(_choices, [](const auto& choices) { return choices.empty(); });
  }

  bool is_at_end() const { return _is_at_end; }

  void next() {
    for (std::size_t i = _chosen.size(); i > 0; --i) {
      if (++_chosen[i - 1] < _choices[i - 1].size()) return;
      _chosen[i - 1] = 0;
    }
    _is_at_end = true;
  }

  ExtendedTransition made() const {
    ExtendedTransition variant = _transition;
    variant.variable_inputs.clear();
    variant.variable_outputs.clear();
    if (!_groups.empty()) variant.name = indexed(_transition.name);
    for (std::size_t i = 0; i < _groups.size(); ++i) add_arcs(_groups[i], _choices[i][_chosen[i]], variant);
    return variant;
  }

 private:
  struct Choice {
    const WeightCase* weight_case;
    Tokens weight;
  };

  std::vector<Choice> choices_of(const WeightGroup& group, const Box& box, const SourceText& source) const {
    std::vector<Choice> choices;
    for (const WeightCase& weight_case : *group.cases) {
      const Interval weights = values_in(box, weight_case);
      require_no_negative(weights, group.at, _transition, source);
      Tokens most = weights.high;
      for (const Place place : group.inputs) most = std::min(most, box[place].high);  // it could not take more
      if (most >= Interval::endless)
        source.fail(group.at, fmt::format("the weight of an arc of transition '{}' depends on the marking, and no "
                                          "bound is known for it: expected places that an invariant bounds",
                                          shown(_transition.name)));
      if (most - weights.low >= static_cast<Tokens>(most_variants))
        source.fail(group.at, fmt::format("the weight of an arc of transition '{}' can have more than {} values",
                                          shown(_transition.name), most_variants));
      for (Tokens weight = weights.low; weight <= most; ++weight) choices.push_back({&weight_case, weight});
    }
    return choices;
  }

  std::string indexed(const std::string& name) const {
    std::vector<std::string> weights;
    for (std::size_t i = 0; i < _groups.size(); ++i) {
      weights.push_back(std::to_string(_choices[i][_chosen[i]].weight));
      // Two cases may have the same weight.
      if (_groups[i].cases->size() > 1) weights.push_back(std::to_string(case_number(i)));
    }
    const std::string indices = fmt::format("{}]", fmt::join(weights, ","));
    if (name.ends_with(']') && name.find('[') != std::string::npos)
      return name.substr(0, name.size() - 1) + "," + indices;
    return name + "[" + indices;
  }

  std::size_t case_number(std::size_t group) const {
    return static_cast<std::size_t>(_choices[group][_chosen[group]].weight_case - _groups[group].cases->data());
  }

  static void add_arcs(const WeightGroup& group, const Choice& choice, ExtendedTransition& variant) {
    const Tokens weight = choice.weight;
    const Expression& expression = choice.weight_case->weight;
    if (choice.weight_case->condition.kind != Kind::always) variant.guards.push_back(choice.weight_case->condition);
    if (expression.kind == Kind::place) {
      if (weight > 0) variant.tests.push_back({expression.place, weight});
      variant.inhibitors.push_back({expression.place, weight + 1});
    } else if (expression.kind != Kind::constant) {
      variant.guards.push_back(Expression::of(Kind::equal, {expression, Expression::constant_of(weight)}));
    }
    if (weight == 0) return;
    for (const Place place : group.inputs) variant.inputs.push_back({place, weight});
    for (const Place place : group.outputs) variant.outputs.push_back({place, weight});
  }

  const ExtendedTransition& _transition;
  std::vector<WeightGroup> _groups;
  std::vector<std::vector<Choice>> _choices;  // per group
  std::vector<std::size_t> _chosen;
  bool _is_at_end = false;
};

using Pairs = std::vector<std::pair<Transition, Transition>>;

/// Who precedes whom, said of the variants. Pairs are transitive: what precedes a transition that has no variants, and
/// so is never enabled, precedes what that one precedes.
Pairs between_variants(Pairs pairs, std::span<const Range> became) {
  const auto is_gone = [&](Transition t) { return became[index(t)].begin == became[index(t)].end; };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!is_gone(pairs[i].second) || pairs[i].first == pairs[i].second) continue;
    const auto [first, gone] = pairs[i];
    for (std::size_t j = 0; j < pairs.size(); ++j) {
      const std::pair around(first, pairs[j].second);
      if (pairs[j].first == gone && std::ranges::find(pairs, around) == pairs.end()) pairs.push_back(around);
    }
  }
  Pairs result;
  for (const auto& [first, second] : pairs)
    for (std::uint32_t a = became[index(first)].begin; a < became[index(first)].end; ++a)
      for (std::uint32_t b = became[index(second)].begin; b < became[index(second)].end; ++b)
        result.emplace_back(Transition{a}, Transition{b});
  return result;
}

/// An inhibitor arc of a weight that depends on the marking is a guard: the weight is 0, or above the tokens.
void make_inhibitors_guards(ExtendedTransition& t, const Box& box, const SourceText& source) {
  for (const VariableArc& arc : t.variable_inhibitors) {
    std::vector<Expression> cases;
    for (const WeightCase& weight_case : arc.cases) {
      require_no_negative(values_in(box, weight_case), arc.at, t, source);
      std::vector<Expression> either;
      either.push_back(Expression::of(Kind::equal, {weight_case.weight, Expression::constant_of(0)}));
      either.push_back(Expression::of(Kind::less, {Expression::tokens_in(arc.place), weight_case.weight}));
      cases.push_back(all_of({weight_case.condition, any_of(std::move(either))}));
    }
    t.guards.push_back(any_of(std::move(cases)));
  }
  t.variable_inhibitors.clear();
}

}  // namespace

std::vector<std::optional<Tokens>> bounds_of(const ExtendedNet& net, const SourceText& source) {
  if (std::ranges::none_of(net.transitions, has_variable_arcs)) return {};
  return RelaxedNet(source).bounds(net);
}

std::vector<std::uint32_t> resolve_variable_arcs(ExtendedNet& net, std::span<const std::optional<Tokens>> bounds,
                                                 const SourceText& source) {
  std::vector<ExtendedTransition> result;
  std::vector<std::uint32_t> origin;
  std::vector<Range> became;
  for (std::uint32_t i = 0; i < net.transitions.size(); ++i) {
    ExtendedTransition& t = net.transitions[i];
    make_inhibitors_guards(t, Box(bounds), source);
    const std::uint32_t first = end_of(result);
    for (Variants variants(t, bounds, source); !variants.is_at_end(); variants.next()) {
      result.push_back(variants.made());
      if (result.size() > most_transitions)
        source.fail(t.at, fmt::format("the net has more than {} transitions, one for each weight of arcs whose weights "
                                      "depend on the marking",
                                      most_transitions));
    }
    became.push_back({first, end_of(result)});
    origin.resize(result.size(), i);
  }
  net.transitions = std::move(result);
  net.precedes = between_variants(net.precedes, became);
  return origin;
}

}  // namespace dcheck::parse
