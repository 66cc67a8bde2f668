#pragma once
// Gathering and scattering bits by a mask, in two versions with one interface. Code that runs on
// whole rows is a template over the version; which one runs is decided once, by cpu_has_fast_bits().

#include <bit>
#include <cstdint>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace dcheck {

/// Any CPU. Cost: one step per set bit of the mask.
struct PortableBits {
  static std::uint64_t extract(std::uint64_t word, std::uint64_t mask) {
    std::uint64_t out = 0;
    for (unsigned at = 0; mask != 0; mask &= mask - 1, ++at) out |= ((word >> std::countr_zero(mask)) & 1) << at;
    return out;
  }
  static std::uint64_t deposit(std::uint64_t bits, std::uint64_t mask) {
    std::uint64_t out = 0;
    for (; mask != 0; mask &= mask - 1, bits >>= 1) out |= (bits & 1) << std::countr_zero(mask);
    return out;
  }
};

#if defined(__BMI2__)
/// CPUs with PEXT and PDEP in hardware.
struct FastBits {
  static std::uint64_t extract(std::uint64_t word, std::uint64_t mask) { return _pext_u64(word, mask); }
  static std::uint64_t deposit(std::uint64_t bits, std::uint64_t mask) { return _pdep_u64(bits, mask); }
};
#endif

/// True where PEXT and PDEP exist and are not microcoded (AMD before Zen 3 runs them bit by bit).
/// The environment variable DCHECK_PORTABLE_BITS=1 makes it false, for tests.
bool cpu_has_fast_bits();

/// A number all of whose bits depend on all bits of x; different for different x.
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93U;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93U;
  return x ^ (x >> 32);
}

constexpr unsigned bit_width_of(std::uint64_t value) {
  return value == 0 ? 1U : static_cast<unsigned>(std::bit_width(value));
}

constexpr std::uint64_t low_bits(unsigned count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace dcheck
