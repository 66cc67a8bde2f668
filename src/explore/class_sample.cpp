#include "explore/class_sample.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "dcheck/base/bits.hpp"
#include "explore/sample.hpp"
#include "explore/undirected_walk.hpp"

namespace dcheck {

namespace {

constexpr std::size_t forward_steps = 50'000;
constexpr std::size_t none = ~std::size_t{0};

/// Owners for all classes, also for those that were not seen: they join the one before them.
std::vector<std::uint16_t> fill_owners(const std::vector<std::size_t>& node_of, std::span<const std::uint16_t> owner) {
  std::vector<std::uint16_t> all(node_of.size(), 0);
  std::uint16_t last = owner.empty() ? std::uint16_t{0} : owner[0];
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (node_of[c] != none) last = owner[node_of[c]];
    all[c] = last;
  }
  return all;
}

}  // namespace

std::vector<Tokens> most_tokens(const Plan& plan) {
  std::vector<Tokens> most = take_sample(plan.net(), forward_steps).largest;
  for (std::size_t p = 0; p < most.size(); ++p)
    if (const auto bound = plan.bounds()[p]) most[p] = std::max(most[p], *bound);
  return most;
}

std::size_t class_of(const OwnerClasses& classes, std::span<const Tokens> marking) {
  std::uint64_t sum = 0;
  for (const OwnerClasses::Digit& digit : classes.digits)
    sum += static_cast<std::uint64_t>(marking[index(digit.place)]) << digit.shift;
  return sum & (classes.owner.size() - 1);
}

ClassSample::ClassSample(const Plan& plan, std::size_t markings, std::size_t steps) : _plan(plan) {
  UndirectedWalk walk(plan.net(), most_tokens(plan), 0);
  const std::size_t gap = std::max<std::size_t>(1, steps / markings);
  for (std::size_t i = 0; i < markings; ++i) {
    walk.step(gap);
    look(walk.marking());
  }
  rank_candidates();
}

void ClassSample::look(std::span<const Tokens> marking) {
  _markings.insert(_markings.end(), marking.begin(), marking.end());
  for (std::size_t t = 0; t < _plan.net().transition_count(); ++t)
    if (_plan.net().is_enabled(static_cast<Transition>(t), marking)) _arcs.push_back(static_cast<std::uint32_t>(t));
  _first_arc.push_back(static_cast<std::uint32_t>(_arcs.size()));
}

void ClassSample::rank_candidates() {
  const std::size_t places = _plan.net().place_count();
  const std::size_t markings = _first_arc.size() - 1;
  std::vector<double> changes(places, 0);
  for (const std::uint32_t t : _arcs)
    for (const Arc& arc : _plan.net().effect(static_cast<Transition>(t))) ++changes[index(arc.place)];
  std::vector<std::pair<double, Place>> ranked;
  for (const Place place : _plan.key_places()) {
    if (width(place) > most_place_bits) continue;
    std::map<Tokens, double> seen;
    for (std::size_t i = 0; i < markings; ++i) ++seen[_markings[i * places + index(place)]];
    double entropy = 0;
    for (const auto& [tokens, count] : seen) {
      const double share = count / static_cast<double>(markings);
      entropy -= share * std::log2(share);
    }
    if (entropy < 0.01) continue;
    const double changing = changes[index(place)] / std::max<double>(1, static_cast<double>(_arcs.size()));
    ranked.emplace_back(-entropy / (0.01 + changing), place);
  }
  std::sort(ranked.begin(), ranked.end());
  for (const auto& [promise, place] : ranked) _candidates.push_back(place);
}

unsigned ClassSample::width(Place place) const {
  const auto at = std::find(_plan.key_places().begin(), _plan.key_places().end(), place);
  return _plan.layout().stored_field(static_cast<std::size_t>(at - _plan.key_places().begin())).width;
}

bool ClassSample::can_propose(const std::vector<Place>& places, int ranks) const {
  unsigned bits = 0;
  for (const Place place : places) bits += width(place);
  return bits <= (ranks <= 8 ? 13 : 16);  // a small table stays in the nearest cache
}

OwnerClasses ClassSample::classes_of(std::vector<Place> places) const {
  const auto key_number = [&](Place place) {
    return std::find(_plan.key_places().begin(), _plan.key_places().end(), place) - _plan.key_places().begin();
  };
  const auto position = [&](Place place) {
    const StoredField& field = _plan.layout().stored_field(static_cast<std::size_t>(key_number(place)));
    return std::pair(field.word, field.shift);
  };
  std::sort(places.begin(), places.end(), [&](Place a, Place b) { return position(a) < position(b); });
  OwnerClasses classes;
  unsigned bits = 0;
  for (const Place place : places) {
    classes.digits.push_back({place, bits});
    bits += width(place);
  }
  classes.owner.assign(std::size_t{1} << bits, 0);
  return classes;
}

OwnerProposal ClassSample::propose(const std::vector<Place>& places, int ranks) const {
  const OwnerClasses classes = classes_of(places);
  std::vector<std::uint64_t> weights(classes.owner.size(), 0);
  for (const std::uint32_t c : classes_of_markings(classes)) ++weights[c];
  return propose(classes, weights, ranks, Effort::little);
}

std::vector<std::uint32_t> ClassSample::classes_of_markings(const OwnerClasses& classes) const {
  const std::size_t places = _plan.net().place_count();
  std::vector<std::uint32_t> all(_first_arc.size() - 1);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<std::uint32_t>(class_of(classes, std::span(_markings).subspan(i * places, places)));
  return all;
}

/// The classes that were seen are the nodes of a graph, the arcs between them its edges.
ClassSample::SeenClasses ClassSample::seen_classes(const OwnerClasses& classes,
                                                   const std::vector<std::uint64_t>& weights) const {
  const Net& net = _plan.net();
  const std::size_t mask = classes.owner.size() - 1;
  std::vector<std::size_t> shift(net.place_count(), none);
  for (const OwnerClasses::Digit& digit : classes.digits) shift[index(digit.place)] = digit.shift;
  std::vector<std::uint64_t> changes;  // of the class, one for each transition that changes it
  std::vector<std::size_t> number(net.transition_count(), none);  // into `changes`
  for (std::size_t t = 0; t < number.size(); ++t) {
    std::uint64_t change = 0;
    for (const Arc& arc : net.effect(static_cast<Transition>(t)))
      if (shift[index(arc.place)] != none) change += static_cast<std::uint64_t>(arc.weight) << shift[index(arc.place)];
    if ((change & mask) == 0) continue;
    number[t] = changes.size();
    changes.push_back(change);
  }

  SeenClasses seen;
  seen.node.assign(classes.owner.size(), none);
  std::vector<std::uint64_t> weight_of_node;
  const auto node = [&](std::size_t c) {
    if (seen.node[c] == none) {
      seen.node[c] = weight_of_node.size();
      weight_of_node.push_back(weights[c]);
    }
    return static_cast<std::uint32_t>(seen.node[c]);
  };
  std::vector<std::size_t> class_of_node;
  std::vector<std::uint32_t> count;  // by node and change
  const std::vector<std::uint32_t> of_marking = classes_of_markings(classes);
  for (std::size_t i = 0; i < of_marking.size(); ++i) {
    const std::uint32_t from = node(of_marking[i]);
    if (from == class_of_node.size()) class_of_node.push_back(of_marking[i]);
    count.resize(class_of_node.size() * changes.size());
    for (std::uint32_t a = _first_arc[i]; a < _first_arc[i + 1]; ++a)
      if (const std::size_t n = number[_arcs[a]]; n != none) ++count[from * changes.size() + n];
  }
  for (std::size_t c = 0; c < weights.size(); ++c)
    if (weights[c] != 0) node(c);
  std::vector<ClassArcs> arcs;
  for (std::size_t i = 0; i < count.size(); ++i)
    if (count[i] != 0) {
      const std::size_t from = i / changes.size();
      const std::uint32_t to = node((class_of_node[from] + changes[i % changes.size()]) & mask);
      arcs.push_back({static_cast<std::uint32_t>(from), to, count[i]});
    }
  seen.graph = make_class_graph(std::move(weight_of_node), std::move(arcs));
  return seen;
}

OwnerProposal ClassSample::propose(const OwnerClasses& classes, const std::vector<std::uint64_t>& weights, int ranks,
                                   Effort effort) const {
  const auto [graph, node] = seen_classes(classes, weights);
  std::vector<std::uint16_t> owner = partition(graph, ranks, effort);
  rebalance(graph, ranks, 0.01, owner);

  OwnerProposal proposal{classes, 0, 0, 1};
  proposal.cross =
      static_cast<double>(cut_weight(graph, owner)) / std::max<double>(1, static_cast<double>(_arcs.size()));
  const std::vector<std::uint64_t> shares = weights_of_ranks(graph, ranks, owner);
  proposal.imbalance = imbalance(shares);
  double total = 0;
  for (const std::uint64_t share : shares) total += static_cast<double>(share);
  proposal.largest =
      static_cast<double>(*std::max_element(shares.begin(), shares.end())) * ranks / std::max<double>(1, total);
  proposal.classes.owner = fill_owners(node, owner);
  return proposal;
}

}  // namespace dcheck
