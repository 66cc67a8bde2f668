#pragma once
// Tells the records that this rank owns from those of other ranks, and sends the latter. Alone, all are its own.

#include "dcheck/explore/state.hpp"
#include "dcheck/ranks/ranks.hpp"

namespace dcheck {

/// K, M: words of a key and of a mask, where the compiler knows them; any_words otherwise.
template <int K, int M>
class Sender {
 public:
  Sender(Ranks& ranks, ExploreState& state)
      : _state(state),
        _exchange(ranks.is_alone() ? nullptr : &ranks.exchange()),
        _allocation(ranks.allocation()),
        _rank(ranks.rank()),
        _to(_rank) {}

  bool is_alone() const { return _exchange == nullptr; }

  /// The row whose successors come next.
  void begin_row(const std::uint64_t* key) {
    if (!is_alone()) _sum = _allocation.sum(key);
  }
  std::uint64_t sum() const { return _sum; }
  int rank() const { return _rank; }
  int owner(std::uint64_t sum) const { return _allocation.owner(sum); }
  /// Keys of one word: expect() some time before send(); their arcs are counted already.
  void expect(std::uint64_t key) const { _exchange->expect(key); }
  void send(int to, std::uint64_t key) {
    *_exchange->record(to) = key;
    _exchange->commit<K, M>(to, key);
  }

  /// Whether another rank owns the record that comes next: the one that a transition leads to, or one with this key.
  bool aim_after(std::size_t transition) { return !is_alone() && aim_by_sum(_sum + _allocation.delta(transition)); }
  bool aim_at(const std::uint64_t* key) { return !is_alone() && aim_by_sum(_allocation.sum(key)); }
  bool is_aimed_away() const { return _to != _rank; }

  /// Where to write the key of a record that is aimed away, and what ends it. `arcs`: how many it stands for.
  std::uint64_t* record() { return _exchange->record(_to); }
  void commit(std::uint64_t hash, const std::uint64_t* mask, std::uint64_t arcs) {
    _state.cross_arcs += arcs;
    _exchange->commit<K, M>(_to, hash, mask);
  }

 private:
  bool aim_by_sum(std::uint64_t sum) {
    _to = owner(sum);
    return is_aimed_away();
  }

  ExploreState& _state;
  Exchange* _exchange;
  const Allocation& _allocation;
  int _rank, _to;
  std::uint64_t _sum = 0;
};

}  // namespace dcheck
