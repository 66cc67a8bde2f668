#include "bounds.hpp"

#include <algorithm>
#include <map>

#include "sparse_row.hpp"
#include "state_equation.hpp"

namespace dcheck {

namespace {

/// Entries of the state equation's tableau that may be changed: some tenths of a second.
constexpr std::size_t state_equation_steps = 5'000'000;

using Bound = std::optional<Tokens>;  // none: no bound known

bool is_below(const Bound& a, const Bound& b) {
  return a && (!b || *a < *b);
}

/// A value that outgrows Tokens is no bound at all.
Bound as_bound(Wide value) {
  if (value > largest_entry) return std::nullopt;
  return static_cast<Tokens>(value);
}

/// The most tokens that some places can hold.
using Limits = std::map<Place, Tokens>;

void limit(Limits& limits, Place place, const Bound& bound) {
  if (!bound) return;
  const auto [known, is_new] = limits.try_emplace(place, *bound);
  if (!is_new) known->second = std::min(known->second, *bound);
}

/// ... where `guard` is true; looks at conjunctions of comparisons in which all places stand on the same side.
void limit_by_guard(const Expression& guard, Limits& limits) {
  using Kind = Expression::Kind;
  if (guard.kind == Kind::conjunction) {
    for (const Expression& child : guard.children) limit_by_guard(child, limits);
    return;
  }
  if (guard.kind != Kind::less && guard.kind != Kind::less_equal && guard.kind != Kind::equal) return;
  const auto difference = linear_form(Expression::of(Kind::subtract, guard.children));
  if (!difference) return;
  const auto is_positive = [](const LinearForm::Term& term) { return term.coefficient > 0; };
  if (!std::ranges::all_of(difference->terms, is_positive)) return;
  const Wide room = -Wide{difference->constant} - (guard.kind == Kind::less ? 1 : 0);
  for (const LinearForm::Term& term : difference->terms) {
    limit(limits, term.place, room < 0 ? Bound(0) : as_bound(room / term.coefficient));
  }
}

/// ... where t is enabled, as its inhibitor arcs and its guard say.
Limits limits_before(const Net& net, Transition t) {
  Limits limits;
  for (const Arc& arc : net.inhibitors(t)) limit(limits, arc.place, arc.weight - 1);
  if (const Expression* guard = net.guard(t)) limit_by_guard(*guard, limits);
  return limits;
}

/// Sharpens bounds until nothing changes, or for a fixed number of rounds: every round is sound.
class BoundFinder {
 public:
  BoundFinder(const Net& net, Patience& patience)
      : _net(net), _consumers(net.place_count()), _producers(net.place_count()), _patience(patience) {
    _result.of_place.resize(net.place_count());
    _result.is_dead.resize(net.transition_count(), false);
    for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
      const Limits limits = limits_before(net, Transition{t});
      for (const Arc& arc : net.effect(Transition{t})) {
        const auto most = limits.find(arc.place);
        (arc.weight > 0 ? _producers : _consumers)[index(arc.place)].push_back(
            {Transition{t}, arc.weight, most == limits.end() ? Change::no_limit : most->second});
      }
      _arcs += net.pre(Transition{t}).size() + net.effect(Transition{t}).size();
    }
  }

  Bounds run(std::span<const Invariant> semiflows) {
    for (const Invariant& semiflow : semiflows) {
      for (const LinearForm::Term& term : semiflow.terms) lower(term.place, semiflow.constant / term.coefficient);
    }
    bound_by_siphon();
    sharpen();
    bound_by_state_equation(_net, _result.is_dead, state_equation_steps, _result.of_place, _patience);
    sharpen();
    return std::move(_result);
  }

 private:
  struct Change {
    static constexpr Tokens no_limit = -1;

    Transition transition;
    Tokens weight;
    Tokens most_before;  // tokens in the place, where the transition is enabled; or no_limit
  };

  void sharpen() {
    constexpr int most_rounds = 16;
    _changed = true;
    for (int round = 0; _changed && round < most_rounds; ++round) {
      _changed = false;
      _patience.spend(_net.place_count() + _net.transition_count() + _arcs);
      find_dead();
      bound_by_supply();
      bound_by_limits();
    }
  }

  void lower(Place place, const Bound& bound) {
    Bound& known = _result.of_place[index(place)];
    if (!is_below(bound, known)) return;
    known = bound;
    _changed = true;
  }

  void mark_dead(Transition t) {
    if (_result.is_dead[index(t)]) return;
    _result.is_dead[index(t)] = true;
    _changed = true;
  }

  /// Places that no firing sequence can mark, weights left aside: the largest unmarked siphon.
  void bound_by_siphon() {
    std::vector<std::size_t> unmarked_inputs(_net.transition_count());
    std::vector<std::vector<Transition>> waiting(_net.place_count());
    std::vector<bool> is_marked(_net.place_count(), false);
    std::vector<Transition> ready;
    for (std::uint32_t t = 0; t < _net.transition_count(); ++t) {
      for (const Arc& arc : _net.pre(Transition{t})) waiting[index(arc.place)].push_back(Transition{t});
      unmarked_inputs[t] = _net.pre(Transition{t}).size();
      if (unmarked_inputs[t] == 0) ready.push_back(Transition{t});
    }
    const auto mark = [&](Place p) {
      if (is_marked[index(p)]) return;
      is_marked[index(p)] = true;
      for (const Transition t : waiting[index(p)]) {
        if (--unmarked_inputs[index(t)] == 0) ready.push_back(t);
      }
    };
    for (std::uint32_t p = 0; p < _net.place_count(); ++p) {
      if (_net.initial()[p] > 0) mark(Place{p});
    }
    while (!ready.empty()) {
      const Transition t = ready.back();
      ready.pop_back();
      for (const Arc& arc : _net.post(t)) mark(arc.place);
    }
    for (std::uint32_t p = 0; p < _net.place_count(); ++p) {
      if (!is_marked[p]) lower(Place{p}, 0);
    }
  }

  void find_dead() {
    for (std::uint32_t t = 0; t < _net.transition_count(); ++t) {
      const bool starves = std::ranges::any_of(_net.pre(Transition{t}), [&](const Arc& arc) {
        const Bound& bound = _result.of_place[index(arc.place)];
        return bound && *bound < arc.weight;
      });
      if (starves) mark_dead(Transition{t});
    }
  }

  /// A place whose producers fire only so often holds only so much, and its consumers fire only so
  /// often in turn. Follows the net from places without live producers; stops at cycles.
  void bound_by_supply() {
    std::vector<std::size_t> open_producers(_net.place_count(), 0);
    std::vector<Bound> firings(_net.transition_count());
    std::vector<Place> ready;
    for (std::uint32_t p = 0; p < _net.place_count(); ++p) {
      for (const Change& producer : _producers[p]) {
        if (!_result.is_dead[index(producer.transition)]) ++open_producers[p];
      }
      if (open_producers[p] == 0) ready.push_back(Place{p});
    }
    while (!ready.empty()) {
      const Place place = ready.back();
      ready.pop_back();
      const Bound supply = supply_of(place, firings);
      if (!supply) continue;
      lower(place, supply);
      for (const Change& consumer : _consumers[index(place)]) {
        const Transition t = consumer.transition;
        if (_result.is_dead[index(t)]) continue;
        const Bound limit = *supply / -consumer.weight;
        const bool is_first = !firings[index(t)].has_value();
        if (is_below(limit, firings[index(t)])) firings[index(t)] = limit;
        if (!is_first) continue;
        for (const Arc& arc : _net.effect(t)) {
          if (arc.weight > 0 && --open_producers[index(arc.place)] == 0) ready.push_back(arc.place);
        }
      }
    }
    for (std::uint32_t t = 0; t < firings.size(); ++t) {
      if (firings[t] && *firings[t] == 0) mark_dead(Transition{t});
    }
  }

  Bound supply_of(Place place, const std::vector<Bound>& firings) const {
    Wide supply = _net.initial()[index(place)];
    for (const Change& producer : _producers[index(place)]) {
      if (_result.is_dead[index(producer.transition)]) continue;
      supply += Wide{*firings[index(producer.transition)]} * producer.weight;
      if (supply > largest_entry) return std::nullopt;
    }
    return as_bound(supply);
  }

  /// A place to which every live producer adds only below some level.
  void bound_by_limits() {
    for (std::uint32_t p = 0; p < _net.place_count(); ++p) {
      Wide top = _net.initial()[p];
      bool is_limited = true;
      for (const Change& producer : _producers[p]) {
        if (_result.is_dead[index(producer.transition)]) continue;
        is_limited = producer.most_before != Change::no_limit;
        if (!is_limited) break;
        top = std::max(top, Wide{producer.most_before} + producer.weight);
      }
      if (is_limited) lower(Place{p}, as_bound(top));
    }
  }

  const Net& _net;
  std::vector<std::vector<Change>> _consumers, _producers;  // by place, by the sign of the effect
  std::size_t _arcs = 0;
  Bounds _result;
  bool _changed = false;
  Patience& _patience;
};

}  // namespace

Bounds find_bounds(const Net& net, std::span<const Invariant> semiflows, Patience& patience) {
  return BoundFinder(net, patience).run(semiflows);
}

}  // namespace dcheck
