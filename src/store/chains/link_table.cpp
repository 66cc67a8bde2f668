#include "store/chains/link_table.hpp"

#include <algorithm>
#include <cassert>
#include <span>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {
// No body is larger: covering 64 parents with 32 bits each is always a choice, and so are labels of 32 bits.
constexpr std::size_t most_body_bytes = 4 + 12 + 2 * 5 + 64 * 8;
constexpr std::size_t room_behind = 8;  // numbers are read and written as words
constexpr std::uint64_t least_garbage = 64 << 10;
// A hole begins with this and its size; no number of a block is so large.
constexpr std::uint32_t hole_tag = 1 << 26;

template <typename T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

/// Writes a number of at most 32 bits at any bit.
void store_bits(std::byte* to, unsigned bit, unsigned width, std::uint64_t value) {
  std::uint64_t word = 0;
  std::memcpy(&word, to + bit / 8, sizeof word);
  const std::uint64_t mask = ((std::uint64_t{1} << width) - 1) << (bit % 8);
  store(to + bit / 8, (word & ~mask) | value << (bit % 8));
}

struct Window {
  std::uint32_t base = 0;
  unsigned bits = 0;
  std::size_t outside = 0;

  bool holds(std::uint32_t parent) const { return parent >= base && (std::uint64_t{parent} - base) >> bits == 0; }
};

/// The window of this width with as many of the numbers, in ascending order, as can be.
Window fullest_window(std::span<const std::uint32_t> sorted, unsigned bits) {
  Window best{0, bits, sorted.size()};
  std::size_t first = 0;
  for (std::size_t last = 0; last < sorted.size(); ++last) {
    while ((std::uint64_t{sorted[last]} - sorted[first]) >> bits != 0) ++first;
    const std::size_t outside = sorted.size() - (last - first + 1);
    if (outside < best.outside) best = {sorted[first], bits, outside};
  }
  return best;
}

/// The window that makes a block smallest where a number outside takes so many bits more.
Window cheapest_window(std::span<const std::uint32_t> sorted, std::size_t outside_bits) {
  if (sorted.empty()) return {};
  Window best{sorted.front(), static_cast<unsigned>(std::bit_width(sorted.back() - sorted.front())), 0};
  std::size_t least = best.bits * sorted.size();
  for (unsigned bits = best.bits; bits-- > 0;) {
    const Window window = fullest_window(sorted, bits);
    const std::size_t outside_cost = window.outside * outside_bits, cost = bits * sorted.size() + outside_cost;
    if (cost < least) {
      best = window;
      least = cost;
    }
    if (outside_cost >= least) break;  // narrower ones leave no fewer outside
  }
  return best;
}
}  // namespace

struct LinkTable::BlockFormat {
  Window window;
  unsigned label_bits = 0;
  std::size_t slots = 0;

  static Window window_of(const Block& links, std::size_t outside_bits) {
    std::array<Row, block_rows> parents;
    std::size_t count = 0;
    for (const Link& link : links)
      if (!link.is_explicit()) parents[count++] = link.parent;
    const auto used = std::span(parents).first(count);
    if (!std::ranges::is_sorted(used)) std::ranges::sort(used);
    return cheapest_window(used, outside_bits);
  }

  /// As small as can be.
  static BlockFormat tight(const Block& links) {
    BlockFormat format{window_of(links, 8 * slot_bytes)};
    format.slots = format.window.outside;
    for (const Link& link : links)
      if (!link.is_explicit())
        format.label_bits = std::max(format.label_bits, static_cast<unsigned>(std::bit_width(link.label)));
    return format;
  }

  /// For a block that was updated and will be again: as many exceptions more as there are, and two, before it has to be
  /// rewritten once more. So a block where many parents stick out soon takes them all into its window.
  static BlockFormat roomy(const Block& links, unsigned label_bits) {
    BlockFormat format{window_of(links, std::size_t{2} * 8 * slot_bytes), label_bits};
    format.slots = std::min<std::size_t>(2 * format.window.outside + 2, 63);
    return format;
  }
};

struct LinkTable::View {
  std::byte* body = nullptr;
  Entry entry;
  std::uint64_t explicit_mask = 0;

  Row base() const { return load<Row>(body); }
  std::byte* slots() const { return body + base_bytes + (entry.has_explicit() ? explicit_bytes : 0); }
  std::byte* pairs() const { return slots() + entry.slots() * slot_bytes; }
  std::size_t bytes() const {
    const auto links = block_rows - static_cast<unsigned>(std::popcount(explicit_mask));
    return static_cast<std::size_t>(pairs() - body) + (links * entry.pair_bits() + 7) / 8;
  }
  /// The slot of a row of the block, or with free_slot an unused one; nullptr: there is none.
  std::byte* slot_of(unsigned at) const {
    for (std::byte* slot = slots(); slot != pairs(); slot += slot_bytes)
      if (load<std::uint8_t>(slot) == at) return slot;
    return nullptr;
  }
  Window window() const { return {base(), entry.parent_bits()}; }
  /// A parent outside the window is written as all ones.
  void set_pair(unsigned at, const Link& link) const {
    const auto before = static_cast<unsigned>(std::popcount(explicit_mask & ((std::uint64_t{1} << at) - 1)));
    const unsigned bit = (at - before) * entry.pair_bits();
    const std::uint64_t all_ones = (std::uint64_t{1} << entry.parent_bits()) - 1;
    const std::uint64_t difference = window().holds(link.parent) ? link.parent - base() : all_ones;
    store_bits(pairs(), bit, entry.parent_bits(), difference);
    store_bits(pairs(), bit + entry.parent_bits(), entry.label_bits(), link.label);
  }
};

void LinkTable::append_explicit() {
  make_room_for_row();
  add({none, static_cast<std::uint32_t>(_explicit_count)});
  ++_explicit_count;
}

void LinkTable::append(Row parent, std::uint32_t label) {
  assert(parent != none);
  make_room_for_row();
  _label_bits = std::max(_label_bits, static_cast<unsigned>(std::bit_width(label)));
  add({parent, label});
}

void LinkTable::make_room_for_row() {
  if (_size >= none) throw ResourceError("more than 2^32 rows on one rank");
  if (_size % block_rows != block_rows - 1) return;
  _directory.ensure(sealed_blocks() + 1);
  make_room_for_body();
}

void LinkTable::make_room_for_body() {
  _stream.ensure(_end + most_body_bytes + room_behind);
}

void LinkTable::add(const Link& link) {
  _open[_size % block_rows] = link;
  if (_size % block_rows == block_rows - 1) write_body(sealed_blocks(), _open, BlockFormat::tight(_open));
  ++_size;
}

void LinkTable::write_body(std::uint64_t block, const Block& links, const BlockFormat& format) {
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < block_rows; ++i) mask |= std::uint64_t{links[i].is_explicit()} << i;
  const std::uint64_t fields =
      format.window.bits | format.label_bits << 6 | format.slots << 12 | std::uint64_t{mask != 0} << 18;
  const View block_view{_stream.data() + _end, Entry{fields << Entry::offset_bits | _end}, mask};
  store(block_view.body, format.window.base);
  if (mask != 0) {
    store(block_view.body + base_bytes, mask);
    store(block_view.body + base_bytes + sizeof mask, links[static_cast<unsigned>(std::countr_zero(mask))].label);
  }
  std::byte* slot = block_view.slots();
  for (unsigned i = 0; i < block_rows; ++i) {
    if (links[i].is_explicit()) continue;
    block_view.set_pair(i, links[i]);
    if (format.window.holds(links[i].parent)) continue;
    store(slot, static_cast<std::uint8_t>(i));
    store(slot + 1, links[i].parent);
    slot += slot_bytes;
  }
  for (; slot != block_view.pairs(); slot += slot_bytes) store(slot, free_slot);
  _directory[block] = block_view.entry.word;
  _end += block_view.bytes();
}

LinkTable::View LinkTable::view(std::uint64_t block) const {
  const Entry entry{_directory[block]};
  std::byte* body = _stream.data() + entry.offset();
  return {body, entry, entry.has_explicit() ? load<std::uint64_t>(body + base_bytes) : 0};
}

LinkTable::Row LinkTable::exception_or(Row row, Row parent) const {
  const std::byte* slot = view(row / block_rows).slot_of(row % block_rows);
  return slot == nullptr ? parent : load<Row>(slot + 1);
}

void LinkTable::update(Row row, Row parent, std::uint32_t label) {
  assert(row < _size && parent != none && !get(row).is_explicit());
  const Link link{parent, label};
  if (row / block_rows == sealed_blocks())
    _open[row % block_rows] = link;
  else if (!update_in_place(row, link))
    rewrite(row, link);
  _label_bits = std::max(_label_bits, static_cast<unsigned>(std::bit_width(label)));
}

bool LinkTable::has_room_for(Row row, Row parent, std::uint32_t label) const {
  if (row / block_rows == sealed_blocks()) return true;
  const View block = view(row / block_rows);
  if (static_cast<unsigned>(std::bit_width(label)) > block.entry.label_bits()) return false;
  return block.window().holds(parent) || block.slot_of(row % block_rows) != nullptr ||
         block.slot_of(free_slot) != nullptr;
}

bool LinkTable::update_in_place(Row row, const Link& link) {
  if (!has_room_for(row, link.parent, link.label)) return false;
  const View block = view(row / block_rows);
  const unsigned at = row % block_rows;
  std::byte* slot = block.slot_of(at);
  if (block.window().holds(link.parent)) {
    if (slot != nullptr) store(slot, free_slot);
  } else {
    if (slot == nullptr) slot = block.slot_of(free_slot);
    store(slot, static_cast<std::uint8_t>(at));
    store(slot + 1, link.parent);
  }
  block.set_pair(at, link);
  return true;
}

void LinkTable::rewrite(Row row, const Link& link) {
  make_room_for_body();
  const Row block = row / block_rows;
  Block links;
  for (unsigned i = 0; i < block_rows; ++i) links[i] = get(block * block_rows + i);
  links[row % block_rows] = link;
  const View old = view(block);
  const std::size_t hole = old.bytes();
  write_body(block, links,
             BlockFormat::roomy(links, std::max(_label_bits, static_cast<unsigned>(std::bit_width(link.label)))));
  store(old.body, static_cast<std::uint32_t>(hole_tag + hole));
  _garbage += hole;
  if (_garbage > least_garbage && _garbage > _end / 8) compact();
}

/// In the order of the stream, without memory for that order: for the time of the move a body begins with its block's
/// number, and the directory keeps the base instead of the offset.
void LinkTable::compact() {
  for (std::uint64_t block = 0; block < sealed_blocks(); ++block) {
    const Entry entry{_directory[block]};
    std::byte* body = _stream.data() + entry.offset();
    _directory[block] = entry.with_offset(load<Row>(body)).word;
    store(body, static_cast<std::uint32_t>(block));
  }
  std::uint64_t to = 0;
  for (std::uint64_t from = 0; from < _end;) {
    const auto tag = load<std::uint32_t>(_stream.data() + from);
    if (tag >= hole_tag) {
      from += tag - hole_tag;
      continue;
    }
    const auto base = static_cast<Row>(Entry{_directory[tag]}.offset());
    _directory[tag] = Entry{_directory[tag]}.with_offset(from).word;
    const std::size_t size = view(tag).bytes();
    std::memmove(_stream.data() + to, _stream.data() + from, size);
    store(_stream.data() + to, base);
    _directory[tag] = Entry{_directory[tag]}.with_offset(to).word;
    from += size;
    to += size;
  }
  _end = to;
  _garbage = 0;
}

std::size_t LinkTable::bytes() const {
  return sizeof *this + _stream.usable() + _directory.capacity() * sizeof(std::uint64_t);
}

}  // namespace dcheck
