#pragma once
// Casts across integer widths go through one checked function.

#include <concepts>
#include <stdexcept>
#include <utility>

namespace dcheck {

template <std::integral To, std::integral From>
constexpr To narrow(From value) {
  if (!std::in_range<To>(value)) throw std::range_error("value does not fit");
  return static_cast<To>(value);
}

}  // namespace dcheck
