#include "support/coloured_interpreter.hpp"

#include <set>
#include <stdexcept>

namespace dcheck::test {
namespace {

using Binding = std::vector<Colour>;
using Bag = std::map<std::vector<Colour>, Tokens>;

/// All colours that a component stands for.
std::set<Colour> colours(const ColouredNet& net, const ColourTerm& term, const Binding& binding) {
  const Colour size = net.classes[term.colour_class].size;
  switch (term.kind) {
    case ColourTerm::Kind::constant:
      return {term.value};
    case ColourTerm::Kind::variable:
      return {(binding[term.variable] + term.value) % size};
    case ColourTerm::Kind::set:
      return {term.set.begin(), term.set.end()};
    case ColourTerm::Kind::all:
      break;
  }
  std::set<Colour> whole;
  for (Colour colour = 0; colour < size; ++colour) whole.insert(colour);
  return whole;
}

Bag bag_of(const ColouredNet& net, const std::vector<ColourTuple>& sum, const Binding& binding) {
  Bag bag;
  for (const ColourTuple& tuple : sum) {
    std::vector<std::vector<Colour>> made{{}};
    for (const ColourTerm& term : tuple.components) {
      std::vector<std::vector<Colour>> longer;
      for (const std::vector<Colour>& prefix : made)
        for (const Colour colour : colours(net, term, binding)) {
          longer.push_back(prefix);
          longer.back().push_back(colour);
        }
      made = std::move(longer);
    }
    for (const std::vector<Colour>& colour : made) bag[colour] += tuple.count;
  }
  for (const auto& [colour, count] : bag)
    if (count < 0) throw std::domain_error("an inscription takes away more than it adds");
  return bag;
}

bool allows(const ColouredNet& net, const ColourGuard& guard, const Binding& binding) {
  const auto only = [&](const ColourTerm& term) { return *colours(net, term, binding).begin(); };
  switch (guard.kind) {
    case ColourGuard::Kind::conjunction: {
      bool all = true;
      for (const ColourGuard& child : guard.children) all = all && allows(net, child, binding);
      return all;
    }
    case ColourGuard::Kind::disjunction: {
      bool some = false;
      for (const ColourGuard& child : guard.children) some = some || allows(net, child, binding);
      return some;
    }
    case ColourGuard::Kind::negation:
      return !allows(net, guard.children[0], binding);
    case ColourGuard::Kind::less:
      return only(guard.left) < only(guard.right);
    case ColourGuard::Kind::less_equal:
      return only(guard.left) <= only(guard.right);
    case ColourGuard::Kind::equal:
      return only(guard.left) == only(guard.right);
    case ColourGuard::Kind::not_equal:
      return only(guard.left) != only(guard.right);
    case ColourGuard::Kind::member:
      return colours(net, guard.right, binding).contains(only(guard.left));
  }
  return false;
}

class Interpreter {
 public:
  Interpreter(const ColouredNet& net, std::size_t most_states, Tokens most_tokens)
      : _net(net), _most_states(most_states), _most_tokens(most_tokens) {}

  ColouredGraph run() {
    ColouredMarking initial;
    for (std::uint32_t p = 0; p < _net.places.size(); ++p)
      for (const auto& [colour, count] : bag_of(_net, _net.places[p].initial, {}))
        if (count > 0) initial[{p, colour}] = count;
    number(initial);
    for (std::size_t s = 0; s < _graph.markings.size() && _graph.is_complete; ++s) {
      for (std::uint32_t t = 0; t < _net.transitions.size(); ++t) {
        Binding binding;
        try_all(s, t, binding);
      }
      _graph.arcs += _graph.successors[s].size();
      if (_graph.successors[s].empty()) ++_graph.deadlocks;
    }
    return std::move(_graph);
  }

 private:
  std::size_t number(const ColouredMarking& marking) {
    const auto [at, is_new] = _number.try_emplace(marking, _graph.markings.size());
    if (is_new) {
      _graph.markings.push_back(marking);
      _graph.successors.emplace_back();
      if (_graph.markings.size() > _most_states) _graph.is_complete = false;
    }
    return at->second;
  }

  void try_all(std::size_t state, std::uint32_t t, Binding& binding) {
    const ColouredTransition& transition = _net.transitions[t];
    if (binding.size() == transition.variables.size()) return try_one(state, t, binding);
    const Colour size = _net.classes[transition.variables[binding.size()].colour_class].size;
    for (Colour colour = 0; colour < size; ++colour) {
      binding.push_back(colour);
      try_all(state, t, binding);
      binding.pop_back();
    }
  }

  void try_one(std::size_t state, std::uint32_t t, const Binding& binding) {
    const ColouredTransition& transition = _net.transitions[t];
    if (!_graph.is_complete || !allows(_net, transition.guard, binding)) return;
    ColouredMarking marking = _graph.markings[state];
    for (const ColouredArc& arc : transition.inputs)
      for (const auto& [colour, count] : bag_of(_net, arc.inscription, binding)) {
        if (count == 0) continue;
        const auto found = marking.find({arc.place, colour});
        if (found == marking.end() || found->second < count) return;
        found->second -= count;
        if (found->second == 0) marking.erase(found);
      }
    for (const ColouredArc& arc : transition.outputs)
      for (const auto& [colour, count] : bag_of(_net, arc.inscription, binding)) {
        if (count == 0) continue;
        Tokens& tokens = marking[{arc.place, colour}];
        tokens += count;
        if (tokens > _most_tokens) _graph.is_complete = false;
      }
    const std::size_t target = number(marking);
    _graph.successors[state].push_back({t, binding, target});
  }

  const ColouredNet& _net;
  std::size_t _most_states;
  Tokens _most_tokens;
  std::map<ColouredMarking, std::size_t> _number;
  ColouredGraph _graph;
};

}  // namespace

ColouredGraph interpret(const ColouredNet& net, std::size_t most_states, Tokens most_tokens) {
  return Interpreter(net, most_states, most_tokens).run();
}

std::string name_of(const ColouredNet& net, const ColouredToken& token) {
  const ColouredPlace& place = net.places[token.first];
  std::string colours;
  bool is_plain = true;
  for (std::size_t i = 0; i < place.classes.size(); ++i) {
    const ColourClass& of = net.classes[place.classes[i]];
    const Colour colour = token.second[i];
    is_plain = is_plain && of.names == std::vector<std::string>{"dot"};
    colours += (i == 0 ? "" : ",") +
               (of.names.empty() ? std::to_string(of.first + static_cast<Tokens>(colour)) : of.names[colour]);
  }
  return is_plain ? place.name : place.name + "[" + colours + "]";
}

}  // namespace dcheck::test
