#include "parse/extended/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "dcheck/base/sha256.hpp"
#include "dcheck/net/net_builder.hpp"
#include "dcheck/parse/extended/place_limits.hpp"
#include "parse/extended/conditions.hpp"
#include "parse/extended/precedence.hpp"
#include "parse/extended/vanishing.hpp"
#include "parse/extended/variable_arcs.hpp"

namespace dcheck::parse {
namespace {

void merge_parallel(std::vector<Arc>& arcs, const ExtendedTransition& t, const SourceText& source) {
  std::map<Place, Tokens> sums;
  for (const Arc& arc : arcs)
    if (__builtin_add_overflow(sums[arc.place], arc.weight, &sums[arc.place]))
      source.fail(t.at, fmt::format("parallel arcs of transition '{}' add up to more than 2^63 - 1", shown(t.name)));
  arcs.clear();
  for (const auto& [place, weight] : sums) arcs.push_back({place, weight});
}

/// Weights that are the same in every marking are no variable ones.
void make_constant(std::vector<VariableArc>& variable, std::vector<Arc>& constant, const ExtendedTransition& t,
                   const SourceText& source) {
  std::erase_if(variable, [&](const VariableArc& arc) {
    if (arc.cases.size() != 1) return false;
    const auto form = linear_form(arc.cases.front().weight);
    if (!form || !form->terms.empty()) return false;
    if (form->constant < 0)
      source.fail(arc.at, fmt::format("the weight of an arc of transition '{}' is {}: expected 0 or more",
                                      shown(t.name), form->constant));
    if (form->constant > 0) constant.push_back({arc.place, form->constant});
    return true;
  });
}

void simplify_arcs(ExtendedNet& net, const SourceText& source) {
  for (ExtendedTransition& t : net.transitions) {
    make_constant(t.variable_inputs, t.inputs, t, source);
    make_constant(t.variable_outputs, t.outputs, t, source);
    make_constant(t.variable_inhibitors, t.inhibitors, t, source);
    merge_parallel(t.inputs, t, source);
    merge_parallel(t.outputs, t, source);
  }
}

/// After firing a place has at most its capacity: an inhibitor arc on each transition that adds to it.
void make_capacities_inhibitors(ExtendedNet& net) {
  const auto is_limited = [](const ExtendedPlace& place) { return place.capacity.has_value(); };
  if (std::ranges::none_of(net.places, is_limited)) return;
  for (ExtendedTransition& t : net.transitions) {
    for (const auto& [place, change] : effect_of(t)) {
      const std::optional<Tokens> capacity = net[place].capacity;
      if (!capacity || change <= 0) continue;
      if (change > *capacity)
        t.guards.push_back(Expression::of(Expression::Kind::never));
      else
        t.inhibitors.push_back({place, *capacity - change + 1});
    }
  }
}

/// Guards that are limits of single places become arcs: faster, and more is proven of the net.
void make_guards_arcs(ExtendedTransition& t) {
  std::vector<Expression> rest;
  const Expression whole = all_of(std::move(t.guards));
  const bool is_list = whole.kind == Expression::Kind::conjunction;
  for (const Expression& part : is_list ? std::span(whole.children) : std::span(&whole, 1)) {
    PlaceLimits limits;
    if (!add_place_limits(part, limits)) {
      rest.push_back(part);
      continue;
    }
    for (const auto& [place, tokens] : limits.at_least) t.tests.push_back({place, tokens});
    for (const auto& [place, tokens] : limits.below) t.inhibitors.push_back({place, tokens});
  }
  t.guards = std::move(rest);
}

/// A test asks for tokens that may be among those taken anyway: only what is missing is borrowed and given back.
void add_tests(const ExtendedTransition& t, Transition id, NetBuilder& builder) {
  std::map<Place, Tokens> borrowed;
  for (const Arc& arc : t.tests) borrowed[arc.place] = std::max(borrowed[arc.place], arc.weight);
  for (const Arc& arc : t.inputs) {
    const auto found = borrowed.find(arc.place);
    if (found != borrowed.end()) found->second -= arc.weight;
  }
  for (const auto& [place, tokens] : borrowed) {
    if (tokens <= 0) continue;
    builder.add_input(id, place, tokens);
    builder.add_output(id, place, tokens);
  }
}

void add_transition(ExtendedTransition& t, NetBuilder& builder) {
  make_guards_arcs(t);
  const Transition id = builder.add_transition(t.name);
  for (const Arc& arc : t.inputs) builder.add_input(id, arc.place, arc.weight);
  for (const Arc& arc : t.outputs) builder.add_output(id, arc.place, arc.weight);
  for (const Arc& arc : t.inhibitors) builder.add_inhibitor(id, arc.place, arc.weight);
  add_tests(t, id, builder);
  for (Expression& guard : t.guards) builder.add_guard(id, std::move(guard));
  if (t.rate) builder.set_rate(id, *t.rate);
}

}  // namespace

Translation translated(ExtendedNet net, const SourceText& source) {
  simplify_arcs(net, source);
  if (net.goes_on)
    for (ExtendedTransition& t : net.transitions) t.guards.push_back(*net.goes_on);
  Translation result;
  result.became.resize(net.transitions.size());
  std::vector<std::uint32_t> origin(net.transitions.size());
  std::iota(origin.begin(), origin.end(), 0U);
  const std::vector<std::optional<Tokens>> bounds = bounds_of(net, source);
  const bool has_variable = !bounds.empty();
  if (has_variable) {
    origin = resolve_variable_arcs(net, bounds, source);
    simplify_arcs(net, source);
  }
  make_capacities_inhibitors(net);
  make_precedence_guards(net, source);
  const bool has_immediate = std::ranges::any_of(net.transitions, &ExtendedTransition::is_immediate);
  if (net.is_without_vanishing && has_immediate) leave_out_vanishing(net, origin, bounds, source);

  NetBuilder builder(net.name);
  for (const ExtendedPlace& place : net.places) builder.add_place(place.name, place.initial);
  builder.set_units(std::move(net.units), net.units_claim_safe);
  for (std::uint32_t i = 0; i < net.transitions.size(); ++i) {
    add_transition(net.transitions[i], builder);
    result.became[origin[i]].push_back(Transition{i});
  }
  result.net = builder.build();
  return result;
}

Model model_of(ExtendedNet net, const SourceText& source) {
  if (net.places.empty()) throw InputError(source.file(), {}, "the net has no place: expected at least one");
  Model model;
  model.net = translated(std::move(net), source).net;
  model.sha256 = sha256_hex(source.text());
  return model;
}

}  // namespace dcheck::parse
