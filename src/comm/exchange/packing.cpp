#include "comm/exchange/packing.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace dcheck {

namespace {

constexpr std::size_t word_bits = 64, mask_count_bits = 32, width_bits = 8;

constexpr std::size_t words_for(std::size_t bits) {
  return (bits + word_bits - 1) / word_bits;
}

/// Where the parts of packed records are.
struct Layout {
  std::size_t head_words, dictionary_words, record_bits, words;

  Layout(const RecordShape& shape, std::size_t count, std::size_t masks, std::span<const std::uint8_t> widths)
      : head_words(words_of_head(shape)), dictionary_words(masks * shape.mask_words), record_bits(width_of(masks)) {
    for (const std::uint8_t width : widths) record_bits += width;
    words = head_words + dictionary_words + words_for(count * record_bits);
  }

  static std::size_t words_of_head(const RecordShape& shape) {
    return words_for(mask_count_bits + shape.identity_words() * width_bits);
  }
  /// Of the number of one of so many masks.
  static std::uint8_t width_of(std::size_t masks) { return static_cast<std::uint8_t>(std::bit_width(masks - 1)); }
};

/// Writes values of up to 64 bits one after another.
class BitWriter {
 public:
  explicit BitWriter(std::uint64_t* to) : _to(to) {}
  /// @pre value < 2^width
  void put(std::uint64_t value, std::size_t width) {
    _open |= value << _used;
    const std::size_t end = _used + width;
    if (end >= word_bits) {
      *_to++ = _open;
      _open = _used == 0 ? 0 : value >> (word_bits - _used);
    }
    _used = end % word_bits;
  }
  void finish() {
    if (_used != 0) *_to = _open;
  }

 private:
  std::uint64_t* _to;
  std::uint64_t _open = 0;
  std::size_t _used = 0;  // of _open, in bits
};

/// Reads what a BitWriter wrote, and nothing beyond.
class BitReader {
 public:
  explicit BitReader(const std::uint64_t* from) : _from(from) {}
  std::uint64_t get(std::size_t width) {
    if (width == 0) return 0;
    std::uint64_t value = *_from >> _used;
    const std::size_t end = _used + width;
    if (end >= word_bits) ++_from;
    if (end > word_bits) value |= *_from << (word_bits - _used);
    _used = end % word_bits;
    return value & (~std::uint64_t{0} >> (word_bits - width));
  }

 private:
  const std::uint64_t* _from;
  std::size_t _used = 0;  // of *_from, in bits
};

std::uint64_t hash_of(const std::uint64_t* mask, std::size_t words) {
  constexpr std::uint64_t spread = 0x9E3779B97F4A7C15U;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < words; ++i) {
    hash = (hash ^ mask[i]) * spread;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

std::size_t Packer::measure(const RecordShape& shape, const std::uint64_t* records, std::size_t count) {
  _shape = shape;
  _records = records;
  _count = count;
  if (!number_masks()) return 0;
  measure_identities();
  const std::size_t words = Layout(shape, count, _first.size(), _widths).words;
  return words < count * shape.words() ? words : 0;
}

bool Packer::number_masks() {
  // With more of them little could be gained, and looking for them costs most.
  const std::size_t most = _count / 2;
  _first.clear();
  if (most == 0) return false;
  _index.assign(std::bit_ceil(2 * most + 2), 0);
  _number.resize(_count);
  for (std::size_t record = 0; record < _count; ++record) {
    const bool is_as_before = record != 0 && equal_words(mask(record), mask(record - 1), _shape.mask_words);
    const std::size_t number = is_as_before ? _number[record - 1] : find_mask(record);
    if (number == most) return false;
    _number[record] = static_cast<std::uint32_t>(number);
  }
  return true;
}

std::size_t Packer::find_mask(std::size_t record) {
  const std::size_t last = _index.size() - 1;
  std::size_t slot = hash_of(mask(record), _shape.mask_words) & last;
  for (; _index[slot] != 0; slot = (slot + 1) & last) {
    const std::size_t number = _index[slot] - 1;
    if (equal_words(mask(record), mask(_first[number]), _shape.mask_words)) return number;
  }
  _first.push_back(static_cast<std::uint32_t>(record));
  _index[slot] = static_cast<std::uint32_t>(_first.size());
  return _first.size() - 1;
}

void Packer::measure_identities() {
  _widths.resize(_shape.identity_words());
  for (std::size_t word = 0; word < _widths.size(); ++word) {
    std::uint64_t any = 0;
    for (std::size_t record = 0; record < _count; ++record) any |= _records[record * _shape.words() + word];
    _widths[word] = static_cast<std::uint8_t>(std::bit_width(any));
  }
}

void Packer::pack(std::uint64_t* packed) const {
  const Layout layout(_shape, _count, _first.size(), _widths);
  BitWriter head(packed);
  head.put(_first.size(), mask_count_bits);
  for (const std::uint8_t width : _widths) head.put(width, width_bits);
  head.finish();
  std::uint64_t* dictionary = packed + layout.head_words;
  for (const std::uint32_t record : _first) {
    copy_words(dictionary, mask(record), _shape.mask_words);
    dictionary += _shape.mask_words;
  }
  BitWriter bits(dictionary);
  const std::size_t number_width = Layout::width_of(_first.size());
  const std::uint64_t* identity = _records;
  for (std::size_t record = 0; record < _count; ++record, identity += _shape.words()) {
    for (std::size_t word = 0; word < _widths.size(); ++word) bits.put(identity[word], _widths[word]);
    bits.put(_number[record], number_width);
  }
  bits.finish();
}

void unpack(std::span<const std::uint64_t> packed, const RecordShape& shape, std::size_t count,
            std::uint64_t* records) {
  const auto refuse_unless = [](bool is_right) {
    if (!is_right) throw std::logic_error("packed records of another shape came");
  };
  refuse_unless(packed.size() >= Layout::words_of_head(shape));
  BitReader head(packed.data());
  const std::size_t masks = head.get(mask_count_bits);
  std::vector<std::uint8_t> widths(shape.identity_words());
  for (std::uint8_t& width : widths) {
    width = static_cast<std::uint8_t>(head.get(width_bits));
    refuse_unless(width <= word_bits);
  }
  refuse_unless(masks >= 1 && masks <= count);
  const Layout layout(shape, count, masks, widths);
  refuse_unless(packed.size() == layout.words);

  const std::uint64_t* const dictionary = packed.data() + layout.head_words;
  BitReader bits(dictionary + layout.dictionary_words);
  const std::size_t number_width = Layout::width_of(masks);
  for (std::size_t record = 0; record < count; ++record) {
    for (const std::uint8_t width : widths) *records++ = bits.get(width);
    const std::size_t number = bits.get(number_width);
    refuse_unless(number < masks);
    copy_words(records, dictionary + number * shape.mask_words, shape.mask_words);
    records += shape.mask_words;
  }
}

}  // namespace dcheck
