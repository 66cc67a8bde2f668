#include "leaf/project_leaf.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dcheck {

namespace {

constexpr double least_gain = 0.2;  // log of what is gained in states per row, over the log of what it costs in lanes

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
  static constexpr unsigned log_bits = 20;
  std::vector<std::uint64_t> _bits = std::vector<std::uint64_t>((std::size_t{1} << log_bits) / 64);
};

}  // namespace

ProjectedLeaf project_leaf(const Plan& plan, const std::vector<std::uint64_t>& keys, double most_lanes) {
  struct Candidate {
    Place place;
    double values;
    std::uint64_t bits;
    double gain = 0;
  };
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < plan.key_places().size(); ++i) {
    const Place place = plan.key_places()[i];
    const auto& bound = plan.bounds()[index(place)];
    const StoredField& field = plan.layout().stored_field(i);
    if (bound && *bound > 1)
      candidates.push_back({place, static_cast<double>(*bound) + 1, low_bits(field.width) << field.shift});
  }
  ProjectedLeaf leaf;
  DistinctCounter counter;
  std::uint64_t mask = ~std::uint64_t{0};
  while (true) {
    std::erase_if(candidates, [&](const Candidate& c) { return leaf.lanes * c.values > most_lanes; });
    for (Candidate& c : candidates) {
      const double ratio = static_cast<double>(keys.size()) / counter.count(keys, mask & ~c.bits);
      c.gain = std::log(ratio / leaf.states_per_row) / std::log(c.values);
    }
    // What gains little now gains little later.
    std::erase_if(candidates, [](const Candidate& c) { return c.gain < least_gain / 2; });
    const auto best = std::max_element(candidates.begin(), candidates.end(),
                                       [](const Candidate& a, const Candidate& b) { return a.gain < b.gain; });
    if (best == candidates.end() || best->gain < least_gain) return leaf;
    leaf.places.push_back(best->place);
    leaf.lanes *= best->values;
    leaf.states_per_row *= std::pow(best->values, best->gain);
    mask &= ~best->bits;
    candidates.erase(best);
  }
}

}  // namespace dcheck
