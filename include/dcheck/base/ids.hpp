#pragma once
// Indices are types: a place can never be passed where a transition is meant, nor a lane where a row is meant.

#include <cstddef>
#include <cstdint>

namespace dcheck {

enum class Place : std::uint32_t {};
enum class Transition : std::uint32_t {};

/// The number of a leaf marking in a plan: into LaneSpace::lanes, and a bit of every mask. Another plan has other
/// lanes.
enum class Lane : std::uint32_t {};

/// Where a transition stands in Plan::transitions(), which leaves out those that can never fire.
enum class PlanTransition : std::uint32_t {};

/// One process of a run, from 0 on. How many there are is a plain number.
enum class Rank : std::int32_t {};
/// It reads, plans and reports for all.
inline constexpr Rank rank_0{0};

/// A row of this rank, as walks name it: its number in a store of dense rows, its slot in a store of slots.
enum class Row : std::uint64_t {};

/// Number of tokens, arc weight or coefficient. Input beyond 2^63 - 1 is refused by the parsers.
using Tokens = std::int64_t;

constexpr std::size_t index(Place p) {
  return static_cast<std::size_t>(p);
}
constexpr std::size_t index(Transition t) {
  return static_cast<std::size_t>(t);
}
constexpr std::size_t index(Lane lane) {
  return static_cast<std::size_t>(lane);
}
constexpr std::size_t index(PlanTransition t) {
  return static_cast<std::size_t>(t);
}
constexpr std::size_t index(Rank rank) {
  return static_cast<std::size_t>(rank);
}
constexpr std::size_t index(Row row) {
  return static_cast<std::size_t>(row);
}

/// The first `count` of a kind of index, for a range-based loop.
template <typename Id>
class FirstIds {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(std::size_t at) : _at(at) {}
    constexpr Id operator*() const { return static_cast<Id>(_at); }
    constexpr Iterator& operator++() {
      ++_at;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    std::size_t _at;
  };
  constexpr explicit FirstIds(std::size_t count) : _count(count) {}
  constexpr Iterator begin() const { return Iterator(0); }
  constexpr Iterator end() const { return Iterator(_count); }

 private:
  std::size_t _count;
};

}  // namespace dcheck
