#include "dcheck/owners/class_sample.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "dcheck/base/bits.hpp"
#include "dcheck/net/sample.hpp"
#include "owners/undirected_walk.hpp"

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

std::vector<Tokens> most_tokens(const Plan& plan, Patience& patience) {
  std::vector<Tokens> most = take_sample(plan.net(), forward_steps, patience).largest;
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

std::vector<Tokens> walk_markings(const Plan& plan, std::size_t markings, std::size_t steps, Patience& patience) {
  std::vector<Tokens> all;
  all.reserve(markings * plan.net().place_count());
  walk_often(
      plan.net(), most_tokens(plan, patience), 0, {steps, markings},
      [&](const std::vector<Tokens>& marking) { all.insert(all.end(), marking.begin(), marking.end()); }, patience);
  return all;
}

ClassSample::ClassSample(const Plan& plan, std::vector<Tokens> markings, Patience& patience)
    : _net(plan.net()), _patience(patience), _markings(std::move(markings)) {
  for (std::size_t i = 0; i < plan.key_places().size(); ++i)
    _fields.push_back({plan.key_places()[i], plan.layout().stored_field(i)});
  const std::size_t places = _net.place_count();
  for (std::size_t at = 0; at < _markings.size(); at += places) {
    _patience.spend(places + 4 * _net.transition_count());
    look(std::span(_markings).subspan(at, places));
  }
  rank_candidates();
}

void ClassSample::look(std::span<const Tokens> marking) {
  for (std::size_t t = 0; t < _net.transition_count(); ++t)
    if (_net.is_enabled(static_cast<Transition>(t), marking)) _arcs.push_back(static_cast<std::uint32_t>(t));
  _first_arc.push_back(static_cast<std::uint32_t>(_arcs.size()));
}

std::vector<ClassSample::Worth> ClassSample::worth_of_places() const {
  const std::size_t places = _net.place_count();
  const std::size_t markings = _first_arc.size() - 1;
  std::vector<double> changes(places, 0);
  for (const std::uint32_t t : _arcs)
    for (const Arc& arc : _net.effect(static_cast<Transition>(t))) ++changes[index(arc.place)];
  std::vector<Worth> worths;
  for (const auto& [place, field] : _fields) {
    if (field.width > most_place_bits) continue;
    _patience.spend(10 * markings);
    std::map<Tokens, double> seen;
    for (std::size_t i = 0; i < markings; ++i) ++seen[_markings[i * places + index(place)]];
    double entropy = 0;
    for (const auto& [tokens, count] : seen) {
      const double share = count / static_cast<double>(markings);
      entropy -= share * std::log2(share);
    }
    if (entropy < 0.01) continue;
    worths.push_back({place, entropy, changes[index(place)] / std::max<double>(1, static_cast<double>(_arcs.size()))});
  }
  return worths;
}

void ClassSample::rank_candidates() {
  std::vector<Worth> worths = worth_of_places();
  const auto rank_by = [&](double least_change) {
    const auto promise = [&](const Worth& w) { return w.entropy / (least_change + w.changing); };
    std::sort(worths.begin(), worths.end(), [&](const Worth& a, const Worth& b) {
      return std::pair(-promise(a), a.place) < std::pair(-promise(b), b.place);
    });
  };
  rank_by(0.01);
  std::set<std::uint64_t> told;
  std::erase_if(worths, [&](const Worth& w) { return !told.insert(hash_of_values(w.place)).second; });
  for (const Worth& w : worths) _seldom_changing.push_back(w.place);
  rank_by(0.1);
  std::set<Place> taken;
  for (std::size_t i = 0; i < worths.size(); ++i)
    for (const Place place : {_seldom_changing[i], worths[i].place})
      if (taken.insert(place).second) _candidates.push_back(place);
}

std::uint64_t ClassSample::hash_of_values(Place place) const {
  std::map<Tokens, std::uint64_t> number;
  std::uint64_t hash = 0;
  _patience.spend(10 * _first_arc.size());
  for (std::size_t at = index(place); at < _markings.size(); at += _net.place_count())
    hash = mixed_bits(hash + number.try_emplace(_markings[at], number.size() + 1).first->second);
  return hash;
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

OwnerProposal ClassSample::propose(const std::vector<Place>& places, int ranks) const {
  const OwnerClasses classes = classes_of(places);
  std::vector<std::uint64_t> weights(classes.owner.size(), 0);
  for (const std::uint32_t c : classes_of_markings(classes)) ++weights[c];
  return propose(classes, weights, ranks, Effort::little);
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
                                                   const std::vector<std::uint64_t>& weights) const {
  const std::size_t mask = classes.owner.size() - 1;
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

OwnerProposal ClassSample::propose(const OwnerClasses& classes, const std::vector<std::uint64_t>& weights, int ranks,
                                   Effort effort) const {
  const SeenClasses seen = seen_classes(classes, weights);
  std::vector<std::uint16_t> owner = partition(seen.graph, ranks, effort);
  rebalance(seen.graph, ranks, 0.01, owner);
  return proposal_of(classes, seen, ranks, owner);
}

OwnerProposal ClassSample::improve(const OwnerClasses& classes, const std::vector<std::uint64_t>& weights, int ranks,
                                   double tolerance) const {
  const SeenClasses seen = seen_classes(classes, weights);
  std::vector<std::uint16_t> owner(seen.graph.size());
  for (std::size_t c = 0; c < seen.node.size(); ++c)
    if (seen.node[c] != none) owner[seen.node[c]] = classes.owner[c];
  rebalance(seen.graph, ranks, tolerance, owner);
  OwnerProposal proposal = proposal_of(classes, seen, ranks, owner);
  for (std::size_t c = 0; c < seen.node.size(); ++c)  // nobody was seen there: as before
    if (seen.node[c] == none) proposal.classes.owner[c] = classes.owner[c];
  return proposal;
}

OwnerProposal ClassSample::proposal_of(const OwnerClasses& classes, const SeenClasses& seen, int ranks,
                                       const std::vector<std::uint16_t>& owner) const {
  OwnerProposal proposal{classes, 0, 0, 1};
  proposal.cross =
      static_cast<double>(cut_weight(seen.graph, owner)) / std::max<double>(1, static_cast<double>(_arcs.size()));
  const std::vector<std::uint64_t> shares = weights_of_ranks(seen.graph, ranks, owner);
  proposal.imbalance = imbalance(shares);
  double total = 0;
  for (const std::uint64_t share : shares) total += static_cast<double>(share);
  proposal.largest =
      static_cast<double>(*std::max_element(shares.begin(), shares.end())) * ranks / std::max<double>(1, total);
  proposal.classes.owner = fill_owners(seen.node, owner);
  return proposal;
}

}  // namespace dcheck
