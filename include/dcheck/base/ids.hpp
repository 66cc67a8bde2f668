#pragma once
// Indices are types: a place can never be passed where a transition is meant.

#include <cstddef>
#include <cstdint>

namespace dcheck {

enum class Place : std::uint32_t {};
enum class Transition : std::uint32_t {};

/// Number of tokens, arc weight or coefficient. Input beyond 2^63 - 1 is refused by the parsers.
using Tokens = std::int64_t;

constexpr std::size_t index(Place p) {
  return static_cast<std::size_t>(p);
}
constexpr std::size_t index(Transition t) {
  return static_cast<std::size_t>(t);
}

}  // namespace dcheck
