#pragma once
// A total order and a hash of expressions, for sorting and sharing equal ones.

#include <compare>
#include <cstddef>

#include "dcheck/net/expression.hpp"

namespace dcheck {

/// By kind, then by what that kind holds, then by children, first to last. Equal means ==.
std::strong_ordering order(const Expression& a, const Expression& b);

inline bool comes_before(const Expression& a, const Expression& b) {
  return order(a, b) < 0;
}

/// Mixes one more number into a hash.
constexpr std::size_t mixed(std::size_t hash, std::size_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}

std::size_t hash_of(const Expression& expression);

}  // namespace dcheck
