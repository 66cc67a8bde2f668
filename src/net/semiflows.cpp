#include "semiflows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace dcheck {

namespace {

/// Work is counted in words of supports looked at; a row combination is worth this many.
constexpr std::size_t words_per_combination = 512;

struct Ray {
  SparseRow row;
  std::vector<std::uint64_t> support;  // over the constraints taken so far, in the order of taking them
};

bool is_within(const std::vector<std::uint64_t>& small, const std::vector<std::uint64_t>& large) {
  for (std::size_t i = 0; i < small.size(); ++i) {
    if ((small[i] & ~large[i]) != 0) return false;
  }
  return true;
}

std::size_t size_of(const std::vector<std::uint64_t>& support) {
  return std::transform_reduce(support.begin(), support.end(), std::size_t{0}, std::plus<>(),
                               [](std::uint64_t word) { return static_cast<std::size_t>(std::popcount(word)); });
}

/// The double description method. The cone starts as all non-negative combinations of the basis, which
/// is exact for the constraints y(own) >= 0. Then the constraints y(p) >= 0 of the other places are
/// taken one by one: rays that violate p are replaced by combinations with adjacent rays that
/// are positive in p. A ray of any stage that is non-negative everywhere is an extreme ray of the
/// final cone, which is what makes giving up half-way harmless.
class DoubleDescription {
 public:
  DoubleDescription(const std::vector<KernelVector>& basis, std::size_t places, std::size_t budget)
      : _dimension(basis.size()), _positive(places, 0), _negative(places, 0) {
    if (__builtin_mul_overflow(budget, words_per_combination, &_words_left)) _words_left = SIZE_MAX;
    for (std::size_t i = 0; i < basis.size(); ++i) {
      Ray ray{basis[i].row, std::vector<std::uint64_t>((_dimension + 63) / 64, 0)};
      ray.support[i / 64] |= std::uint64_t{1} << (i % 64);
      add(std::move(ray));
    }
    _taken = _dimension;
  }

  std::vector<SparseRow> run() {
    while (const std::optional<std::uint32_t> place = next_place()) {
      if (!take(*place)) break;
    }
    std::vector<SparseRow> semiflows;
    for (Ray& ray : _rays) {
      if (std::ranges::all_of(ray.row, [](const Entry& entry) { return entry.value > 0; })) {
        semiflows.push_back(std::move(ray.row));
      }
    }
    return semiflows;
  }

 private:
  void add(Ray ray) {
    for (const Entry& entry : ray.row) ++(entry.value > 0 ? _positive : _negative)[entry.column];
    _rays.push_back(std::move(ray));
  }

  void forget(const Ray& ray) {
    for (const Entry& entry : ray.row) --(entry.value > 0 ? _positive : _negative)[entry.column];
  }

  bool spend(std::size_t words) {
    if (_words_left < words) return false;
    _words_left -= words;
    return true;
  }

  /// The violated constraint that asks for the fewest combinations.
  std::optional<std::uint32_t> next_place() {
    if (!spend(_negative.size() / 16)) return std::nullopt;
    std::optional<std::uint32_t> best;
    std::size_t best_pairs = 0;
    for (std::uint32_t p = 0; p < _negative.size(); ++p) {
      if (_negative[p] == 0) continue;
      const std::size_t pairs = _negative[p] * _positive[p];
      if (!best || pairs < best_pairs) {
        best = p;
        best_pairs = pairs;
      }
    }
    return best;
  }

  /// False, with the cone as it was, where the constraint cannot be taken.
  bool take(std::uint32_t place) {
    std::vector<std::size_t> above, below;
    for (std::size_t i = 0; i < _rays.size(); ++i) {
      const Tokens value = value_at(_rays[i].row, place);
      if (value > 0) above.push_back(i);
      if (value < 0) below.push_back(i);
    }
    if (!spend(_rays.size())) return false;
    std::vector<Ray> combined;
    for (const std::size_t up : above) {
      for (const std::size_t down : below) {
        if (!combine(up, down, place, combined)) return false;
      }
    }
    mark(above);
    remove(below);
    for (Ray& ray : combined) {
      ray.support.resize((_taken + 63) / 64, 0);
      add(std::move(ray));
    }
    return true;
  }

  /// Appends the combination of an adjacent pair. False where the budget is spent or a number is too large.
  bool combine(std::size_t up, std::size_t down, std::uint32_t place, std::vector<Ray>& combined) {
    std::vector<std::uint64_t> both = _rays[up].support;
    for (std::size_t i = 0; i < both.size(); ++i) both[i] |= _rays[down].support[i];
    if (!spend(both.size())) return false;
    // Two adjacent rays share at least dimension - 2 tight constraints.
    if (_taken - size_of(both) + 2 < _dimension) return true;
    const std::optional<bool> adjacent = are_adjacent(up, down, both);
    if (!adjacent) return false;
    if (!*adjacent) return true;
    if (!spend(words_per_combination)) return false;
    // The signs of `place` differ, so both factors of this elimination are positive.
    SparseRow row = _combiner.eliminate(_rays[down].row, _rays[up].row, place);
    if (!_combiner.lost().empty()) return false;
    combined.push_back({std::move(row), std::move(both)});
    return true;
  }

  std::optional<bool> are_adjacent(std::size_t up, std::size_t down, const std::vector<std::uint64_t>& both) {
    for (std::size_t i = 0; i < _rays.size(); ++i) {
      if (!is_within(_rays[i].support, both)) continue;
      if (i != up && i != down) return spend(i) ? std::optional(false) : std::nullopt;
    }
    return spend(_rays.size()) ? std::optional(true) : std::nullopt;
  }

  /// Adds the constraint just taken to the supports.
  void mark(const std::vector<std::size_t>& above) {
    const std::size_t bit = _taken++;
    for (Ray& ray : _rays) ray.support.resize(bit / 64 + 1, 0);
    for (const std::size_t i : above) _rays[i].support[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }

  void remove(const std::vector<std::size_t>& below) {
    if (below.empty()) return;
    for (const std::size_t i : below) forget(_rays[i]);
    std::size_t kept = below.front();
    std::size_t next_removed = 0;
    for (std::size_t i = kept; i < _rays.size(); ++i) {
      if (next_removed < below.size() && below[next_removed] == i) {
        ++next_removed;
      } else {
        _rays[kept++] = std::move(_rays[i]);
      }
    }
    _rays.resize(kept);
  }

  std::size_t _dimension;
  std::size_t _taken = 0;
  std::vector<Ray> _rays;
  std::vector<std::size_t> _positive, _negative;  // rays by the sign of each place
  std::size_t _words_left;
  RowCombiner _combiner;
};

}  // namespace

std::vector<SparseRow> minimal_semiflows(const std::vector<KernelVector>& basis, std::size_t places,
                                         std::size_t budget) {
  std::vector<SparseRow> semiflows = DoubleDescription(basis, places, budget).run();
  std::ranges::sort(semiflows, [](const SparseRow& a, const SparseRow& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return semiflows;
}

}  // namespace dcheck
