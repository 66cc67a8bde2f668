#pragma once
// Numbers of any width, one after another without gaps, the lowest bit first.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

class BitWriter {
 public:
  explicit BitWriter(std::string& out) : _out(out) {}

  /// @pre bits <= 64, and the number has no more.
  void put(std::uint64_t number, unsigned bits) {
    _word |= number << _used;
    if (_used + bits < 64) {
      _used += bits;
      return;
    }
    flush_word(8);
    _word = _used == 0 ? 0 : number >> (64 - _used);
    _used = _used + bits - 64;
  }
  /// So many ones and a zero.
  void put_unary(unsigned ones) {
    for (; ones >= 32; ones -= 32) put(low_bits(32), 32);
    put(low_bits(ones), ones + 1);
  }
  /// To be called once.
  void finish() { flush_word((_used + 7) / 8); }

 private:
  void flush_word(std::size_t bytes) { _out.append(reinterpret_cast<const char*>(&_word), bytes); }

  std::string& _out;
  std::uint64_t _word = 0;
  unsigned _used = 0;
};

class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : _bytes(bytes) {}

  std::uint64_t take(unsigned bits) {
    if (bits == 0) return 0;
    std::uint64_t number = word_at(_at);
    if (_at % 8 + bits > 64) number |= word_at(_at - _at % 8 + 64) << (64 - _at % 8);
    _at += bits;
    return number & low_bits(bits);
  }
  unsigned take_unary() {
    unsigned ones = 0;
    while (true) {
      const auto here = static_cast<unsigned>(std::countr_one(word_at(_at)));
      const unsigned seen = std::min(here, 32U);
      ones += seen;
      _at += seen;
      if (seen < 32) break;
    }
    ++_at;
    return ones;
  }

 private:
  /// The bits from a position on: 57 of them at least, zeros behind the end.
  std::uint64_t word_at(std::size_t bit) const {
    const std::size_t byte = bit / 8;
    if (byte > _bytes.size()) throw InputError("its rows end too soon");
    std::uint64_t word = 0;
    std::memcpy(&word, _bytes.data() + byte, std::min<std::size_t>(8, _bytes.size() - byte));
    return word >> (bit % 8);
  }

  std::string_view _bytes;
  std::size_t _at = 0;  // bits
};

}  // namespace dcheck
