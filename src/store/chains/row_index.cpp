#include "store/chains/row_index.hpp"

#include <algorithm>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

constexpr std::uint64_t first_slots = 1024;
constexpr std::uint64_t small_table = 65536;  // smaller ones double
constexpr unsigned least_distance_bits = 6;
constexpr std::uint64_t chunk_slots = 512;  // moved at once: a buffer of them stays in the nearest cache

constexpr std::uint64_t fullest(std::uint64_t slots) {
  return slots / 20 * 17;
}

std::uint64_t get_word(const std::byte* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  return word;
}

void put_word(std::byte* at, std::uint64_t word) {
  std::memcpy(at, &word, 8);
}

/// Writes numbers one after another into a range of bits, all of it; bits around the range stay as they are.
class BitWriter {
 public:
  BitWriter(std::byte* table, std::uint64_t first_bit, std::uint64_t end_bit)
      : _at(table + (first_bit >> 6) * 8),
        _filled(static_cast<unsigned>(first_bit & 63)),
        _word(get_word(_at) & low_bits(_filled)),
        _behind(get_word(table + (end_bit >> 6) * 8) & ~low_bits(end_bit & 63)) {}

  /// Without branches, since which number fills a word is as good as random.
  void write(std::uint64_t value, unsigned bits) {
    _word |= value << _filled;
    put_word(_at, _word);
    const std::uint64_t carried = value >> 1 >> (63 - _filled);
    const bool is_full = _filled + bits >= 64;
    _word = is_full ? carried : _word;
    _at += is_full ? 8 : 0;
    _filled = (_filled + bits) & 63;
  }
  void write_zeros(std::uint64_t bits) {
    bits += _filled;
    put_word(_at, _word);
    const bool is_full = bits >= 64;  // once at most, but for long gaps
    _word = is_full ? 0 : _word;
    _at += is_full ? 8 : 0;
    for (bits -= is_full ? 64 : 0; bits >= 64; bits -= 64) {
      put_word(_at, 0);
      _at += 8;
    }
    _filled = static_cast<unsigned>(bits);
  }
  void finish() { put_word(_at, _word | _behind); }

 private:
  std::byte* _at;
  unsigned _filled;
  std::uint64_t _word, _behind;
};

}  // namespace

RowIndex::RowIndex(unsigned descriptor_bits, MemoryBudget* budget)
    : _descriptor_bits(descriptor_bits), _table(budget, Ahead::little) {
  const Geometry geometry = geometry_for(first_slots, 0);
  _table.ensure(geometry.bytes());
  take(geometry);
}

/// A geometry that the table can become(), of so many slots, or more where entries would be too wide.
RowIndex::Geometry RowIndex::geometry_for(std::uint64_t slots, Row largest_row) const {
  const std::uint64_t descriptors = std::uint64_t{1} << _descriptor_bits;
  // More slots make no distance longer by more than one, since differences of homes are rounded. One more is to spare.
  unsigned distance_bits = std::max(least_distance_bits, bit_width_of(_farthest + 3));
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
  // Entries may get narrower only by less than the slots become more, see become().
  while (distance_bits + rest_bits + row_bits < _geometry.entry_bits &&
         (distance_bits + rest_bits + row_bits) * (chunk_slots * slots - _geometry.slots) <
             _geometry.entry_bits * chunk_slots * _geometry.slots)
    ++distance_bits;

  Geometry geometry;
  geometry.slots = slots;
  geometry.capacity = slots + (std::uint64_t{1} << distance_bits) + looked_at;
  geometry.row_bits = row_bits;
  geometry.distance_bits = distance_bits;
  geometry.distance_shift = rest_bits + row_bits;
  geometry.entry_bits = distance_bits + rest_bits + row_bits;
  geometry.entry_mask = low_bits(geometry.entry_bits);
  geometry.row_mask = low_bits(row_bits);
  geometry.rest_mask = low_bits(rest_bits);
  geometry.one_slot = std::uint64_t{1} << geometry.distance_shift;
  geometry.align = 64 - _descriptor_bits;
  // With 2^s < slots <= 2^(s+1), the reciprocal is 2^(64+s) / slots + e / slots, 0 < e <= slots. A dividend is below
  // 2^40, so the error of a quotient is below 1 / slots: it never reaches the next integer.
  const auto s = static_cast<unsigned>(std::bit_width(slots - 1)) - 1;
  geometry.reciprocal = static_cast<std::uint64_t>((static_cast<Wide>(1) << (64 + s)) / slots) + 1;
  geometry.home_left = std::max(_descriptor_bits, s) - s;
  geometry.home_right = std::max(_descriptor_bits, s) - _descriptor_bits;
  geometry.rest_factor = rest_bits == 0 ? 0 : geometry.reciprocal;
  geometry.rest_shift = rest_bits == 0 ? 0 : s + geometry.align;
  return geometry;
}

void RowIndex::take(const Geometry& geometry) {
  _geometry = geometry;
  _size_limit = fullest(geometry.slots);
  _one_slot_each.fill(0);
  for (std::uint64_t slot = 0; slot < 64; ++slot) {
    const std::uint64_t bit = slot * geometry.entry_bits + geometry.distance_shift;
    _one_slot_each[bit >> 6] |= std::uint64_t{1} << (bit & 63);
  }
}

void RowIndex::insert(std::uint64_t descriptor, Row row) {
  if (_size >= _size_limit || row > _geometry.row_mask || _farthest >= _geometry.most_distance()) make_room(row);
  const Position at = lower_bound(descriptor);
  const std::uint64_t entry = at.wanted - _geometry.row_mask + row;
  // Every entry up to the next hole moves by one slot. No distance was the longest possible, so all fit.
  std::uint64_t hole = at.slot;
  std::uint64_t largest = entry - _geometry.one_slot;
  while (const std::uint64_t displaced = load(hole)) {
    largest = std::max(largest, displaced);
    ++hole;
  }
  shift_in(at.slot, hole, entry);
  _farthest = std::max(_farthest, _geometry.distance(largest + _geometry.one_slot));
  _largest_row = std::max(_largest_row, row);
  ++_size;
}

/// Moves the entries before the hole by one slot, each with one more in its distance, and puts `entry` in the place
/// that becomes free. Works on whole words: all entries are shifted as one long number, then one number with a bit for
/// each entry is added to it.
void RowIndex::shift_in(std::uint64_t slot, std::uint64_t hole, std::uint64_t entry) {
  const unsigned bits = _geometry.entry_bits;
  const std::uint64_t first_bit = slot * bits;
  const std::uint64_t end_bit = (hole + 1) * bits;
  const auto offset = static_cast<unsigned>(first_bit & 63);
  entry -= _geometry.one_slot;  // what is added will be for this entry, too
  std::uint64_t coming = entry << offset;
  std::uint64_t coming_next = entry >> 1 >> (63 - offset);
  std::uint64_t kept = low_bits(offset);
  std::uint64_t previous = 0;
  std::uint64_t carry = 0;
  std::uint64_t phase = (slot & 63) * bits >> 6;  // 64 slots are a whole number of words
  std::byte* word = _table.data() + (first_bit >> 6) * 8;
  std::byte* const last_word = _table.data() + (end_bit >> 6) * 8;
  while (true) {
    const std::uint64_t old = get_word(word);
    const std::uint64_t moving = old & ~kept;
    const std::uint64_t shifted = (moving << bits | previous >> (64 - bits) | coming) + carry;
    const std::uint64_t sum = shifted + (_one_slot_each[phase] & ~kept);
    const std::uint64_t changed = sum | (old & kept);
    if (word == last_word) {
      const std::uint64_t written = low_bits(end_bit & 63);
      put_word(word, (changed & written) | (old & ~written));
      return;
    }
    put_word(word, changed);
    carry = sum < shifted ? 1 : 0;  // a distance that lies in two words; others do not overflow
    previous = moving;
    coming = coming_next;
    coming_next = kept = 0;
    phase = phase + 1 == bits ? 0 : phase + 1;
    word += 8;
  }
}

/// Makes room for one more entry: more slots, or wider entries where the table is far from full.
void RowIndex::make_room(Row row) {
  const Row largest = std::max(row, _largest_row);
  const std::uint64_t slots = _geometry.slots;
  const bool is_far = _farthest >= _geometry.most_distance();
  if (_size < _size_limit && !(is_far && _size >= slots / 5 * 3)) {
    become(geometry_for(slots, largest));
  } else if (slots < small_table) {
    become(geometry_for(2 * slots, largest));
  } else {
    try {
      become(geometry_for(slots + slots / 8, largest));
    } catch (const ResourceError&) {
      become(geometry_for(slots + slots / 16, largest));  // nothing has happened yet: be content with less
    }
  }
}

/// Gives the table another geometry, with no fewer slots: chunk by chunk, from the end of the table to its beginning. A
/// chunk begins after a hole. Let g = slots' / slots >= 1, h and h' the old and the new home of an entry, p and p' its
/// old and new slot.
///
/// Chunks do not meet. Let slot t be a hole, entry j stand before it, entry i after it. For each k <= j: entries k to j
/// stand one after another from h(k) on or later, so h(k) + (j - k) <= p(j) < t, and h'(k) < g * (h(k) + 1), so
/// h'(k) + (j - k) < (g - 1) * (h(k) + 1) + t <= g * t. p'(j) is the largest of these. And h(i) > t, so h'(i) >=
/// floor(g * (t + 1)) > g * t > p'(j). So the first entry of a chunk stands at home, and chunks can be laid out alone.
///
/// Nothing unread is overwritten. A chunk from slot a on is written from h'(i) >= floor(g * a) on, i its first entry;
/// in bits: from floor(g * a) * entry_bits' on. What is unread ends at a * entry_bits. If entries do not get narrower,
/// that is not more. Otherwise geometry_for() sees to it that (g - 1 / chunk_slots) * entry_bits' >= entry_bits, and a
/// is 0 or at least chunk_slots, so (g * a - 1) * entry_bits' >= (g - 1 / chunk_slots) * a * entry_bits' >= a *
/// entry_bits.
void RowIndex::become(const Geometry& to) {
  _table.ensure(to.bytes());
  _moving.reserve(2 * chunk_slots);
  _farthest = 0;
  std::uint64_t end = to.capacity;  // slots from here on are written
  for (std::uint64_t chunk_end = _geometry.capacity; chunk_end != 0;) {
    std::uint64_t begin = chunk_end > 2 * chunk_slots ? chunk_end - chunk_slots : 0;
    while (begin != 0 && load(begin - 1) != 0) --begin;
    if (begin < chunk_slots) begin = 0;
    pick_up(to, begin, chunk_end);
    const std::uint64_t first = begin == 0 ? 0 : _moving.empty() ? end : _moving.front().home;
    lay_out(to, first, end);
    end = first;
    chunk_end = begin;
  }
  take(to);
}

/// Reads the entries of a chunk.
void RowIndex::pick_up(const Geometry& to, std::uint64_t begin, std::uint64_t end) {
  _moving.resize(end - begin + 1);
  std::size_t count = 0;
  for (std::uint64_t slot = begin; slot < end; ++slot) {
    const std::uint64_t entry = load(slot);
    const std::uint64_t home = slot - _geometry.distance(entry);
    const std::uint64_t rest = ~(entry >> _geometry.row_bits) & _geometry.rest_mask;
    const Place place = to.place(_geometry.first_of_home(home) + rest);
    // Of a hole all this is nonsense, but cheaper than a branch that cannot be foreseen.
    _moving[count] = {place.home, to.entry_at_home(place.rest, entry & _geometry.row_mask)};
    count += entry != 0 ? 1 : 0;
  }
  _moving.resize(count);
}

/// Writes what was picked up into slots from `next` to `end`, and holes between.
void RowIndex::lay_out(const Geometry& to, std::uint64_t next, std::uint64_t end) {
  BitWriter out(_table.data(), next * to.entry_bits, end * to.entry_bits);
  std::uint64_t farthest = 0;
  for (const Moving& moving : _moving) {
    const std::uint64_t slot = std::max(moving.home, next);
    const std::uint64_t distance = slot - moving.home;
    out.write_zeros((slot - next) * to.entry_bits);
    out.write(moving.entry + (distance << to.distance_shift), to.entry_bits);
    farthest = std::max(farthest, distance);
    next = slot + 1;
  }
  out.write_zeros((end - next) * to.entry_bits);
  out.finish();
  _farthest = std::max(_farthest, farthest);
}

}  // namespace dcheck
