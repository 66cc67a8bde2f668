#pragma once
// The lanes: every marking the leaf may have, numbered in lexicographic order, and what is linear in
// them. Cold code: runs when a plan is made. Masks are runs of `words` 64-bit words, lane i = bit i.

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dcheck/base/ids.hpp"
#include "dcheck/base/patience.hpp"

namespace dcheck {

constexpr std::size_t max_lanes = 2048;

/// One entry an independent leaf place, in the order of the leaf.
using LeafMarking = std::vector<Tokens>;

/// What a transition asks of the leaf and does to it, the key being out of sight.
struct LeafAction {
  /// The sum of weight * leaf[position] over the terms is at least `at_least`.
  struct Test {
    std::vector<std::pair<std::uint32_t, Tokens>> terms;
    Tokens at_least = 0;
    auto operator<=>(const Test&) const = default;
  };
  std::vector<Test> tests;
  std::vector<std::pair<std::uint32_t, Tokens>> effect;  // (position, change), positions ascending, no zeros
  auto operator<=>(const LeafAction&) const = default;
};

/// Lexicographic and without duplicates.
struct LaneSpace {
  std::vector<LeafMarking> lanes;
  bool closed = false;  // no action leads out of it, unless to more tokens than 63 bits can count

  /// Words of a mask: as many as the lanes need, rounded up to a number that has code of its own.
  std::size_t words() const {
    const std::size_t needed = (lanes.size() + 63) / 64;
    for (const std::size_t words : {1U, 2U, 4U, 6U, 8U, 12U, 16U})
      if (needed <= words) return words;
    return needed;
  }
  std::optional<Lane> find(const LeafMarking& marking) const;
  const LeafMarking& operator[](Lane lane) const { return lanes[index(lane)]; }
  FirstIds<Lane> all() const { return FirstIds<Lane>(lanes.size()); }
};

/// All leaf markings that `actions` reach from `seeds` within the cuts (tests that hold in
/// every reachable marking of the net). Stops at `limit` lanes: then `closed` is false.
LaneSpace close_lanes(const std::vector<LeafMarking>& seeds, const std::vector<LeafAction>& actions,
                      const std::vector<LeafAction::Test>& cuts, std::size_t limit,
                      Patience& patience = endless_patience());

bool holds(const LeafAction::Test& test, std::span<const Tokens> leaf);

/// Writes what the action makes of a leaf, tested or not; false where a number leaves 63 bits.
bool take_effect(const LeafAction& action, std::span<const Tokens> from, std::span<Tokens> to);

/// An integer per lane, and for any threshold the mask of the lanes that reach it.
class LaneQuantity {
 public:
  LaneQuantity(std::vector<Tokens> values, std::size_t words);

  Tokens value(Lane lane) const { return _values[index(lane)]; }
  Tokens smallest() const { return _sorted.front(); }
  Tokens largest() const { return _sorted.back(); }
  /// The lanes with value >= threshold: `words` words.
  const std::uint64_t* at_least(Tokens threshold) const { return _masks.data() + step(threshold) * _words; }
  std::size_t bytes() const { return _masks.size() * 8 + _values.size() * 16; }

 private:
  std::size_t step(Tokens threshold) const;

  std::vector<Tokens> _values, _sorted;  // by lane; distinct and ascending
  std::vector<std::uint64_t> _masks;     // one mask per step, then an empty one
  std::size_t _words;
  bool _direct;  // steps are smallest, smallest + 1, ...: no search
};

}  // namespace dcheck
