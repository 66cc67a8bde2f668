#pragma once
// Masks of lanes: single lanes of them, whole masks in the hot loop, and moving them by a transition: compress by its
// domain, expand by its image. Mask<W> has W words for W = 1, 2, 4, 6, 8, 12, 16; Mask<0> is any size up to 2048 lanes.
// Nothing here allocates.

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "dcheck/rows/lanes.hpp"

namespace dcheck {

// Lane i of a mask is bit i % 64 of word i / 64.

inline bool has_lane(const std::uint64_t* mask, Lane lane) {
  return (mask[index(lane) / 64] >> (index(lane) % 64) & 1) != 0;
}
/// Without a branch, also where `is_in` is not known before.
inline void add_lane(std::uint64_t* mask, Lane lane, bool is_in = true) {
  mask[index(lane) / 64] |= std::uint64_t{is_in} << (index(lane) % 64);
}
/// visit(lane) for every lane of the mask, ascending.
template <typename Visit>
void for_each_lane(const std::uint64_t* mask, std::size_t words, Visit&& visit) {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = mask[w]; bits != 0; bits &= bits - 1)
      visit(static_cast<Lane>(w * 64 + static_cast<unsigned>(std::countr_zero(bits))));
}

/// Some words of a mask, one after another: the others have no lane.
struct WordRange {
  std::uint8_t begin = 0, end = 0;

  static WordRange of(const std::uint64_t* mask, std::size_t words) {
    std::size_t begin = 0, end = words;
    while (end > 0 && mask[end - 1] == 0) --end;
    while (begin < end && mask[begin] == 0) ++begin;
    return {static_cast<std::uint8_t>(begin), static_cast<std::uint8_t>(end)};
  }
};

/// How many words a mask has: known to the compiler, or carried along.
template <int W>
struct Words {
  explicit Words(std::size_t) {}
  static constexpr std::size_t count() { return W; }
};
template <>
struct Words<0> {
  explicit Words(std::size_t words) : _count(words) {}
  std::size_t count() const { return _count; }

 private:
  std::size_t _count;
};

/// use(width) with the number of words that the compiler is told, width() being 0 where it is told none. In two halves
/// for those who compile them apart.
template <int W>
using Width = std::integral_constant<int, W>;
inline bool is_narrow(std::size_t words) {
  return words == 1 || words == 2 || words == 4;
}
template <typename Use>
auto with_narrow_width(std::size_t words, Use&& use) {
  return words == 1 ? use(Width<1>()) : words == 2 ? use(Width<2>()) : use(Width<4>());
}
template <typename Use>
auto with_wide_width(std::size_t words, Use&& use) {
  if (words == 6) return use(Width<6>());
  if (words == 8) return use(Width<8>());
  if (words == 12) return use(Width<12>());
  return words == 16 ? use(Width<16>()) : use(Width<0>());
}
template <typename Use>
auto with_width(std::size_t words, Use&& use) {
  return is_narrow(words) ? with_narrow_width(words, use) : with_wide_width(words, use);
}

template <int W>
struct Mask {
  static constexpr std::size_t capacity = W == 0 ? max_lanes / 64 : static_cast<std::size_t>(W);
  std::array<std::uint64_t, capacity> word;
};

template <int W>
class MaskOps {
 public:
  explicit MaskOps(std::size_t words) : _words(words) {}

  std::size_t count() const { return _words.count(); }

  Mask<W> zero() const {
    Mask<W> out;
    for (std::size_t i = 0; i < count(); ++i) out.word[i] = 0;
    return out;
  }
  Mask<W> load(const std::uint64_t* from) const {
    Mask<W> out;
    for (std::size_t i = 0; i < count(); ++i) out.word[i] = from[i];
    return out;
  }
  void store(std::uint64_t* to, const Mask<W>& mask) const {
    for (std::size_t i = 0; i < count(); ++i) to[i] = mask.word[i];
  }
  bool any(const Mask<W>& mask) const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < count(); ++i) all |= mask.word[i];
    return all != 0;
  }
  std::uint64_t size(const Mask<W>& mask) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count(); ++i) sum += static_cast<std::uint64_t>(std::popcount(mask.word[i]));
    return sum;
  }
  void keep(Mask<W>& mask, const std::uint64_t* other) const {
    for (std::size_t i = 0; i < count(); ++i) mask.word[i] &= other[i];
  }
  void drop(Mask<W>& mask, const std::uint64_t* other) const {
    for (std::size_t i = 0; i < count(); ++i) mask.word[i] &= ~other[i];
  }
  void join(Mask<W>& mask, const Mask<W>& other) const {
    for (std::size_t i = 0; i < count(); ++i) mask.word[i] |= other.word[i];
  }

  /// The i-th lane of `domain` becomes the i-th lane of `image`; `mask` is a subset of `domain`. Only the words in
  /// which these two have lanes are looked at, where there are enough words for that to pay.
  template <typename Bits>
  Mask<W> move(const Mask<W>& mask, const std::uint64_t* domain, WordRange of_domain, const std::uint64_t* image,
               WordRange of_image) const {
    Mask<W> out;
    if constexpr (W == 1) {
      out.word[0] = Bits::deposit(Bits::extract(mask.word[0], domain[0]), image[0]);
    } else {
      constexpr bool is_short = W == 2;
      const WordRange from = is_short ? WordRange{0, W} : of_domain, to = is_short ? WordRange{0, W} : of_image;
      if constexpr (!is_short) out = zero();
      std::array<std::uint64_t, Mask<W>::capacity + 1> stream;  // the lanes of the domain, side by side
      unsigned filled = 0;
      std::size_t at = 0;
      stream[0] = 0;
      for (std::size_t i = from.begin; i < from.end; ++i) {
        const std::uint64_t bits = Bits::extract(mask.word[i], domain[i]);
        const auto more = static_cast<unsigned>(std::popcount(domain[i]));
        stream[at] |= bits << filled;
        filled += more;
        if (filled >= 64) {
          filled -= 64;
          // Bits that did not fit: more - filled of them did.
          stream[++at] = filled == 0 ? 0 : bits >> (more - filled);
        }
      }
      stream[at + 1] = 0;
      unsigned taken = 0;
      at = 0;
      for (std::size_t i = to.begin; i < to.end; ++i) {
        std::uint64_t bits = stream[at] >> taken;
        if (taken != 0) bits |= stream[at + 1] << (64 - taken);
        out.word[i] = Bits::deposit(bits, image[i]);
        taken += static_cast<unsigned>(std::popcount(image[i]));
        if (taken >= 64) {
          taken -= 64;
          ++at;
        }
      }
    }
    return out;
  }

 private:
  [[no_unique_address]] Words<W> _words;
};

}  // namespace dcheck
