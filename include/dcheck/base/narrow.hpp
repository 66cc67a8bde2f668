#pragma once
// Casts across integer widths go through one checked function; indices of 32 bits into flat arrays.

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace dcheck {

template <std::integral To, std::integral From>
constexpr To narrow(From value) {
  if (!std::in_range<To>(value)) throw std::range_error("value does not fit");
  return static_cast<To>(value);
}

/// The number of elements as an index of 32 bits: where the next element of a flat array will lie.
template <typename List>
constexpr std::uint32_t end_of(const List& list) {
  return narrow<std::uint32_t>(list.size());
}

/// Elements of a flat array, from `begin` up to `end`, which is not one of them.
struct Range {
  std::uint32_t begin = 0, end = 0;
};

}  // namespace dcheck
