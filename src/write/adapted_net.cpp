#include "write/adapted_net.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "dcheck/base/error.hpp"
#include "dcheck/ctl/text.hpp"
#include "dcheck/net/net_builder.hpp"
#include "dcheck/parse/extended/place_limits.hpp"

namespace dcheck::write {
namespace {

/// Hands out names: those that may stay are claimed first, so that no changed one takes theirs.
class Names {
 public:
  Names(const Net& net, NameRule rule) : _rule(rule) {
    for (const Place p : FirstIds<Place>(net.place_count())) claim(net.name(p));
    for (const Transition t : FirstIds<Transition>(net.transition_count())) claim(net.name(t));
  }

  std::string given_to(const std::string& name) {
    std::string wanted = _rule(name);
    const bool stays = wanted == name;
    if (stays && _given.insert(name).second) return name;
    ++_changed;
    std::string free = wanted;
    for (std::size_t number = 2; _claimed.contains(free) || _given.contains(free); ++number)
      free = fmt::format("{}_{}", wanted, number);
    _given.insert(free);
    return free;
  }

  std::size_t changed() const { return _changed; }

 private:
  void claim(const std::string& name) {
    if (_rule(name) == name) _claimed.insert(name);
  }

  NameRule _rule;
  std::unordered_set<std::string> _claimed, _given;
  std::size_t _changed = 0;
};

/// A guard that asks for tokens borrows what the transition does not take anyway.
void add_guard_as_arcs(const Net& net, Transition t, const Expression& guard, NetBuilder& builder) {
  PlaceLimits limits;
  if (!add_place_limits(guard, limits)) {
    throw InputError(fmt::format("the guard of transition '{}' cannot be written in this format: {}", net.name(t),
                                 text_of(guard, net)));
  }
  for (const auto& [place, tokens] : limits.at_least) {
    const auto taken = std::ranges::find(net.pre(t), place, &Arc::place);
    const Tokens borrowed = tokens - (taken == net.pre(t).end() ? 0 : taken->weight);
    if (borrowed <= 0) continue;
    builder.add_input(t, place, borrowed);
    builder.add_output(t, place, borrowed);
  }
  for (const auto& [place, tokens] : limits.below) builder.add_inhibitor(t, place, tokens);
}

void add_transition(const Net& net, Transition t, std::string name, const Needs& needs, NetBuilder& builder) {
  builder.add_transition(std::move(name));
  for (const Arc& arc : net.pre(t)) builder.add_input(t, arc.place, arc.weight);
  for (const Arc& arc : net.post(t)) builder.add_output(t, arc.place, arc.weight);
  for (const Arc& arc : net.inhibitors(t)) builder.add_inhibitor(t, arc.place, arc.weight);
  if (const auto rate = net.rate(t)) builder.set_rate(t, *rate);
  const Expression* guard = net.guard(t);
  if (guard == nullptr) return;
  if (needs.guards_as_arcs)
    add_guard_as_arcs(net, t, *guard, builder);
  else
    builder.add_guard(t, *guard);
}

}  // namespace

AdaptedNet adapted(const Net& net, const Needs& needs) {
  Names names(net, needs.names);
  std::vector<std::string> places, transitions;
  for (const Place p : FirstIds<Place>(net.place_count())) places.push_back(names.given_to(net.name(p)));
  for (const Transition t : FirstIds<Transition>(net.transition_count()))
    transitions.push_back(names.given_to(net.name(t)));
  const std::size_t changed = names.changed();
  NetBuilder builder(names.given_to(net.name()));
  for (const Place p : FirstIds<Place>(net.place_count()))
    builder.add_place(std::move(places[index(p)]), net.initial()[index(p)]);
  for (const Transition t : FirstIds<Transition>(net.transition_count()))
    add_transition(net, t, std::move(transitions[index(t)]), needs, builder);
  builder.set_units({net.units().begin(), net.units().end()}, net.units_claim_safe());
  return {builder.build(), changed};
}

}  // namespace dcheck::write
