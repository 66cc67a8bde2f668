#pragma once
// Tells the records that this rank owns from those of other ranks, and sends the latter. Alone, all are its own.

#include "dcheck/space/state_space.hpp"

namespace dcheck {

/// K, M: words of a key and of a mask, where the compiler knows them; any_words otherwise.
template <int K, int M>
class Sender {
 public:
  explicit Sender(StateSpace& space)
      : _counts(space.state.counts),
        _exchange(space.ranks.is_alone() ? nullptr : &space.ranks.exchange()),
        _allocation(space.allocation),
        _rank(space.ranks.rank()),
        _to(_rank) {}

  bool is_alone() const { return _exchange == nullptr; }

  /// The row whose successors come next.
  void begin_row(const std::uint64_t* key) {
    if (!is_alone()) _sum = _allocation.sum(key);
  }
  Rank rank() const { return _rank; }

  /// Of a key of one word, where the plan's layout is fixed.
  template <typename Bits>
  Rank owner_of_word(std::uint64_t key) const {
    return _allocation.owner_of_word<Bits>(key);
  }
  /// Many such keys at once. Their arcs are counted already.
  void send(const std::uint64_t* keys, const Rank* owners, std::size_t count) {
    _exchange->commit_words(keys, owners, count);
  }

  /// Whether another rank owns the record that comes next: the one that a transition leads to, or one with this key.
  bool aim_after(PlanTransition transition) { return !is_alone() && aim_by_sum(_sum + _allocation.delta(transition)); }
  bool aim_at(const std::uint64_t* key) { return !is_alone() && aim_by_sum(_allocation.sum(key)); }
  bool is_aimed_away() const { return _to != _rank; }
  Rank aimed_at() const { return _to; }

  /// Where to write the key of a record that is aimed away, and what ends it. `arcs`: how many it stands for.
  std::uint64_t* record() { return _exchange->record(_to); }
  void commit(std::uint64_t hash, const std::uint64_t* mask, std::uint64_t arcs) {
    _counts.cross_arcs += arcs;
    _exchange->commit<K, M>(_to, hash, mask);
  }

 private:
  bool aim_by_sum(std::uint64_t sum) {
    _to = _allocation.owner(sum);
    return is_aimed_away();
  }

  SearchCounts& _counts;
  Exchange* _exchange;
  const Allocation& _allocation;
  Rank _rank, _to;
  std::uint64_t _sum = 0;
};

}  // namespace dcheck
