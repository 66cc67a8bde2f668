#pragma once
// Keys, in two forms with a bijection between them.
//
//   stored form   one unsigned number a key place, without gaps between fields: what stores keep
//   working form  one field a key place, a place that depends on the key alone, or the key's part K of
//                 a place that depends on key and lane; each with a guard bit above it, always 0
//
// Both forms are linear in the tokens of the key places: firing adds one constant per word, and the
// working form of a stored key is a sum of constants, one per set bit (decode()).
// No field crosses a word. A field holds value + bias.

#include <cstdint>
#include <span>
#include <vector>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/ids.hpp"

namespace dcheck {

/// Where a number lies in the working form.
struct Field {
  std::uint32_t word = 0;
  std::uint32_t shift = 0;
  std::uint32_t width = 0;  // without the guard bit
  bool proven = false;      // an invariant keeps the number inside `width` bits
  Tokens bias = 0;

  std::uint64_t mask() const { return low_bits(width) << shift; }
  std::uint64_t guard() const { return std::uint64_t{1} << (shift + width); }
  Tokens value(const std::uint64_t* key) const {
    return static_cast<Tokens>((key[word] >> shift) & low_bits(width)) - bias;
  }
};

/// Where a key place lies in the stored form.
struct StoredField {
  std::uint32_t word = 0;
  std::uint32_t shift = 0;
  std::uint32_t width = 0;
};

/// What is added to one word of a key, modulo 2^64.
struct WordDelta {
  std::uint32_t word = 0;
  std::uint64_t delta = 0;
};

/// A change of tokens in key places: (index of the key place, difference).
using KeyChange = std::vector<std::pair<std::uint32_t, Tokens>>;

/// A number to lay out: constant + sum of coefficients * (tokens in key place i).
struct FieldRequest {
  std::vector<std::pair<std::uint32_t, Tokens>> terms;  // (index of the key place, coefficient)
  Tokens constant = 0;
  Tokens bias = 0;
  unsigned width = 1;
  bool proven = false;
};

class Layout {
 public:
  /// Key place i has requests[i] = itself (terms {(i, 1)}) and stored_widths[i] bits in the stored
  /// form; further requests are dependent numbers. `total` is one more linear number, not a field:
  /// decode() returns it beside the key.
  Layout(const std::vector<FieldRequest>& requests, const std::vector<unsigned>& stored_widths,
         const FieldRequest& total);

  std::size_t working_words() const { return _working_words; }
  std::size_t stored_words() const { return _stored_words; }
  /// Bits of the stored form, and the bytes a store keeps of it: whole words, then the last one's.
  unsigned stored_bits() const { return _stored_bits; }
  std::size_t stored_bytes() const { return _stored_bytes; }
  const Field& field(std::size_t request) const { return _fields[request]; }
  std::size_t field_count() const { return _fields.size(); }
  const StoredField& stored_field(std::size_t key_place) const { return _stored[key_place]; }

  /// Guard bits of the fields that no invariant bounds: set after firing = the field must grow.
  std::span<const std::uint64_t> unproven_guards() const { return _unproven_guards; }
  std::span<const std::uint64_t> all_guards() const { return _all_guards; }

  /// What a change of tokens adds to the forms; words ascending, no zeros.
  std::vector<WordDelta> working_delta(const KeyChange& change) const;
  std::vector<WordDelta> stored_delta(const KeyChange& change) const;

  /// Cold: the stored form of given tokens; tokens of a key place out of a stored form.
  std::vector<std::uint64_t> encode(std::span<const Tokens> key_tokens) const;
  Tokens stored_value(std::size_t key_place, const std::uint64_t* stored) const;

  /// Hot: writes working_words() words, returns the total.
  Tokens decode(const std::uint64_t* stored, std::uint64_t* working) const {
    return _byte_tables.empty() ? decode_by_bits(stored, working) : decode_by_bytes(stored, working);
  }
  /// The same where both forms are one word and can_decode_word(), the total only where it is asked for.
  bool can_decode_word() const { return _working_words == 1 && _stored_words == 1 && !_byte_tables.empty(); }
  std::uint64_t decode_word(std::uint64_t stored) const { return decode_part(stored, 0, _base[0]); }
  Tokens total_of_word(std::uint64_t stored) const {
    return static_cast<Tokens>(decode_part(stored, 1, static_cast<std::uint64_t>(_base_total)));
  }
  std::size_t bytes() const;

 private:
  struct Column {                      // what one stored bit adds
    std::uint32_t begin = 0, end = 0;  // into _column_words
    std::uint64_t total = 0;
  };

  void place_fields(const std::vector<FieldRequest>& requests);
  void place_stored(const std::vector<unsigned>& widths);
  void make_columns(const std::vector<FieldRequest>& requests, const FieldRequest& total);
  void make_byte_tables();

  std::uint64_t decode_part(std::uint64_t stored, std::size_t part, std::uint64_t sum) const {
    const std::uint64_t* row = _byte_tables.data() + part;
    for (unsigned byte = _word_bytes[0]; byte != 0; --byte, row += 512, stored >>= 8) sum += row[2 * (stored & 255)];
    return sum;
  }
  Tokens decode_by_bytes(const std::uint64_t* stored, std::uint64_t* working) const {
    const std::uint64_t* table = _byte_tables.data();
    const std::size_t stride = _working_words + 1;
    for (std::size_t w = 0; w < _working_words; ++w) working[w] = _base[w];
    auto total = static_cast<std::uint64_t>(_base_total);
    for (std::size_t s = 0; s < _stored_words; ++s) {
      std::uint64_t bits = stored[s];
      for (unsigned byte = 0; byte < _word_bytes[s]; ++byte, bits >>= 8, table += 256 * stride) {
        const std::uint64_t* row = table + (bits & 255) * stride;
        for (std::size_t w = 0; w < _working_words; ++w) working[w] += row[w];
        total += row[_working_words];
      }
    }
    return static_cast<Tokens>(total);
  }
  Tokens decode_by_bits(const std::uint64_t* stored, std::uint64_t* working) const {
    for (std::size_t w = 0; w < _working_words; ++w) working[w] = _base[w];
    auto total = static_cast<std::uint64_t>(_base_total);
    for (std::size_t s = 0; s < _stored_words; ++s)
      for (std::uint64_t bits = stored[s]; bits != 0; bits &= bits - 1) {
        const Column& column = _columns[s * 64 + static_cast<unsigned>(std::countr_zero(bits))];
        for (std::uint32_t i = column.begin; i < column.end; ++i)
          working[_column_words[i].word] += _column_words[i].delta;
        total += column.total;
      }
    return static_cast<Tokens>(total);
  }

  std::vector<Field> _fields;
  std::vector<StoredField> _stored;
  std::size_t _working_words = 0, _stored_words = 0, _stored_bytes = 0;
  unsigned _stored_bits = 0;
  std::vector<unsigned> _word_bytes;  // bytes in use, per stored word
  std::vector<std::uint64_t> _unproven_guards, _all_guards;
  std::vector<std::vector<WordDelta>> _key_columns;  // per key place: what one token adds to the working form
  std::vector<std::uint64_t> _base;                  // working form of the empty key
  Tokens _base_total = 0;
  std::vector<Column> _columns;  // per stored bit
  std::vector<WordDelta> _column_words;
  std::vector<std::uint64_t> _byte_tables;  // per stored byte and value; empty where they would be large
};

}  // namespace dcheck
