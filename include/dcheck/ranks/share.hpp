#pragma once
// What is sent once between all ranks: any type that Boost.Serialization can carry. Alone nothing is sent.

#include "dcheck/comm/collectives.hpp"
#include "dcheck/ranks/ranks.hpp"

namespace dcheck {

/// Collective. Rank 0's value replaces that of all others.
template <typename T>
void share(const Ranks& ranks, T& value) {
  if (!ranks.is_alone()) broadcast(ranks.cluster(), value);
}

/// Collective. Rank 0 gets the values of all ranks in their order, others nothing.
template <typename T>
std::vector<T> gather(const Ranks& ranks, const T& value) {
  if (ranks.is_alone()) return {value};
  return gather(ranks.cluster(), value);
}

}  // namespace dcheck
