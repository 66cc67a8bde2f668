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
  _net._place_names.push_back(std::move(name));
  if (!_net._place_index.add_last(_net._place_names)) {
    const std::string twice = std::move(_net._place_names.back());
    _net._place_names.pop_back();
    throw InputError(fmt::format("place '{}' is declared twice, expected a new name", twice));
  }
  _net._initial.push_back(initial);
  return Place{number};
}

Transition NetBuilder::add_transition(std::string name) {
  const auto number = narrow<std::uint32_t>(_net.transition_count());
  _net._transition_names.push_back(std::move(name));
  if (!_net._transition_index.add_last(_net._transition_names)) {
    const std::string twice = std::move(_net._transition_names.back());
    _net._transition_names.pop_back();
    throw InputError(fmt::format("transition '{}' is declared twice, expected a new name", twice));
  }
  _net._guards.emplace_back();
  _net._rates.emplace_back();
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
  _inputs.push_back({t, {p, weight}});
}

void NetBuilder::add_output(Transition t, Place p, Tokens weight) {
  require_transition(t);
  require_place(p);
  require_weight(weight);
  _outputs.push_back({t, {p, weight}});
}

void NetBuilder::add_inhibitor(Transition t, Place p, Tokens weight) {
  require_transition(t);
  require_place(p);
  require_weight(weight);
  _inhibitors.push_back({t, {p, weight}});
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

template <typename Fold>
void NetBuilder::finish(std::vector<DraftArc>& drafts, Net::Runs& runs, Fold&& fold) const {
  const auto in_order = [](const DraftArc& a, const DraftArc& b) {
    return a.transition != b.transition ? a.transition < b.transition : a.arc.place < b.arc.place;
  };
  if (!std::ranges::is_sorted(drafts, in_order)) std::ranges::stable_sort(drafts, in_order);
  runs.begin.reserve(_net.transition_count() + 1);
  runs.arcs.reserve(drafts.size());
  std::size_t i = 0;
  for (std::size_t t = 0; t < _net.transition_count(); ++t) {
    const std::size_t begin = runs.arcs.size();
    for (; i < drafts.size() && index(drafts[i].transition) == t; ++i) {
      const Arc& arc = drafts[i].arc;
      if (runs.arcs.size() > begin && runs.arcs.back().place == arc.place)
        runs.arcs.back().weight = fold(runs.arcs.back().weight, arc.weight);
      else
        runs.arcs.push_back(arc);
    }
    runs.begin.push_back(runs.arcs.size());
  }
  drafts = {};
}

Net NetBuilder::build() {
  finish(_inputs, _net._pre, sum_of_parallel);
  finish(_outputs, _net._post, sum_of_parallel);
  finish(_inhibitors, _net._inhibitors, [](Tokens a, Tokens b) { return std::min(a, b); });
  for (std::size_t t = 0; t < _net.transition_count(); ++t) {
    const auto id = static_cast<Transition>(t);
    append_effect(_net._pre.run(id), _net._post.run(id), _net._effect.arcs);
    _net._effect.begin.push_back(_net._effect.arcs.size());
  }
  if (!_net._bindings.empty()) _net._bindings.resize(_net.transition_count(), 1);
  Net finished = std::move(_net);
  *this = NetBuilder("");
  return finished;
}

}  // namespace dcheck
