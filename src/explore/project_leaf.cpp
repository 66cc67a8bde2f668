#include "explore/project_leaf.hpp"

#include <bit>
#include <cmath>

namespace dcheck {

namespace {

constexpr std::size_t most_states = std::size_t{1} << 17;
constexpr double least_gain = 0.2;  // log of what is gained in states a row, over the log of what it costs in lanes

/// About how many different numbers there are, by the holes they leave in a small bitmap.
class DistinctCounter {
 public:
  double count(const std::vector<std::uint64_t>& keys, std::uint64_t mask) {
    std::fill(_bits.begin(), _bits.end(), 0);
    for (const std::uint64_t key : keys) {
      const std::uint64_t hash = (key & mask) * 0x9E3779B97F4A7C15U;
      const std::uint64_t bit = (hash ^ (hash >> 29)) * 0xBF58476D1CE4E5B9U >> (64 - log_bits);
      _bits[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    std::size_t holes = 0;
    for (const std::uint64_t word : _bits) holes += static_cast<std::size_t>(64 - std::popcount(word));
    constexpr auto size = static_cast<double>(std::size_t{1} << log_bits);
    return -size * std::log(std::max(1.0, static_cast<double>(holes)) / size);
  }

 private:
  static constexpr unsigned log_bits = 19;
  std::vector<std::uint64_t> _bits = std::vector<std::uint64_t>((std::size_t{1} << log_bits) / 64);
};

}  // namespace

ProjectedLeaf project_leaf(const Plan& plan, const ExploreState& state, double most_lanes) {
  std::vector<std::uint64_t> keys;
  state.slots->for_each([&](std::uint64_t, std::uint64_t key, bool) {
    if (keys.size() < most_states) keys.push_back(key);
  });
  ProjectedLeaf leaf;
  DistinctCounter counter;
  std::uint64_t mask = ~std::uint64_t{0};
  while (true) {
    double best_gain = least_gain;
    ProjectedLeaf next;
    std::uint64_t next_mask = mask;
    for (std::size_t i = 0; i < plan.key_places().size(); ++i) {
      const Place place = plan.key_places()[i];
      const auto& bound = plan.bounds()[index(place)];
      const StoredField& field = plan.layout().stored_field(i);
      const std::uint64_t bits = low_bits(field.width) << field.shift;
      if (!bound || *bound < 2 || (mask & bits) == 0) continue;
      const double values = static_cast<double>(*bound) + 1;
      if (leaf.lanes * values > most_lanes) continue;
      const double ratio = static_cast<double>(keys.size()) / counter.count(keys, mask & ~bits);
      const double gain = std::log(ratio / leaf.states_per_row) / std::log(values);
      if (gain <= best_gain) continue;
      best_gain = gain;
      next = leaf;
      next.places.push_back(place);
      next.lanes *= values;
      next.states_per_row = ratio;
      next_mask = mask & ~bits;
    }
    if (next.places.empty()) return leaf;
    leaf = std::move(next);
    mask = next_mask;
  }
}

}  // namespace dcheck
