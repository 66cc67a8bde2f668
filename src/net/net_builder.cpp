#include "dcheck/net/net_builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "dcheck/base/error.hpp"
#include "dcheck/base/narrow.hpp"

namespace dcheck {

namespace {

void require_weight(Tokens weight) {
  if (weight <= 0) throw InputError(fmt::format("weight {} of an arc, expected a positive number", weight));
}

void require_initial(const std::string& place, Tokens tokens) {
  if (tokens < 0) throw InputError(fmt::format("{} tokens in place '{}', expected 0 or more", tokens, place));
}

/// Sorts by place and folds the arcs of one place into one by `fold(kept weight, next weight)`.
template <typename Fold>
void merge_parallel(std::vector<Arc>& arcs, Fold&& fold) {
  std::ranges::sort(arcs, {}, &Arc::place);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (kept > 0 && arcs[kept - 1].place == arcs[i].place) {
      arcs[kept - 1].weight = fold(arcs[kept - 1].weight, arcs[i].weight);
    } else {
      arcs[kept++] = arcs[i];
    }
  }
  arcs.resize(kept);
}

Tokens sum_of_parallel(Tokens a, Tokens b) {
  Tokens sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) {
    throw InputError(fmt::format("parallel arcs of weights {} and {} add up to more than 2^63 - 1", a, b));
  }
  return sum;
}

/// Appends post - pre, both sorted by place.
void append_effect(std::span<const Arc> pre, std::span<const Arc> post, std::vector<Arc>& effect) {
  auto in = pre.begin();
  auto out = post.begin();
  while (in != pre.end() || out != post.end()) {
    if (out == post.end() || (in != pre.end() && in->place < out->place)) {
      effect.push_back({in->place, -in->weight});
      ++in;
    } else if (in == pre.end() || out->place < in->place) {
      effect.push_back(*out++);
    } else {
      if (out->weight != in->weight) effect.push_back({in->place, out->weight - in->weight});
      ++in;
      ++out;
    }
  }
}

}  // namespace

NetBuilder::NetBuilder(std::string name) {
  _net._name = std::move(name);
}

void NetBuilder::require_place(Place p) const {
  if (index(p) >= _net.place_count()) throw std::out_of_range("no such place in this builder");
}

void NetBuilder::require_transition(Transition t) const {
  if (index(t) >= _net.transition_count()) throw std::out_of_range("no such transition in this builder");
}

Place NetBuilder::add_place(std::string name, Tokens initial) {
  require_initial(name, initial);
  const auto number = narrow<std::uint32_t>(_net.place_count());
  if (!_net._place_index.emplace(name, number).second) {
    throw InputError(fmt::format("place '{}' is declared twice, expected a new name", name));
  }
  _net._place_names.push_back(std::move(name));
  _net._initial.push_back(initial);
  return Place{number};
}

Transition NetBuilder::add_transition(std::string name) {
  const auto number = narrow<std::uint32_t>(_net.transition_count());
  if (!_net._transition_index.emplace(name, number).second) {
    throw InputError(fmt::format("transition '{}' is declared twice, expected a new name", name));
  }
  _net._transition_names.push_back(std::move(name));
  _net._guards.emplace_back();
  _net._rates.emplace_back();
  _inputs.emplace_back();
  _outputs.emplace_back();
  _inhibitors.emplace_back();
  return Transition{number};
}

void NetBuilder::set_initial(Place p, Tokens tokens) {
  require_place(p);
  require_initial(_net.name(p), tokens);
  _net._initial[index(p)] = tokens;
}

void NetBuilder::add_input(Transition t, Place p, Tokens weight) {
  require_transition(t);
  require_place(p);
  require_weight(weight);
  _inputs[index(t)].push_back({p, weight});
}

void NetBuilder::add_output(Transition t, Place p, Tokens weight) {
  require_transition(t);
  require_place(p);
  require_weight(weight);
  _outputs[index(t)].push_back({p, weight});
}

void NetBuilder::add_inhibitor(Transition t, Place p, Tokens weight) {
  require_transition(t);
  require_place(p);
  require_weight(weight);
  _inhibitors[index(t)].push_back({p, weight});
}

void NetBuilder::add_guard(Transition t, Expression guard) {
  require_transition(t);
  std::optional<Expression>& slot = _net._guards[index(t)];
  if (!slot) {
    slot = std::move(guard);
  } else if (slot->kind == Expression::Kind::conjunction) {
    slot->children.push_back(std::move(guard));
  } else {
    std::vector<Expression> both;
    both.push_back(std::move(*slot));
    both.push_back(std::move(guard));
    slot = Expression::of(Expression::Kind::conjunction, std::move(both));
  }
  _net._has_guards = true;
}

void NetBuilder::set_rate(Transition t, double rate) {
  require_transition(t);
  _net._rates[index(t)] = rate;
}

void NetBuilder::set_bindings(Transition t, std::uint32_t count) {
  require_transition(t);
  if (count == 1 && _net._bindings.empty()) return;
  _net._bindings.resize(_net.transition_count(), 1);
  _net._bindings[index(t)] = count;
}

void NetBuilder::set_families(Families<Place> places, Families<Transition> transitions) {
  _net._place_families = std::move(places);
  _net._transition_families = std::move(transitions);
}

void NetBuilder::set_units(std::vector<Unit> units, bool claim_safe) {
  for (const Unit& unit : units) {
    for (const Place p : unit.places) require_place(p);
    for (const std::uint32_t subunit : unit.subunits) {
      if (subunit >= units.size()) throw std::out_of_range("no such unit");
    }
  }
  _net._units = std::move(units);
  _net._units_claim_safe = claim_safe;
}

Net NetBuilder::build() {
  const auto append = [](Net::Runs& runs, const std::vector<Arc>& arcs) {
    runs.arcs.insert(runs.arcs.end(), arcs.begin(), arcs.end());
    runs.begin.push_back(runs.arcs.size());
  };
  for (std::size_t t = 0; t < _inputs.size(); ++t) {
    merge_parallel(_inputs[t], sum_of_parallel);
    merge_parallel(_outputs[t], sum_of_parallel);
    merge_parallel(_inhibitors[t], [](Tokens a, Tokens b) { return std::min(a, b); });
    append(_net._pre, _inputs[t]);
    append(_net._post, _outputs[t]);
    append(_net._inhibitors, _inhibitors[t]);
    append_effect(_inputs[t], _outputs[t], _net._effect.arcs);
    _net._effect.begin.push_back(_net._effect.arcs.size());
  }
  if (!_net._bindings.empty()) _net._bindings.resize(_net.transition_count(), 1);
  Net finished = std::move(_net);
  *this = NetBuilder("");
  return finished;
}

}  // namespace dcheck
