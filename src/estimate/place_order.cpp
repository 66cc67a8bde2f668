#include "estimate/place_order.hpp"

#include <algorithm>
#include <numeric>

namespace dcheck {

namespace {

constexpr int most_rounds = 60;
constexpr std::size_t most_of_semiflow = 40;  // places; larger ones draw everything together

/// Sets of places that should stand together.
using Groups = std::vector<std::vector<std::uint32_t>>;

Groups groups_of(const Net& net, const Structure& structure, bool with_semiflows) {
  Groups groups;
  for (const Invariant& flow : with_semiflows ? structure.semiflows : std::vector<Invariant>()) {
    if (flow.terms.size() < 2 || flow.terms.size() > most_of_semiflow) continue;
    std::vector<std::uint32_t>& group = groups.emplace_back();
    for (const auto& term : flow.terms) group.push_back(static_cast<std::uint32_t>(term.place));
  }
  for (std::size_t i = 0; i < net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    std::vector<std::uint32_t> group;
    for (const auto arcs : {net.pre(t), net.post(t), net.inhibitors(t)})
      for (const Arc& arc : arcs) group.push_back(static_cast<std::uint32_t>(arc.place));
    std::sort(group.begin(), group.end());
    group.erase(std::unique(group.begin(), group.end()), group.end());
    if (group.size() > 1) groups.push_back(std::move(group));
  }
  return groups;
}

/// What an order costs: how far apart the places of groups stand.
double spread(const Groups& groups, const std::vector<std::uint32_t>& position) {
  double sum = 0;
  for (const auto& group : groups) {
    std::uint32_t lowest = ~std::uint32_t{0}, highest = 0;
    for (const std::uint32_t p : group) {
      lowest = std::min(lowest, position[p]);
      highest = std::max(highest, position[p]);
    }
    sum += highest - lowest;
  }
  return sum;
}

/// Each place moves to the middle of its groups' middles (FORCE; Aloul, Markov, Sakallah 2003).
std::vector<std::uint32_t> drawn_together(const Groups& groups, const std::vector<std::uint32_t>& position) {
  std::vector<double> sum(position.size(), 0), count(position.size(), 0);
  for (const auto& group : groups) {
    double middle = 0;
    for (const std::uint32_t p : group) middle += position[p];
    middle /= static_cast<double>(group.size());
    for (const std::uint32_t p : group) {
      sum[p] += middle;
      count[p] += 1;
    }
  }
  std::vector<std::uint32_t> places(position.size());
  std::iota(places.begin(), places.end(), 0U);
  const auto middle_of = [&](std::uint32_t p) { return count[p] == 0 ? position[p] : sum[p] / count[p]; };
  std::stable_sort(places.begin(), places.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return middle_of(a) < middle_of(b); });
  std::vector<std::uint32_t> next(position.size());
  for (std::size_t i = 0; i < places.size(); ++i) next[places[i]] = static_cast<std::uint32_t>(i);
  return next;
}

}  // namespace

std::vector<Place> tier_order(const Net& net, const Structure& structure, bool with_semiflows, Patience& patience) {
  const Groups groups = groups_of(net, structure, with_semiflows);
  const std::size_t size = std::accumulate(groups.begin(), groups.end(), net.place_count(),
                                           [](std::size_t sum, const auto& group) { return sum + group.size(); });
  std::vector<std::uint32_t> position(net.place_count());
  std::iota(position.begin(), position.end(), 0U);
  std::vector<std::uint32_t> best = position;
  double least = spread(groups, best);
  for (int round = 0, without_gain = 0; round < most_rounds && without_gain < 5; ++round) {
    patience.spend(4 * size);
    position = drawn_together(groups, position);
    const double now = spread(groups, position);
    without_gain = now < least ? 0 : without_gain + 1;
    if (now < least) {
      least = now;
      best = position;
    }
  }
  // Transitions should stand low: the other way round where that is better.
  double tops = 0, bottoms = 0;
  for (const auto& group : groups) {
    const auto [low, high] = std::minmax_element(group.begin(), group.end(),
                                                 [&](std::uint32_t a, std::uint32_t b) { return best[a] < best[b]; });
    tops += best[*high];
    bottoms += static_cast<double>(net.place_count()) - 1 - best[*low];
  }
  std::vector<Place> order(net.place_count());
  for (std::size_t p = 0; p < order.size(); ++p)
    order[tops <= bottoms ? best[p] : order.size() - 1 - best[p]] = static_cast<Place>(p);
  return order;
}

}  // namespace dcheck
