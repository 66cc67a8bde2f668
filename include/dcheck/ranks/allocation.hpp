#pragma once
// Which rank owns a row. The owner depends on the tokens in the key places, not on how they are packed: rows
// stay where they are when fields become wider or lanes more. A new leaf means new key places: all begins again.
//
// It is read off the row's sum: weight * tokens over the key places, modulo 2^64. The sum is linear, so firing a
// transition adds a number that is known beforehand, and a row's owner costs a few instructions an arc.

#include <cstdint>
#include <vector>

#include "dcheck/rows/plan.hpp"

namespace dcheck {

class Allocation {
 public:
  /// Everything is owned by rank 0; nothing but owner() may be asked.
  Allocation() = default;
  /// A pure function of its arguments, so that all ranks have the same. `--allocation hash`.
  Allocation(const Plan& plan, int ranks);

  /// Of a stored key.
  std::uint64_t sum(const std::uint64_t* stored) const {
    std::uint64_t total = 0;
    const std::uint64_t* of_byte = _sums.data();
    for (const std::uint64_t* const end = of_byte + _sums.size(); of_byte != end; ++stored)
      for (std::uint64_t rest = *stored, i = 0; i < 8 && of_byte != end; rest >>= 8, of_byte += 256, ++i)
        total += of_byte[rest & 255];
    return total;
  }
  /// What a transition, by its number in Plan::transitions(), adds to the sum.
  std::uint64_t delta(std::size_t transition) const { return _deltas[transition]; }

  int owner(std::uint64_t sum) const {
    sum = (sum ^ (sum >> 32)) * 0xD6E8FEB86659FD93U;
    return static_cast<int>((static_cast<unsigned __int128>(sum) * _ranks) >> 64);
  }

 private:
  std::uint64_t _ranks = 1;
  std::vector<std::uint64_t> _sums;  // per byte of a key: what each of its values adds
  std::vector<std::uint64_t> _deltas;
};

}  // namespace dcheck
