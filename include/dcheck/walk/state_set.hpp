#pragma once
// Sets of reachable states, one bit per state: a mask per row where rows have many lanes, a bit per row where
// they have one. All sets of one state space have the same size, so they are recycled.

#include <algorithm>
#include <cstring>
#include <vector>

#include "dcheck/base/page_array.hpp"

namespace dcheck {

class StateSet {
 public:
  StateSet() = default;
  StateSet(std::size_t words, MemoryBudget* budget) : _own(budget, Ahead::none), _words(words) {
    _own.ensure(words);
    _bits = _own.data();
  }
  /// A set whose bits are somebody else's, who outlives it; it must not be changed.
  static StateSet view_of(std::uint64_t* bits, std::size_t words) {
    StateSet set;
    set._bits = bits;
    set._words = words;
    return set;
  }
  StateSet(StateSet&&) = default;
  StateSet& operator=(StateSet&&) = default;

  std::uint64_t* data() { return _bits; }
  const std::uint64_t* data() const { return _bits; }
  std::size_t words() const { return _words; }

  void clear() { std::memset(_bits, 0, _words * 8); }
  void assign(const StateSet& other) { std::memcpy(_bits, other._bits, _words * 8); }
  void add(const StateSet& other) {
    for (std::size_t i = 0; i < _words; ++i) _bits[i] |= other._bits[i];
  }
  void keep(const StateSet& other) {
    for (std::size_t i = 0; i < _words; ++i) _bits[i] &= other._bits[i];
  }
  /// Becomes `all` without what it was.
  void complement(const StateSet& all) {
    for (std::size_t i = 0; i < _words; ++i) _bits[i] = all._bits[i] & ~_bits[i];
  }
  /// Becomes what `of` has and `without` has not; returns how many states that are.
  std::uint64_t become_difference(const StateSet& of, const StateSet& without) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < _words; ++i) {
      _bits[i] = of._bits[i] & ~without._bits[i];
      count += static_cast<std::uint64_t>(__builtin_popcountll(_bits[i]));
    }
    return count;
  }
  void add_difference(const StateSet& of, const StateSet& without) {
    for (std::size_t i = 0; i < _words; ++i) _bits[i] |= of._bits[i] & ~without._bits[i];
  }
  bool empty() const {
    return std::all_of(_bits, _bits + _words, [](std::uint64_t w) { return w == 0; });
  }
  bool operator==(const StateSet& other) const { return std::equal(_bits, _bits + _words, other._bits); }
  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < _words; ++i) sum += static_cast<std::uint64_t>(__builtin_popcountll(_bits[i]));
    return sum;
  }

 private:
  PageVector<std::uint64_t> _own;
  std::uint64_t* _bits = nullptr;
  std::size_t _words = 0;
};

/// Hands out sets, and lists of rows, and takes them back.
class SetPool {
 public:
  SetPool(std::size_t words, MemoryBudget* budget) : _words(words), _budget(budget) {}

  /// Whether a set can be handed out without more memory.
  bool has_some() const { return !_free.empty(); }
  /// Whether memory has room for so many sets.
  bool has_room_for(std::size_t sets) const {
    return sets <= _free.size() || _budget == nullptr || _budget->has_room_for((sets - _free.size()) * _words * 8);
  }

  /// With anything in it.
  StateSet some_set() {
    if (_free.empty()) return {_words, _budget};
    StateSet set = std::move(_free.back());
    _free.pop_back();
    return set;
  }
  StateSet empty_set() {
    const bool is_new = _free.empty();  // then it is zero
    StateSet set = some_set();
    if (!is_new) set.clear();
    return set;
  }
  StateSet copy_of(const StateSet& other) {
    StateSet set = some_set();
    set.assign(other);
    return set;
  }
  void give_back(StateSet&& set) {
    if (set.words() != 0) _free.push_back(std::move(set));
  }
  /// With room for so many rows, the same number in every call.
  PageVector<std::uint32_t> list_of_rows(std::uint64_t rows) {
    PageVector<std::uint32_t> list(_budget, Ahead::none);
    if (!_free_lists.empty()) {
      list = std::move(_free_lists.back());
      _free_lists.pop_back();
    }
    list.ensure(rows);
    return list;
  }
  void give_back(PageVector<std::uint32_t>&& list) { _free_lists.push_back(std::move(list)); }

 private:
  std::size_t _words;
  MemoryBudget* _budget;
  std::vector<StateSet> _free;
  std::vector<PageVector<std::uint32_t>> _free_lists;
};

}  // namespace dcheck
