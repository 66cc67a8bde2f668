#pragma once
// Which rank owns a row. The owner depends on the tokens in the key places, not on how they are packed: rows
// stay where they are when fields become wider or lanes more. A new leaf means new key places: all begins again.
//
// It is read off the row's sum: weight * tokens over the key places, modulo 2^64. The sum is linear, so firing a
// transition adds a number that is known beforehand, and a row's owner costs a few instructions an arc.
//
// Weights are free to choose. Where no field can ever overflow, the layout stays as it is, and they are chosen so that
// the sum is a factor times each word of the key.

#include <cstdint>
#include <vector>

#include "dcheck/rows/plan.hpp"

namespace dcheck {

/// Which places an owner follows from: few of them, chosen (`local`) or named (`places`), or all of the key's.
struct AllocationChoice {
  enum class Kind : std::uint8_t { local, hash, places };
  Kind kind = Kind::hash;
  std::vector<Place> places;  // where kind == places
};

class Allocation {
 public:
  /// Everything is owned by rank 0; nothing but owner() may be asked.
  Allocation() = default;
  /// A pure function of its arguments, so that all ranks have the same. `--allocation hash`.
  Allocation(const Plan& plan, int ranks);

  /// Of a stored key.
  std::uint64_t sum(const std::uint64_t* stored) const {
    std::uint64_t total = 0;
    if (is_fixed()) {
      for (std::size_t w = 0; w < _factors.size(); ++w) total += stored[w] * _factors[w];
      return total;
    }
    const std::uint64_t* of_digit = _sums.data();
    for (const std::uint64_t* const end = of_digit + _sums.size(); of_digit != end; ++stored)
      for (std::uint64_t rest = *stored, i = 0; i < 16 && of_digit != end; rest >>= 4, of_digit += 16, ++i)
        total += of_digit[rest & 15];
    return total;
  }
  /// What a transition, by its number in Plan::transitions(), adds to the sum.
  std::uint64_t delta(std::size_t transition) const { return _deltas[transition]; }

  /// The layout is fixed: the sum of a key of one word is factor() * key.
  bool is_fixed() const { return !_factors.empty(); }
  std::uint64_t factor() const { return _factors[0]; }

  int owner(std::uint64_t sum) const {
    sum = (sum ^ (sum >> 32)) * 0xD6E8FEB86659FD93U;
    return static_cast<int>((static_cast<unsigned __int128>(sum) * _ranks) >> 64);
  }

 private:
  void make_sums(const Plan& plan, const std::vector<std::uint64_t>& weight);

  std::uint64_t _ranks = 1;
  std::vector<std::uint64_t> _factors;  // per word, where the layout is fixed
  std::vector<std::uint64_t> _sums;     // elsewhere: per four bits of a key: what each of their values adds
  std::vector<std::uint64_t> _deltas;
};

}  // namespace dcheck
