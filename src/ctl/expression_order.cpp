#include "ctl/expression_order.hpp"

#include <algorithm>

namespace dcheck {

std::strong_ordering order(const Expression& a, const Expression& b) {
  if (const auto by = a.kind <=> b.kind; by != 0) return by;
  if (const auto by = a.value <=> b.value; by != 0) return by;
  if (const auto by = a.place <=> b.place; by != 0) return by;
  if (const auto by = a.transition <=> b.transition; by != 0) return by;
  return std::lexicographical_compare_three_way(a.children.begin(), a.children.end(), b.children.begin(),
                                                b.children.end(), order);
}

std::size_t hash_of(const Expression& expression) {
  std::size_t hash = static_cast<std::size_t>(expression.kind);
  hash = mixed(hash, static_cast<std::size_t>(expression.value));
  hash = mixed(hash, index(expression.place));
  hash = mixed(hash, index(expression.transition));
  for (const Expression& child : expression.children) hash = mixed(hash, hash_of(child));
  return mixed(hash, expression.children.size());
}

}  // namespace dcheck
