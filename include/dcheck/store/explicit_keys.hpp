#pragma once
// Keys stored whole, one after another, numbered 0, 1, 2, ... With collapsing (paper one): keys are cut into parts of 16
// bits, the values that occur in a part are numbered as they come, and a key is stored as these numbers, each in as many
// bits as its part needs so far. Nothing is to be guessed: when a part's numbers outgrow their bits, later keys are
// stored with more.

#include <cstdint>
#include <vector>

#include "dcheck/base/page_array.hpp"

namespace dcheck {

class ExplicitKeys {
 public:
  /// Keys of `words` words, of which the first `bytes` bytes are in use.
  ExplicitKeys(std::size_t words, std::size_t bytes, bool collapse, MemoryBudget* budget = nullptr);

  /// Appends a key; its number is size() before.
  void append(const std::uint64_t* key);
  /// Writes `words` words.
  void read(std::uint64_t number, std::uint64_t* out) const;
  /// Whether the key with this number is this one; stops at the first part that differs.
  bool equals(std::uint64_t number, const std::uint64_t* key) const;
  /// Starts to fetch what read() and equals() look at.
  void prefetch(std::uint64_t number) const;

  std::uint64_t size() const { return _size; }
  /// Keys and tables.
  std::size_t bytes() const;

 private:
  std::size_t _words, _bytes;
  bool _collapse;
  std::uint64_t _size = 0;
};

}  // namespace dcheck
