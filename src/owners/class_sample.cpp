#include "dcheck/owners/class_sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dcheck/base/bits.hpp"

namespace dcheck {

namespace {

constexpr std::size_t none = ~std::size_t{0};

/// Owners for all classes. Those that were not seen are dealt out at random: they may be all that is found from now on.
std::vector<std::uint16_t> fill_owners(const std::vector<std::size_t>& node_of, std::span<const std::uint16_t> owner,
                                       int ranks) {
  std::vector<std::uint16_t> all(node_of.size(), 0);
  for (std::size_t c = 0; c < all.size(); ++c)
    all[c] = node_of[c] != none ? owner[node_of[c]]
                                : static_cast<std::uint16_t>(mixed_bits(c) % static_cast<std::uint64_t>(ranks));
  return all;
}

std::size_t class_of(const OwnerClasses& classes, std::span<const Tokens> marking) {
  std::uint64_t sum = 0;
  for (const OwnerClasses::Digit& digit : classes.digits)
    sum += static_cast<std::uint64_t>(marking[index(digit.place)]) << digit.shift;
  return sum & (classes.owner.size() - 1);
}

/// The largest share of a rank, in means. What a few rows would differ by when shared out at random is left out.
double load_of(const std::vector<std::uint64_t>& weights, const OwnerClasses& classes, int ranks) {
  std::vector<double> shares(static_cast<std::size_t>(ranks), 0);
  double total = 0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    shares[classes.owner[c]] += static_cast<double>(weights[c]);
    total += static_cast<double>(weights[c]);
  }
  if (total == 0) return 1;
  const double mean = total / ranks;
  const double by_chance = std::sqrt(2 * std::log(static_cast<double>(ranks)) / mean);
  return std::max(1.0, *std::max_element(shares.begin(), shares.end()) / mean / (1 + by_chance));
}

/// Rows that wait count as much as all others together.
std::vector<std::uint64_t> joined(const ClassWeights& weights) {
  constexpr double scale = 1 << 20;
  const auto total = [](const std::vector<std::uint64_t>& all) {
    return std::max(1.0, std::accumulate(all.begin(), all.end(), 0.0));
  };
  const double all = total(weights.all), waiting = total(weights.waiting);
  std::vector<std::uint64_t> joint(weights.all.size());
  for (std::size_t c = 0; c < joint.size(); ++c)
    joint[c] = static_cast<std::uint64_t>(std::ceil(
        scale * (static_cast<double>(weights.all[c]) / all + static_cast<double>(weights.waiting[c]) / waiting)));
  return joint;
}

}  // namespace

ClassSample::ClassSample(const Plan& plan, const ReachedMarkings& markings, Patience& patience)
    : _net(plan.net()), _patience(patience), _markings(markings.handled) {
  _markings.insert(_markings.end(), markings.waiting.begin(), markings.waiting.end());
  _handled = markings.handled.size() / std::max<std::size_t>(1, _net.place_count());
  for (std::size_t i = 0; i < plan.key_places().size(); ++i)
    _fields.push_back({plan.key_places()[i], plan.layout().stored_field(i)});
  _arcs_of_transition.assign(_net.transition_count(), 0);
  look_at_markings();
}

/// All transitions are tried in a marking: where there are many, a part of the markings must do.
void ClassSample::look_at_markings() {
  constexpr std::size_t most_tries = std::size_t{1} << 21;
  const std::size_t places = std::max<std::size_t>(1, _net.place_count());
  const std::size_t markings = _markings.size() / places;
  const std::size_t gap = markings * _net.transition_count() / most_tries + 1;
  for (std::size_t i = 0; i < markings; ++i) {
    if (i % gap == 0) look(std::span(_markings).subspan(i * places, places));
    _first_arc.push_back(static_cast<std::uint32_t>(_arcs.size()));
  }
}

void ClassSample::look(std::span<const Tokens> marking) {
  _patience.spend(_net.place_count() + 4 * _net.transition_count());
  for (std::size_t t = 0; t < _net.transition_count(); ++t) {
    if (!_net.is_enabled(static_cast<Transition>(t), marking)) continue;
    _arcs.push_back(static_cast<std::uint32_t>(t));
    ++_arcs_of_transition[t];
  }
}

std::vector<Place> ClassSample::usable_places() const {
  std::vector<Place> places;
  for (const auto& [place, field] : _fields)
    if (field.width <= most_place_bits) places.push_back(place);
  return places;
}

const ClassSample::KeyField* ClassSample::field_of(Place place) const {
  const auto at = std::find_if(_fields.begin(), _fields.end(), [&](const KeyField& f) { return f.place == place; });
  return at == _fields.end() ? nullptr : &*at;
}

bool ClassSample::can_propose(const std::vector<Place>& places, int ranks) const {
  unsigned bits = 0;
  for (const Place place : places) {
    const KeyField* const field = field_of(place);
    if (field == nullptr) return false;
    bits += field->field.width;
  }
  return bits <= (ranks <= few_ranks ? 13 : 16);  // a small table stays in the nearest cache
}

OwnerClasses ClassSample::classes_of(const std::vector<Place>& places) const {
  std::vector<KeyField> fields;
  for (const Place place : places) fields.push_back(*field_of(place));
  std::sort(fields.begin(), fields.end(), [](const KeyField& a, const KeyField& b) {
    return std::pair(a.field.word, a.field.shift) < std::pair(b.field.word, b.field.shift);
  });
  OwnerClasses classes;
  unsigned bits = 0;
  for (const KeyField& field : fields) {
    classes.digits.push_back({field.place, bits});
    bits += field.field.width;
  }
  classes.owner.assign(std::size_t{1} << bits, 0);
  return classes;
}

OwnerProposal ClassSample::propose(const std::vector<Place>& places, int ranks, int parts) const {
  const OwnerClasses classes = classes_of(places);
  ClassWeights weights{std::vector<std::uint64_t>(classes.owner.size()),
                       std::vector<std::uint64_t>(classes.owner.size())};
  const std::vector<std::uint32_t> of_marking = classes_of_markings(classes);
  for (std::size_t i = 0; i < of_marking.size(); ++i) {
    ++weights.all[of_marking[i]];
    if (i >= _handled) ++weights.waiting[of_marking[i]];
  }
  const SeenClasses seen = seen_classes(classes, weights);
  std::vector<std::uint16_t> owner = partition(seen.graph, ranks * parts, Effort::little);
  // Parts have numbers as they lie beside each other: neighbours become those of different ranks.
  for (std::uint16_t& part : owner) part = static_cast<std::uint16_t>(part % ranks);
  rebalance(seen.graph, ranks, 0.01, owner);
  return proposal_of(classes, weights, seen, ranks, owner);
}

std::vector<std::uint32_t> ClassSample::classes_of_markings(const OwnerClasses& classes) const {
  const std::size_t places = _net.place_count();
  std::vector<std::uint32_t> all(_first_arc.size() - 1);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<std::uint32_t>(class_of(classes, std::span(_markings).subspan(i * places, places)));
  return all;
}

std::vector<std::uint64_t> ClassSample::changes_of(const OwnerClasses& classes) const {
  const std::size_t mask = classes.owner.size() - 1;
  _patience.spend(_net.place_count() + 4 * _net.transition_count());
  std::vector<std::uint64_t> weight(_net.place_count(), 0);
  for (const OwnerClasses::Digit& digit : classes.digits) weight[index(digit.place)] = std::uint64_t{1} << digit.shift;
  std::vector<std::uint64_t> changes(_net.transition_count(), 0);
  for (std::size_t t = 0; t < changes.size(); ++t) {
    for (const Arc& arc : _net.effect(static_cast<Transition>(t)))
      changes[t] += static_cast<std::uint64_t>(arc.weight) * weight[index(arc.place)];
    changes[t] &= mask;
  }
  return changes;
}

/// The classes that were seen are the nodes of a graph, the arcs between them its edges.
ClassSample::SeenClasses ClassSample::seen_classes(const OwnerClasses& classes,
                                                   const ClassWeights& class_weights) const {
  const std::size_t mask = classes.owner.size() - 1;
  const std::vector<std::uint64_t> weights = joined(class_weights);
  std::vector<std::uint64_t> changes;                              // those that are not 0
  std::vector<std::size_t> number(_net.transition_count(), none);  // into `changes`
  const std::vector<std::uint64_t> of_transition = changes_of(classes);
  for (std::size_t t = 0; t < number.size(); ++t) {
    if (of_transition[t] == 0) continue;
    number[t] = changes.size();
    changes.push_back(of_transition[t]);
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
    _patience.spend(changes.size() + _first_arc[i + 1] - _first_arc[i]);
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

OwnerProposal ClassSample::improve(const OwnerClasses& classes, const ClassWeights& weights, int ranks,
                                   double tolerance) const {
  const SeenClasses seen = seen_classes(classes, weights);
  std::vector<std::uint16_t> owner(seen.graph.size());
  for (std::size_t c = 0; c < seen.node.size(); ++c)
    if (seen.node[c] != none) owner[seen.node[c]] = classes.owner[c];
  rebalance(seen.graph, ranks, tolerance, owner);
  OwnerProposal proposal = proposal_of(classes, weights, seen, ranks, owner);
  for (std::size_t c = 0; c < seen.node.size(); ++c)  // nobody was seen there: as before
    if (seen.node[c] == none) proposal.classes.owner[c] = classes.owner[c];
  return proposal;
}

OwnerProposal ClassSample::proposal_of(const OwnerClasses& classes, const ClassWeights& weights,
                                       const SeenClasses& seen, int ranks,
                                       const std::vector<std::uint16_t>& owner) const {
  OwnerProposal proposal{classes, 0, 1};
  proposal.cross =
      static_cast<double>(cut_weight(seen.graph, owner)) / std::max<double>(1, static_cast<double>(_arcs.size()));
  proposal.classes.owner = fill_owners(seen.node, owner, ranks);
  proposal.load =
      std::max(load_of(weights.all, proposal.classes, ranks), load_of(weights.waiting, proposal.classes, ranks));
  return proposal;
}

}  // namespace dcheck
