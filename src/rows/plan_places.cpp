// The first part of planning: which place is what, and where each number lies.

#include <algorithm>
#include <map>
#include <numeric>

#include "dcheck/base/error.hpp"
#include "dcheck/base/narrow.hpp"
#include "rows/plan_builder.hpp"

namespace dcheck {

namespace {

constexpr Tokens scale_limit = Tokens{1} << 31;
constexpr unsigned widest_field = 63;  // and its guard bit make a word
constexpr unsigned widest_mixed_field = 61;
constexpr std::size_t longest_sum = 1;

[[noreturn]] void counts_too_large(const std::string& place) {
  throw ResourceError("token counts in place '" + place + "' grow beyond 63 bits");
}

unsigned width_for(Wide largest, const std::string& place) {
  if (largest < 0) return 1;
  if (largest >= (Wide{1} << widest_field)) counts_too_large(place);
  return bit_width_of(static_cast<std::uint64_t>(largest));
}

/// Largest number that an arc or threshold on the place adds, takes or compares with.
std::vector<Tokens> largest_weights(const Net& net) {
  std::vector<Tokens> largest(net.place_count(), 0);
  const auto see = [&](std::span<const Arc> arcs) {
    for (const Arc& arc : arcs) largest[index(arc.place)] = std::max(largest[index(arc.place)], arc.weight);
  };
  for (std::size_t i = 0; i < net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    see(net.pre(t));
    see(net.post(t));
    see(net.inhibitors(t));
  }
  return largest;
}

/// Places that some transition needs or is inhibited by.
std::vector<bool> tested_places(const Net& net) {
  std::vector<bool> is_tested(net.place_count(), false);
  for (std::size_t i = 0; i < net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    for (const Arc& arc : net.pre(t)) is_tested[index(arc.place)] = true;
    for (const Arc& arc : net.inhibitors(t)) is_tested[index(arc.place)] = true;
  }
  return is_tested;
}

/// How much more often transitions would be looked at if the place were not in the key: each sleeps on the place that
/// it needs and that is marked least often. Places that none needs come last.
std::vector<float> sleep_by_place(const Net& net, const std::vector<float>& marked_share) {
  std::vector<float> sleep(net.place_count(), -1);
  const auto share = [&](Place p) { return marked_share.empty() ? 0.0F : marked_share[index(p)]; };
  for (std::size_t i = 0; i < net.transition_count(); ++i) {
    const std::span<const Arc> pre = net.pre(static_cast<Transition>(i));
    float least = 1;
    float second = 1;  // of all but the place with the least
    Place rarest{};
    for (const Arc& arc : pre) {
      if (share(arc.place) < least) {
        second = least;
        least = share(arc.place);
        rarest = arc.place;
      } else {
        second = std::min(second, share(arc.place));
      }
    }
    for (const Arc& arc : pre) {
      const float otherwise = arc.place == rarest ? second : least;
      sleep[index(arc.place)] = std::max(sleep[index(arc.place)], 0.0F) + std::max(0.0F, otherwise - share(arc.place));
    }
  }
  return sleep;
}

}  // namespace

PlanBuilder::PlanBuilder(const Net& net, const Structure& structure, const PlanRequest& request, Patience& patience)
    : _net(net), _structure(structure), _request(request), _patience(patience) {
  _plan._net = &net;
  _plan._bounds = structure.bounds;
  _plan._marked_share = request.marked_share;
}

const Dependent* PlanBuilder::dependent(Place place) const {
  return _role[index(place)] == Role::dependent ? &_plan._dependents[_position[index(place)]] : nullptr;
}

void PlanBuilder::assign_roles() {
  const std::size_t count = _net.place_count();
  std::vector<bool> in_leaf(count, false);
  for (const Place p : _request.leaf) in_leaf[index(p)] = true;

  // Leaf places stay independent first, then narrow ones: what drops out of the key should be wide.
  // With one lane and a key of several words transitions sleep on key places, so there those that keep them
  // asleep longest stay before all others.
  const bool is_wide = has_wide_key();
  const std::vector<bool> is_tested = tested_places(_net);
  const std::vector<float> sleep = is_wide ? sleep_by_place(_net, _request.marked_share) : std::vector<float>(count, 0);
  std::vector<Place> keep(count);
  for (std::size_t i = 0; i < count; ++i) keep[i] = static_cast<Place>(i);
  const auto cost = [&](Place p) {
    if (in_leaf[index(p)]) return 0U;
    const auto& bound = _structure.bounds[index(p)];
    return bound ? bit_width_of(static_cast<std::uint64_t>(*bound)) : 64U;
  };
  std::stable_sort(keep.begin(), keep.end(), [&](Place a, Place b) {
    if (sleep[index(a)] != sleep[index(b)]) return sleep[index(a)] > sleep[index(b)];
    return cost(a) < cost(b);
  });

  std::vector<Dependent> dependents = solve_for_dependents(_net, _structure, keep, _patience);
  // One common scale for the total: places with large ones stay independent.
  Tokens common = 1;
  const std::vector<Tokens> weights = largest_weights(_net);
  std::erase_if(dependents, [&](const Dependent& d) {
    if (static_cast<Wide>(d.scale) * weights[index(d.place)] >= (Wide{1} << 61)) return true;
    const Wide joined = static_cast<Wide>(common) / std::gcd(common, d.scale) * d.scale;
    if (joined > scale_limit) return true;
    common = static_cast<Tokens>(joined);
    return false;
  });

  if (is_wide)  // a long sum costs more time than its few bits of key
    std::erase_if(dependents,
                  [&](const Dependent& d) { return is_tested[index(d.place)] && d.terms.size() > longest_sum; });

  _role.assign(count, Role::key);
  _position.assign(count, 0);
  for (std::size_t i = 0; i < dependents.size(); ++i) {
    _role[index(dependents[i].place)] = Role::dependent;
    _position[index(dependents[i].place)] = static_cast<std::uint32_t>(i);
  }
  _plan._dependents = std::move(dependents);
  for (std::size_t i = 0; i < count; ++i) {
    if (_role[i] == Role::dependent) continue;
    std::vector<Place>& list = in_leaf[i] ? _plan._leaf : _plan._key_places;
    if (in_leaf[i]) _role[i] = Role::leaf;
    _position[i] = narrow<std::uint32_t>(list.size());
    list.push_back(static_cast<Place>(i));
  }
}

/// One lane, and so many bits that no choice of dependent places makes the key a single word.
bool PlanBuilder::has_wide_key() const {
  if (!_request.leaf.empty()) return false;
  std::vector<unsigned> widths;
  for (const auto& bound : _structure.bounds)
    widths.push_back(bit_width_of(static_cast<std::uint64_t>(bound.value_or(1))));
  std::sort(widths.begin(), widths.end());
  widths.resize(widths.size() - std::min(widths.size(), _structure.invariants.size()));
  return std::accumulate(widths.begin(), widths.end(), 0U) > 64;
}

std::vector<Tokens> PlanBuilder::lane_values(const LeafAction::Test& weights) const {
  std::vector<Tokens> values;
  _patience.spend(_plan.lane_count() * (weights.terms.size() + 1));
  for (const LeafMarking& lane : _plan._lanes.lanes) {
    Wide sum = weights.at_least;
    for (const auto& [position, weight] : weights.terms) sum += static_cast<Wide>(weight) * lane[position];
    if (sum >= mixed_limit / 2 || sum <= -mixed_limit / 2)
      throw ResourceError("token counts in the leaf grow beyond 61 bits");
    values.push_back(static_cast<Tokens>(sum));
  }
  return values;
}

std::int32_t PlanBuilder::add_quantity(std::vector<Tokens> values) {
  _plan._quantities.emplace_back(std::move(values), _plan.words());
  return narrow<std::int32_t>(_plan._quantities.size() - 1);
}

void PlanBuilder::make_views() {
  const std::vector<Tokens> weights = largest_weights(_net);
  _plan._views.resize(_net.place_count());
  // Key places come first: field i is key place i.
  for (std::size_t i = 0; i < _plan._key_places.size(); ++i) {
    PlaceView& view = _plan._views[index(_plan._key_places[i])];
    view.field = narrow<std::int32_t>(i);
  }
  std::int32_t next_field = narrow<std::int32_t>(_plan._key_places.size());
  for (std::size_t i = 0; i < _net.place_count(); ++i) {
    PlaceView& view = _plan._views[i];
    view.place = static_cast<Place>(i);
    if (const auto leaf = leaf_view(view.place)) {
      view.scale = leaf->scale;
      view.quantity = add_quantity(lane_values(leaf->weights));
    } else if (const Dependent* d = dependent(view.place)) {
      view.scale = d->scale;
      view.constant = d->terms.empty() ? d->constant : 0;
      LeafAction::Test part;
      for (const auto& term : d->terms)
        if (_role[index(term.place)] == Role::leaf)
          part.terms.emplace_back(_position[index(term.place)], term.coefficient);
      if (!part.terms.empty()) view.quantity = add_quantity(lane_values(part));
      if (!d->terms.empty()) view.field = next_field++;
    }
  }
  _field_requests.resize(static_cast<std::size_t>(next_field));
  for (const PlaceView& view : _plan._views) {
    if (view.field < 0) continue;
    _patience.spend(1);
    FieldRequest request = request_field(view, dependent(view.place));
    if (!request.proven) {
      Wide step = static_cast<Wide>(weights[index(view.place)]) * view.scale;
      if (view.quantity >= 0) {
        const LaneQuantity& lanes = _plan._quantities[static_cast<std::size_t>(view.quantity)];
        step += static_cast<Wide>(lanes.largest()) - lanes.smallest();
        const auto known = _request.largest_key_part.find(view.place);
        if (known != _request.largest_key_part.end())
          step = std::max(step, static_cast<Wide>(known->second) + request.bias);
      }
      const unsigned wish = _request.min_width.empty() ? 1 : _request.min_width[index(view.place)];
      request.width = std::max({request.width, width_for(step, _net.name(view.place)), wish});
    }
    if (request.width > (view.quantity >= 0 ? widest_mixed_field : widest_field))
      counts_too_large(_net.name(view.place));
    _field_requests[static_cast<std::size_t>(view.field)] = std::move(request);
  }
}

FieldRequest PlanBuilder::request_field(const PlaceView& view, const Dependent* d) const {
  FieldRequest request;
  const std::string& name = _net.name(view.place);
  const auto& bound = _structure.bounds[index(view.place)];
  request.proven = bound.has_value();
  Wide largest = bound ? static_cast<Wide>(*bound) * view.scale
                       : static_cast<Wide>(_net.initial()[index(view.place)]) * view.scale;
  if (d == nullptr) {
    request.terms.emplace_back(_position[index(view.place)], 1);
  } else {
    request.constant = d->constant;
    for (const auto& term : d->terms)
      if (_role[index(term.place)] == Role::key)
        request.terms.emplace_back(_position[index(term.place)], term.coefficient);
  }
  if (view.quantity >= 0) {
    // 0 <= K + L(lane) <= largest in some lane of every row, so -max L <= K <= largest - min L.
    const LaneQuantity& lanes = _plan._quantities[static_cast<std::size_t>(view.quantity)];
    request.bias = lanes.largest();
    largest += static_cast<Wide>(lanes.largest()) - lanes.smallest();
  }
  request.width = width_for(largest, name);
  return request;
}

/// The most tokens that the plan's fields and lanes can hold in a place.
Wide PlanBuilder::most_in(const PlaceView& view) const {
  if (const auto& bound = _structure.bounds[index(view.place)]) return *bound;
  if (view.field >= 0) return low_bits(_field_requests[static_cast<std::size_t>(view.field)].width);
  if (view.quantity >= 0) return _plan._quantities[static_cast<std::size_t>(view.quantity)].largest();
  return view.constant;
}

void PlanBuilder::make_total() {
  Tokens common = 1;
  for (const Dependent& d : _plan._dependents) common = std::lcm(common, d.scale);
  std::vector<Wide> key(_plan._key_places.size(), common);
  std::vector<Wide> leaf(_plan._leaf.size(), common);
  Wide constant = 0;
  for (const Dependent& d : _plan._dependents) {
    const Tokens factor = common / d.scale;
    constant += static_cast<Wide>(d.constant) * factor;
    for (const auto& term : d.terms) {
      auto& sums = _role[index(term.place)] == Role::leaf ? leaf : key;
      sums[_position[index(term.place)]] += static_cast<Wide>(term.coefficient) * factor;
    }
  }
  // K = scale * total - L fits where both do, whatever its terms sum up to on the way: modulo 2^64 they are right.
  Wide largest = 0, lane_part = 0;
  for (const PlaceView& view : _plan._views) largest += most_in(view) * common;
  for (std::size_t i = 0; i < leaf.size(); ++i) {
    const Wide factor = std::min(leaf[i] < 0 ? -leaf[i] : leaf[i], mixed_limit);
    lane_part += factor * most_in(_plan._views[index(_plan._leaf[i])]);
  }
  _plan._total_fits = largest < mixed_limit / 4 && lane_part < mixed_limit / 4;
  if (!_plan._total_fits) return;
  _plan._total_in_key.constant = static_cast<Tokens>(constant);
  for (std::size_t i = 0; i < key.size(); ++i)
    if (key[i] != 0) _plan._total_in_key.terms.emplace_back(static_cast<std::uint32_t>(i), static_cast<Tokens>(key[i]));
  _plan._total.scale = common;
  if (std::any_of(leaf.begin(), leaf.end(), [](Wide c) { return c != 0; })) {
    LeafAction::Test weights;
    for (std::uint32_t i = 0; i < leaf.size(); ++i)
      if (leaf[i] != 0) weights.terms.emplace_back(i, static_cast<Tokens>(leaf[i]));
    _plan._total.quantity = add_quantity(lane_values(weights));
  }
}

void PlanBuilder::make_layout() {
  std::vector<unsigned> stored;
  for (std::size_t i = 0; i < _plan._key_places.size(); ++i) {
    const FieldRequest& request = _field_requests[i];
    const auto& bound = _structure.bounds[index(_plan._key_places[i])];
    stored.push_back(bound && *bound == 0 ? 0 : request.width);
  }
  _plan._layout = std::make_unique<Layout>(_field_requests, stored, _plan._total_in_key);
}

Plan PlanBuilder::build() {
  assign_roles();
  make_lanes();
  make_views();
  make_total();
  make_layout();
  make_transitions();
  _plan._watch_before = make_watch(Moment::before);
  _plan._watch_after = make_watch(Moment::after);
  return std::move(_plan);
}

Plan make_plan(const Net& net, const Structure& structure, const PlanRequest& request, Patience& patience) {
  return PlanBuilder(net, structure, request, patience).build();
}

}  // namespace dcheck
