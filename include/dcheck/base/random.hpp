#pragma once
// Random numbers that are the same in every run and on every machine.

#include "dcheck/base/bits.hpp"

namespace dcheck {

class Random {
 public:
  explicit Random(std::uint64_t seed) : _state(seed) {}

  /// Any number of 64 bits.
  std::uint64_t next() {
    _state += 0x9E3779B97F4A7C15U;
    return mixed_bits(_state);
  }

 private:
  std::uint64_t _state;
};

}  // namespace dcheck
