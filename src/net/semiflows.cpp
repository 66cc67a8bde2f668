#include "semiflows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

namespace dcheck {

namespace {

/// Work is counted as if supports were bit sets: in words of them looked at; a row combination is worth this many.
constexpr std::size_t words_per_combination = 512;

/// 64 constraints, numbered in the order of taking them.
struct SupportWord {
  std::uint32_t index;
  std::uint64_t bits;
};

/// The constraints, of those taken so far, in which a ray is not 0: words that are not 0, ascending. A basis of n
/// vectors begins with n rays that have one constraint each.
using Support = std::vector<SupportWord>;

void join(const Support& a, const Support& b, Support& both) {
  both.clear();
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (left->index == right->index)
      both.push_back({left->index, left++->bits | right++->bits});
    else
      both.push_back(left->index < right->index ? *left++ : *right++);
  }
  both.insert(both.end(), left, a.end());
  both.insert(both.end(), right, b.end());
}

std::size_t size_of(const Support& support) {
  std::size_t size = 0;
  for (const SupportWord& word : support) size += static_cast<std::size_t>(std::popcount(word.bits));
  return size;
}

void insert(Support& support, std::size_t constraint) {
  const auto index = static_cast<std::uint32_t>(constraint / 64);
  if (support.empty() || support.back().index != index) support.push_back({index, 0});
  support.back().bits |= std::uint64_t{1} << (constraint % 64);
}

struct Ray {
  SparseRow row;
  Support support;
};

/// The double description method. The cone starts as all non-negative combinations of the basis, which
/// is exact for the constraints y(own) >= 0. Then the constraints y(p) >= 0 of the other places are
/// taken one by one: rays that violate p are replaced by combinations with adjacent rays that
/// are positive in p. A ray of any stage that is non-negative everywhere is an extreme ray of the
/// final cone, which is what makes giving up half-way harmless.
class DoubleDescription {
 public:
  DoubleDescription(std::vector<KernelVector> basis, std::size_t places, std::size_t budget, Patience& patience)
      : _dimension(basis.size()), _positive(places, 0), _negative(places, 0), _patience(patience) {
    if (__builtin_mul_overflow(budget, words_per_combination, &_words_left)) _words_left = SIZE_MAX;
    _rays.reserve(basis.size());
    for (KernelVector& vector : basis) {
      Ray ray{std::move(vector.row), {}};
      insert(ray.support, _taken++);
      add(std::move(ray));
    }
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
    _patience.spend(words);
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
    for (Ray& ray : combined) add(std::move(ray));
    return true;
  }

  /// Appends the combination of an adjacent pair. False where the budget is spent or a number is too large.
  bool combine(std::size_t up, std::size_t down, std::uint32_t place, std::vector<Ray>& combined) {
    if (!spend((_taken + 63) / 64)) return false;
    join(_rays[up].support, _rays[down].support, _both);
    // Two adjacent rays share at least dimension - 2 tight constraints.
    if (_taken - size_of(_both) + 2 < _dimension) return true;
    const std::optional<bool> adjacent = are_adjacent(up, down);
    if (!adjacent) return false;
    if (!*adjacent) return true;
    if (!spend(words_per_combination)) return false;
    // The signs of `place` differ, so both factors of this elimination are positive.
    SparseRow row = _combiner.eliminate(_rays[down].row, _rays[up].row, place);
    if (!_combiner.lost().empty()) return false;
    _patience.spend(16 * row.size());
    combined.push_back({std::move(row), _both});
    return true;
  }

  /// Whether no third ray has its support in _both.
  std::optional<bool> are_adjacent(std::size_t up, std::size_t down) {
    _dense_both.resize(_taken / 64 + 1, 0);
    for (const SupportWord& word : _both) _dense_both[word.index] = word.bits;
    const auto is_within_both = [&](const Support& support) {
      for (const SupportWord& word : support)
        if ((word.bits & ~_dense_both[word.index]) != 0) return false;
      return true;
    };
    std::size_t other = 0;
    while (other < _rays.size() && (!is_within_both(_rays[other].support) || other == up || other == down)) ++other;
    for (const SupportWord& word : _both) _dense_both[word.index] = 0;
    return spend(other) ? std::optional(other == _rays.size()) : std::nullopt;
  }

  /// Adds the constraint just taken to the supports.
  void mark(const std::vector<std::size_t>& above) {
    for (const std::size_t i : above) insert(_rays[i].support, _taken);
    ++_taken;
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
  Support _both;                                  // of the pair at hand
  std::vector<std::uint64_t> _dense_both;         // the same, while it is compared with others; else 0
  std::size_t _words_left;
  RowCombiner _combiner;
  Patience& _patience;
};

}  // namespace

std::vector<SparseRow> minimal_semiflows(std::vector<KernelVector> basis, std::size_t places, std::size_t budget,
                                         Patience& patience) {
  std::vector<SparseRow> semiflows = DoubleDescription(std::move(basis), places, budget, patience).run();
  std::ranges::sort(semiflows, [](const SparseRow& a, const SparseRow& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return semiflows;
}

}  // namespace dcheck
