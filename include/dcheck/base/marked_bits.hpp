#pragma once
// A set of small integers that finds its next member in a few steps however few there are: a tree of
// words, 64 children each. Used to find work in a large table without a list of it.

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace dcheck {

class MarkedBits {
 public:
  void reset(std::size_t count) {
    for (auto& level : _levels) {
      count = (count + 63) / 64;
      level.assign(count, 0);
    }
  }

  void set(std::size_t i) {
    for (auto& level : _levels) {
      std::uint64_t& word = level[i / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (i % 64);
      if (!was_empty) return;
      i /= 64;
    }
  }

  void clear(std::size_t i) {
    for (auto& level : _levels) {
      std::uint64_t& word = level[i / 64];
      word &= ~(std::uint64_t{1} << (i % 64));
      if (word != 0) return;
      i /= 64;
    }
  }

  static constexpr std::size_t none = ~std::size_t{0};

  /// The smallest member >= from.
  std::size_t next(std::size_t from) const {
    std::size_t depth = 0;
    std::size_t at = from;
    for (; depth < _levels.size(); ++depth) {  // climb until a word has a member at or after `at`
      if (at / 64 >= _levels[depth].size()) return none;
      const std::uint64_t rest = _levels[depth][at / 64] >> (at % 64);
      if (rest != 0) {
        at += static_cast<std::size_t>(std::countr_zero(rest));
        break;
      }
      at = at / 64 + 1;
    }
    if (depth == _levels.size()) return none;
    while (depth-- > 0) at = at * 64 + static_cast<std::size_t>(std::countr_zero(_levels[depth][at]));
    return at;
  }

  std::size_t bytes() const {
    std::size_t words = 0;
    for (const auto& level : _levels) words += level.size();
    return words * 8;
  }

 private:
  std::array<std::vector<std::uint64_t>, 5> _levels;  // 64^5 members and more at the top
};

}  // namespace dcheck
