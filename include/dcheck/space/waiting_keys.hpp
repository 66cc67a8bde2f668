#pragma once
// Keys of rows that wait, so that they need not be read back from a store. Plain data.
//
// Entries of a queue or a stack are numbered without a gap; the keys of the youngest ones are here. They may be
// forgotten at any time: whoever takes an entry without a key asks the store. A ring, so that a queue takes no more
// memory than its longest time needed.

#include <algorithm>

#include "dcheck/base/page_array.hpp"

namespace dcheck {

class WaitingKeys {
 public:
  explicit WaitingKeys(MemoryBudget* budget = nullptr) : _keys(budget) {}

  /// From now on keys of so many words are kept; 0: none.
  void keep(std::size_t words) { _words = words; }

  /// Another entry begins to wait. null: its key is not at hand, and those of all others are forgotten.
  void add(std::uint64_t entry, const std::uint64_t* key) {
    if (_words == 0) return;
    if (key == nullptr) {
      _count = 0;
      return;
    }
    if (_count == _capacity) grow();
    if (_count == 0) _first = entry;
    std::copy_n(key, _words, at(_count++));
  }

  /// The oldest or the youngest entry is taken: its key, until another one is added; null where it is not here.
  const std::uint64_t* take(std::uint64_t entry) {
    if (_count == 0 || entry < _first) return nullptr;
    if (entry != _first) return at(--_count);
    const std::uint64_t* const key = at(0);
    ++_first;
    --_count;
    _begin = (_begin + 1) & (_capacity - 1);
    return key;
  }

  std::size_t bytes() const { return _keys.capacity() * 8; }

 private:
  static constexpr std::uint64_t first_capacity = 64;

  std::uint64_t* at(std::uint64_t i) const { return _keys.data() + ((_begin + i) & (_capacity - 1)) * _words; }
  /// In place: what stood before the ring's beginning moves behind its old end.
  void grow() {
    const std::uint64_t wider = _capacity == 0 ? first_capacity : 2 * _capacity;
    _keys.ensure(wider * _words);
    std::copy_n(_keys.data(), _begin * _words, _keys.data() + _capacity * _words);
    _capacity = wider;
  }

  PageVector<std::uint64_t> _keys;
  std::size_t _words = 0;
  std::uint64_t _capacity = 0;  // in keys: a power of two
  std::uint64_t _begin = 0, _count = 0;
  std::uint64_t _first = 0;  // the entry whose key stands at the ring's beginning
};

}  // namespace dcheck
