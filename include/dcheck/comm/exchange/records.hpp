#pragma once
// The records of a phase: fixed numbers of 64-bit words, one record after another in a batch:
//
//   key | transition, where the phase has it | mask of lanes
//
// The hash of a key does not travel: it is linear, the receiver makes it from the key in a few cycles.

#include <cstddef>
#include <cstdint>

#include "dcheck/base/ids.hpp"

namespace dcheck {

struct RecordShape {
  std::size_t key_words = 1;   // at least 1
  std::size_t mask_words = 0;  // 0: one lane, which is meant by the record's being there
  bool has_transition = false;

  std::size_t identity_words() const { return key_words + (has_transition ? 1 : 0); }
  std::size_t words() const { return identity_words() + mask_words; }
};

/// What may be joined in the output buffers (docs/decisions/0006).
enum class Merging : std::uint8_t {
  none,
  /// A record may be handled twice, and two with one key as one with both masks: exploration, EX, EU.
  /// Masks are OR-ed in the buffer, lanes sent before are not sent again.
  idempotent,
  /// Every lane of every record counts once: AU. Joined only where key and transition are the same, and
  /// then the masks must be disjoint (std::logic_error otherwise). Nothing is left out.
  counting
};

/// The records of one batch that has come. Valid while it is handled.
struct Records {
  Rank from{};
  RecordShape shape;
  std::size_t count = 0;
  const std::uint64_t* words = nullptr;

  const std::uint64_t* key(std::size_t i) const { return words + i * shape.words(); }
  std::uint32_t transition(std::size_t i) const { return static_cast<std::uint32_t>(key(i)[shape.key_words]); }
  const std::uint64_t* mask(std::size_t i) const { return key(i) + shape.identity_words(); }
};

/// A number of words that the compiler knows (N >= 0), or one that is carried along.
inline constexpr int any_words = -1;
template <int N>
constexpr std::size_t words_or(std::size_t carried) {
  return N >= 0 ? static_cast<std::size_t>(N) : carried;
}

inline bool equal_words(const std::uint64_t* a, const std::uint64_t* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (a[i] != b[i]) return false;
  return true;
}
inline void copy_words(std::uint64_t* to, const std::uint64_t* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

}  // namespace dcheck
