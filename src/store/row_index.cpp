#include "dcheck/store/row_index.hpp"

#include <algorithm>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

constexpr std::uint64_t first_slots = 1024;
constexpr std::uint64_t small_table = 65536;  // smaller ones double
constexpr unsigned least_distance_bits = 6;
constexpr unsigned most_entry_bits = 57;  // with up to 7 bits before it, an entry lies in 8 bytes

constexpr std::uint64_t fullest(std::uint64_t slots) {
  return slots / 20 * 17;
}

/// Writes numbers of some bits one after another. Only words all of whose bits were written are touched before
/// finish(), so that what lies right behind may still be read.
class BitWriter {
 public:
  BitWriter(std::byte* table, std::uint64_t first_bit)
      : _at(table + (first_bit >> 6) * 8),
        _filled(static_cast<unsigned>(first_bit & 63)),
        _word(get() & low_bits(_filled)) {}

  void write(std::uint64_t value, unsigned bits) {
    _word |= value << _filled;
    _filled += bits;
    if (_filled < 64) return;
    put(_word);
    _filled -= 64;
    _word = value >> (bits - _filled);
  }
  void write_zeros(std::uint64_t bits) {
    for (bits += _filled; bits >= 64; bits -= 64) {
      put(_word);
      _word = 0;
    }
    _filled = static_cast<unsigned>(bits);
  }
  void finish() { put(_word | (get() & ~low_bits(_filled))); }

 private:
  std::uint64_t get() const {
    std::uint64_t word = 0;
    std::memcpy(&word, _at, 8);
    return word;
  }
  void put(std::uint64_t word) {
    std::memcpy(_at, &word, 8);
    _at += 8;
  }

  std::byte* _at;
  unsigned _filled;
  std::uint64_t _word;
};

/// The same from the end of a word downwards: each number lies before the one written last.
class DownwardBitWriter {
 public:
  DownwardBitWriter(std::byte* table, std::uint64_t end_bit) : _at(table + (end_bit >> 6) * 8) {}

  void write(std::uint64_t value, unsigned bits) {
    if (bits < _free) {
      _free -= bits;
      _word |= value << _free;
      return;
    }
    const unsigned left = bits - _free;
    put(_word | value >> left);
    _free = 64 - left;
    _word = left == 0 ? 0 : value << _free;
  }
  void write_zeros(std::uint64_t bits) {
    for (; bits >= _free; _free = 64) {
      bits -= _free;
      put(_word);
      _word = 0;
    }
    _free -= static_cast<unsigned>(bits);
  }
  void finish() {
    if (_free == 64) return;
    std::uint64_t below = 0;
    std::memcpy(&below, _at - 8, 8);
    put(_word | (below & low_bits(_free)));
  }

 private:
  void put(std::uint64_t word) {
    _at -= 8;
    std::memcpy(_at, &word, 8);
  }

  std::byte* _at;
  unsigned _free = 64;
  std::uint64_t _word = 0;
};

/// The smallest descriptor of each home, from the last one downwards: of home h it is h * 2^bits / slots, rounded up.
class FirstOfHome {
 public:
  FirstOfHome(unsigned descriptor_bits, std::uint64_t slots)
      : _slots(slots),
        _quotient((std::uint64_t{1} << descriptor_bits) / slots),
        _remainder((std::uint64_t{1} << descriptor_bits) % slots),
        _home(slots),
        _first(std::uint64_t{1} << descriptor_bits),
        _over(slots - 1) {}

  std::uint64_t of(std::uint64_t home) {
    for (; _home > home; --_home) {
      const bool borrows = _over < _remainder;
      _first -= _quotient + (borrows ? 1 : 0);
      _over += (borrows ? _slots : 0) - _remainder;
    }
    return _first;
  }

 private:
  std::uint64_t _slots, _quotient, _remainder;
  std::uint64_t _home;
  std::uint64_t _first, _over;  // _home * 2^bits + slots - 1 = _first * slots + _over
};

}  // namespace

RowIndex::RowIndex(unsigned descriptor_bits, MemoryBudget* budget) : _descriptor_bits(descriptor_bits), _table(budget) {
  const Shape shape = shape_for(first_slots, 0);
  _table.ensure(bytes_to_become(shape));
  _shape = shape;
  _size_limit = fullest(shape.slots);
}

/// A shape of so many slots, or more where entries would be too wide.
RowIndex::Shape RowIndex::shape_for(std::uint64_t slots, Row largest_row) const {
  const std::uint64_t descriptors = std::uint64_t{1} << _descriptor_bits;
  // More slots make no distance longer by more than one, since differences of homes are rounded. One more is to spare.
  const unsigned distance_bits = std::max(least_distance_bits, bit_width_of(_farthest + 3));
  unsigned row_bits = bit_width_of(std::max<std::uint64_t>(largest_row, fullest(slots) - 1));
  auto rest_bits = static_cast<unsigned>(std::bit_width((descriptors + slots - 1) / slots - 1));
  if (distance_bits + rest_bits + row_bits > most_entry_bits) {
    // Far from what hashes do: a sea of equal descriptors, or few rows with large numbers.
    row_bits = bit_width_of(largest_row);
    const unsigned others = distance_bits + row_bits;
    if (others > most_entry_bits) throw ResourceError("the index of rows is full: too many rows share a descriptor");
    rest_bits = std::min(rest_bits, most_entry_bits - others);
    slots = std::max(slots, descriptors >> rest_bits);
  }

  Shape shape;
  shape.slots = slots;
  // More than a distance can be: nothing meets the end of the table, and see become().
  shape.capacity = slots + (std::uint64_t{1} << distance_bits);
  shape.row_bits = row_bits;
  shape.distance_bits = distance_bits;
  shape.distance_shift = rest_bits + row_bits;
  shape.entry_bits = distance_bits + rest_bits + row_bits;
  shape.entry_mask = low_bits(shape.entry_bits);
  shape.row_mask = low_bits(row_bits);
  shape.rest_mask = low_bits(rest_bits);
  shape.one_slot = std::uint64_t{1} << shape.distance_shift;
  shape.align = 64 - _descriptor_bits;
  if (rest_bits != 0) {
    // With 2^s < slots <= 2^(s+1), the reciprocal is 2^(64+s) / slots + e / slots, 0 < e <= slots. A dividend is below
    // 2^40, so the error of a quotient is below 1 / slots: it never reaches the next integer.
    const auto s = static_cast<unsigned>(std::bit_width(slots - 1)) - 1;
    shape.reciprocal = static_cast<std::uint64_t>((static_cast<Wide>(1) << (64 + s)) / slots) + 1;
    shape.reciprocal_shift = s + shape.align;
  }
  return shape;
}

void RowIndex::insert(std::uint64_t descriptor, Row row) {
  if (_size >= _size_limit || row > _shape.row_mask || _farthest >= _shape.most_distance()) make_room(row);
  const Position at = lower_bound(descriptor);
  // Every entry up to the next hole moves by one slot, and its distance grows by one: no more than there is room for.
  std::uint64_t bit = at.slot * _shape.entry_bits;
  std::uint64_t entry = at.wanted - _shape.row_mask + row;
  std::uint64_t largest = entry;
  BitWriter out(_table.data(), bit);
  while (true) {
    const std::uint64_t displaced = load_at(bit) & _shape.entry_mask;
    out.write(entry, _shape.entry_bits);
    if (displaced == 0) break;
    entry = displaced + _shape.one_slot;
    largest = std::max(largest, entry);
    bit += _shape.entry_bits;
  }
  out.finish();
  _farthest = std::max(_farthest, _shape.distance(largest));
  _largest_row = std::max(_largest_row, row);
  ++_size;
}

/// Makes room for one more entry: more slots, or wider entries where the table is far from full.
void RowIndex::make_room(Row row) {
  const Row largest = std::max(row, _largest_row);
  const std::uint64_t slots = _shape.slots;
  const bool is_far = _farthest >= _shape.most_distance();
  if (_size < _size_limit && !(is_far && _size >= slots / 5 * 3)) {
    become(shape_for(slots, largest));
  } else if (slots < small_table) {
    become(shape_for(2 * slots, largest));
  } else {
    // An eighth must be had. Where memory is plenty, an array takes a sixteenth more than it is asked for: use that.
    const Shape least = shape_for(slots + slots / 8, largest);
    _table.ensure(bytes_to_become(least));
    const Shape most = shape_for(slots + slots / 16 * 3, largest);
    become(bytes_to_become(most) <= _table.usable() ? most : least);
  }
}

/// The bit where slot 0 lies while entries are packed, see become(). The last slot ends with a word.
std::uint64_t RowIndex::base_of_packed(const Shape& to) const {
  const std::uint64_t narrowed = _shape.entry_bits > to.entry_bits ? _shape.entry_bits - to.entry_bits : 0;
  const std::uint64_t base = _shape.capacity * narrowed;
  return base + (0 - (base + to.table_bits())) % 64;
}

std::size_t RowIndex::bytes_to_become(const Shape& to) const {
  return (base_of_packed(to) + to.table_bits()) / 8 + 8;  // a load may read 8 bytes from the last bit
}

/// Gives the table another shape, with no fewer slots.
///
/// First, in descending order, entries are packed towards the end in a mirror image of the table: entry i, with the new
/// home h'(i), goes to slot q(i), which is h'(i) + spare, or the one before q(i + 1) if that is less; it notes how far
/// that is below h'(i) + spare. Then, in ascending order, it goes to p'(i), which is h'(i), or the one after p'(i - 1)
/// if that is more. Nothing is overwritten before it was read:
///
/// Let D be the longest distance in the old table, D' that in the new one; D' <= D + 1 (see shape_for), and spare =
/// 2^distance_bits > D + 1. Both p' and q are as far from their homes as the largest (j - i) - (h'(j) - h'(i)), i < j,
/// which is D': noted distances fit too.
/// - Packing. For some j >= i, q(i) = h'(j) + spare - (j - i), and p(i) <= p(j) - (j - i) <= h(j) + D - (j - i). As
///   h'(j) >= h(j) and spare >= D, q(i) >= p(i). In bits: what is written is at or above base + q(i) * to.entry_bits,
///   and what is unread ends at p(i) * entry_bits. Where entries do not get narrower, the first is not less. Where they
///   get narrower by c bits, base is at least capacity * c, and p(i) <= capacity.
/// - Laying out. For some j <= i < k, q(i+1) - p'(i) = h'(k) - h'(j) + spare - (k - j) + 1 >= spare + 1 - D' > 0. Both
///   sides count slots of equal bits, so what is written ends at or below what is unread.
/// Writers touch no bits outside of what was written, until all is read.
void RowIndex::become(const Shape& to) {
  _table.ensure(bytes_to_become(to));
  const std::uint64_t base = base_of_packed(to);
  const std::uint64_t first_slot = pack_upwards(to, base);
  _shape = to;
  _size_limit = fullest(to.slots);
  lay_out(base, first_slot);
}

/// Returns the first slot in use.
std::uint64_t RowIndex::pack_upwards(const Shape& to, std::uint64_t base) {
  const std::uint64_t spare = to.capacity - to.slots;
  FirstOfHome first_of_home(_descriptor_bits, _shape.slots);
  DownwardBitWriter out(_table.data(), base + to.table_bits());
  std::uint64_t end = to.capacity;  // slots from here on are written
  for (std::uint64_t slot = _shape.capacity; slot-- > 0;) {
    const std::uint64_t entry = load(slot);
    if (entry == 0) continue;
    const std::uint64_t home = slot - _shape.distance(entry);
    const std::uint64_t rest = ~(entry >> _shape.row_bits) & _shape.rest_mask;
    const Place place = to.place(first_of_home.of(home) + rest);
    const std::uint64_t highest = place.home + spare;
    const std::uint64_t packed = std::min(highest, end - 1);
    out.write_zeros((end - 1 - packed) * to.entry_bits);
    out.write(to.entry_at_home(place.rest, row_of(entry)) + ((highest - packed) << to.distance_shift), to.entry_bits);
    end = packed;
  }
  out.finish();
  return end;
}

void RowIndex::lay_out(std::uint64_t base, std::uint64_t first_slot) {
  const std::uint64_t spare = _shape.capacity - _shape.slots;
  BitWriter out(_table.data(), 0);
  std::uint64_t end = 0;  // slots below are written
  _farthest = 0;
  for (std::uint64_t packed = first_slot; packed < _shape.capacity; ++packed) {
    const std::uint64_t entry = load_at(base + packed * _shape.entry_bits) & _shape.entry_mask;
    if (entry == 0) continue;
    const std::uint64_t home = packed + _shape.distance(entry) - spare;
    const std::uint64_t slot = std::max(home, end);
    out.write_zeros((slot - end) * _shape.entry_bits);
    out.write((entry & low_bits(_shape.distance_shift)) + ((slot - home + 1) << _shape.distance_shift),
              _shape.entry_bits);
    _farthest = std::max(_farthest, slot - home);
    end = slot + 1;
  }
  out.write_zeros((_shape.capacity - end) * _shape.entry_bits);
  out.finish();
}

}  // namespace dcheck
