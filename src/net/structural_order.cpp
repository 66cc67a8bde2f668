#include "dcheck/net/structural_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "dcheck/base/bits.hpp"
#include "dcheck/net/net_builder.hpp"

namespace dcheck {

namespace {

/// Nodes are places, then transitions, then units. Each has a colour; equal colours: not told apart.
class Colouring {
 public:
  explicit Colouring(const Net& net) : _places(net.place_count()) {
    for (const Tokens tokens : net.initial()) _colours.push_back(mixed_bits(static_cast<std::uint64_t>(tokens)));
    for (std::size_t i = 0; i < net.transition_count(); ++i) {
      const auto t = static_cast<Transition>(i);
      _colours.push_back(1);
      const auto connect = [&](std::span<const Arc> arcs, std::uint64_t kind) {
        for (const Arc& arc : arcs)
          join(index(arc.place), _places + i, static_cast<std::uint64_t>(arc.weight) * 4 + kind);
      };
      connect(net.pre(t), 0);
      connect(net.post(t), 1);
      connect(net.inhibitors(t), 2);
      if (const Expression* guard = net.guard(t)) add_guard(*guard, _places + i, 1);
    }
    for (const Unit& unit : net.units()) {
      for (const Place p : unit.places) join(index(p), _colours.size(), 3);
      _colours.push_back(2);
    }
  }

  /// Tells nodes apart until each has a colour of its own, or `steps` visits of arcs are spent.
  void separate(std::size_t steps) {
    std::size_t spent = refine(steps);
    while (spent < steps) {
      const std::vector<std::size_t> twins = first_twins();
      if (twins.empty()) return;
      spent += single_out(twins, steps - spent);
    }
  }

  /// Nodes in the order of a search through the net, by colours where there is a choice.
  std::vector<std::size_t> order() {
    std::vector<std::vector<std::size_t>> neighbours(_colours.size());
    for (const Edge& edge : _edges) {
      neighbours[edge.place].push_back(edge.node);
      neighbours[edge.node].push_back(edge.place);
    }
    const auto by_colour = [&](std::size_t a, std::size_t b) { return _colours[a] < _colours[b]; };
    for (auto& list : neighbours) std::stable_sort(list.begin(), list.end(), by_colour);
    std::vector<std::size_t> starts(_colours.size());
    std::iota(starts.begin(), starts.end(), std::size_t{0});
    std::stable_sort(starts.begin(), starts.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(neighbours[a].size(), _colours[a]) < std::pair(neighbours[b].size(), _colours[b]);
    });
    std::vector<std::size_t> found;
    std::vector<bool> is_found(_colours.size(), false);
    for (const std::size_t start : starts) {
      if (is_found[start]) continue;
      is_found[start] = true;
      found.push_back(start);
      for (std::size_t at = found.size() - 1; at < found.size(); ++at)
        for (const std::size_t next : neighbours[found[at]]) {
          if (is_found[next]) continue;
          is_found[next] = true;
          found.push_back(next);
        }
    }
    return found;
  }

 private:
  struct Edge {
    std::size_t place, node;
    std::uint64_t label;
  };

  void join(std::size_t place, std::size_t node, std::uint64_t label) { _edges.push_back({place, node, label}); }

  /// The guard's shape, and where in it a place stands.
  void add_guard(const Expression& guard, std::size_t transition, std::uint64_t path) {
    const std::uint64_t here =
        mixed_bits(path + static_cast<std::uint64_t>(guard.kind) + static_cast<std::uint64_t>(guard.value) * 64);
    _colours[transition] += here;
    if (guard.kind == Expression::Kind::place) join(index(guard.place), transition, here * 4 + 3);
    for (std::size_t i = 0; i < guard.children.size(); ++i) add_guard(guard.children[i], transition, here + i + 1);
  }

  std::size_t count() {
    _sorted = _colours;
    std::sort(_sorted.begin(), _sorted.end());
    return static_cast<std::size_t>(std::unique(_sorted.begin(), _sorted.end()) - _sorted.begin());
  }

  /// Adds the neighbours' colours to each node's until that tells no more of them apart, or the steps are spent.
  std::size_t refine(std::size_t steps) {
    std::size_t spent = 0;
    for (std::size_t before = 0, now = count(); before < now && spent < steps; before = std::exchange(now, count())) {
      std::vector<std::uint64_t> next = _colours;
      for (const Edge& edge : _edges) {
        next[edge.place] += mixed_bits(_colours[edge.node] + mixed_bits(edge.label));
        next[edge.node] += mixed_bits(_colours[edge.place] ^ mixed_bits(edge.label));
      }
      for (std::size_t i = 0; i < next.size(); ++i) _colours[i] = mixed_bits(next[i]);
      spent += 2 * _edges.size() + next.size();
    }
    return spent;
  }

  /// All nodes of one colour, where a colour has several.
  std::vector<std::size_t> first_twins() {
    _sorted = _colours;
    std::sort(_sorted.begin(), _sorted.end());
    const auto colour = std::adjacent_find(_sorted.begin(), _sorted.end());
    std::vector<std::size_t> twins;
    for (std::size_t i = 0; i < _colours.size() && colour != _sorted.end(); ++i)
      if (_colours[i] == *colour) twins.push_back(i);
    return twins;
  }

  /// Gives one of the twins a colour of its own. A symmetry may exchange them, or they only look alike: as far as the
  /// steps allow each is tried, and the one that leads to the smallest colours wins.
  std::size_t single_out(const std::vector<std::size_t>& twins, std::size_t steps) {
    const std::vector<std::uint64_t> before = _colours;
    std::vector<std::uint64_t> best;
    std::uint64_t best_sum = 0;
    std::size_t spent = 0;
    for (const std::size_t twin : twins) {
      if (spent >= steps / 2 && !best.empty()) break;
      _colours = before;
      _colours[twin] = mixed_bits(_colours[twin] + 1);
      spent += refine(steps - spent);
      std::uint64_t sum = 0;
      for (const std::uint64_t colour : _colours) sum += mixed_bits(colour);
      if (best.empty() || sum < best_sum) {
        best = _colours;
        best_sum = sum;
      }
    }
    _colours = std::move(best);
    return spent;
  }

  std::size_t _places;
  std::vector<std::uint64_t> _colours;
  std::vector<std::uint64_t> _sorted;  // kept to save allocations
  std::vector<Edge> _edges;
};

}  // namespace

Renumbering structural_order(const Net& net, std::size_t steps) {
  Colouring colouring(net);
  colouring.separate(steps);
  Renumbering numbers;
  numbers.place.resize(net.place_count());
  numbers.transition.resize(net.transition_count());
  std::uint32_t places = 0;
  std::uint32_t transitions = 0;
  for (const std::size_t node : colouring.order()) {
    if (node < net.place_count())
      numbers.place[node] = static_cast<Place>(places++);
    else if (node < net.place_count() + net.transition_count())
      numbers.transition[node - net.place_count()] = static_cast<Transition>(transitions++);
  }
  return numbers;
}

void renumber(Expression& expression, const Renumbering& numbers) {
  if (expression.kind == Expression::Kind::place) expression.place = numbers.place[index(expression.place)];
  if (expression.kind == Expression::Kind::fireable)
    expression.transition = numbers.transition[index(expression.transition)];
  for (Expression& child : expression.children) renumber(child, numbers);
}

Net renumbered(const Net& net, const Renumbering& numbers) {
  std::vector<Place> places(net.place_count());
  for (std::size_t i = 0; i < places.size(); ++i) places[index(numbers.place[i])] = static_cast<Place>(i);
  std::vector<Transition> transitions(net.transition_count());
  for (std::size_t i = 0; i < transitions.size(); ++i)
    transitions[index(numbers.transition[i])] = static_cast<Transition>(i);

  NetBuilder builder(net.name());
  std::vector<std::uint32_t> positions;
  for (const Place p : places) {
    builder.add_place(net.name(p), net.initial()[index(p)]);
    positions.push_back(net.position(p));
  }
  builder.set_positions(std::move(positions));
  for (const Transition old : transitions) {
    const Transition t = builder.add_transition(net.name(old));
    for (const Arc& arc : net.pre(old)) builder.add_input(t, numbers.place[index(arc.place)], arc.weight);
    for (const Arc& arc : net.post(old)) builder.add_output(t, numbers.place[index(arc.place)], arc.weight);
    for (const Arc& arc : net.inhibitors(old)) builder.add_inhibitor(t, numbers.place[index(arc.place)], arc.weight);
    if (const Expression* guard = net.guard(old)) {
      Expression moved = *guard;
      renumber(moved, numbers);
      builder.add_guard(t, std::move(moved));
    }
    if (const auto rate = net.rate(old)) builder.set_rate(t, *rate);
    builder.set_bindings(t, net.bindings(old));
  }
  builder.set_families(net.place_families().renumbered(numbers.place),
                       net.transition_families().renumbered(numbers.transition));
  std::vector<Unit> units(net.units().begin(), net.units().end());
  for (Unit& unit : units)
    for (Place& p : unit.places) p = numbers.place[index(p)];
  builder.set_units(std::move(units), net.units_claim_safe());
  return builder.build();
}

}  // namespace dcheck
