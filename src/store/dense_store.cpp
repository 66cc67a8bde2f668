#include "store/dense_store.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {
constexpr std::uint64_t first_slots = 1024;
// A small index grows fast, since rebuilding costs more than its memory; a large one in small steps.
constexpr std::uint64_t small_index = 1 << 18;
constexpr std::uint64_t large_index = 1 << 20;

std::uint64_t next_slots(std::uint64_t slots) {
  if (slots == 0) return first_slots;
  if (slots < small_index) return 4 * slots;
  return slots < large_index ? 2 * slots : slots + slots / 2;
}

std::uint64_t most_rows(std::uint64_t slots) {
  return slots - slots / 5;
}
}  // namespace

DenseStore::DenseStore(std::size_t words, std::size_t bytes, std::vector<std::uint64_t> hash_factors,
                       MemoryBudget* budget)
    : RowStore(words, std::move(hash_factors)),
      _bytes(bytes),
      _last_mask(low_bits(static_cast<unsigned>(8 * (bytes - 8 * (words - 1))))),
      _index(budget),
      _keys(budget) {
  grow_index(1);
}

void DenseStore::begin_batch(std::span<const std::uint64_t> hashes, BatchNumbers& finished, BatchNumbers& slots) const {
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    finished[i] = mixed_bits(hashes[i]);
    slots[i] = home(finished[i]);
    __builtin_prefetch(_index.data() + slots[i] * entry_bytes);
  }
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    slots[i] = skip(slots[i], finished[i]);
    const std::uint64_t entry = load(slots[i]);
    if (entry == 0) continue;
    const std::byte* key = _keys.data() + ((entry >> 8) - 1) * _bytes;
    __builtin_prefetch(key);
    __builtin_prefetch(key + _bytes - 1);
  }
}

void DenseStore::find(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes, std::span<Row> out) {
  BatchNumbers finished;
  BatchNumbers slots;
  begin_batch(hashes, finished, slots);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    out[i] = none;
    for (std::uint64_t slot = slots[i];; slot = skip(next(slot), finished[i])) {
      const std::uint64_t entry = load(slot);
      if (entry == 0) break;
      const auto row = static_cast<Row>((entry >> 8) - 1);
      if (!same(row, keys.data() + i * _words)) continue;
      out[i] = row;
      break;
    }
  }
}

void DenseStore::insert(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes,
                        std::span<const Via>, std::span<Inserted> out) {
  BatchNumbers finished;
  BatchNumbers slots;
  const std::size_t count = hashes.size();
  grow_index(_size + count);
  begin_batch(hashes, finished, slots);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t* key = keys.data() + i * _words;
    // A hole seen above may have been filled by an equal key of this batch: look again from there.
    for (std::uint64_t slot = slots[i];; slot = skip(next(slot), finished[i])) {
      const std::uint64_t entry = load(slot);
      if (entry == 0) {
        out[i] = {append(key), true};
        store(slot, (std::uint64_t{out[i].row} + 1) << 8 | (finished[i] & 255));
        break;
      }
      const auto row = static_cast<Row>((entry >> 8) - 1);
      if ((entry & 255) == (finished[i] & 255) && same(row, key)) {
        out[i] = {row, false};
        break;
      }
    }
  }
}

void DenseStore::for_each(const std::function<void(Row)>& visit) {
  for (std::uint64_t row = 0; row < _size; ++row) visit(static_cast<Row>(row));
}

std::uint64_t DenseStore::bytes_for(std::size_t key_bytes, std::uint64_t rows) {
  std::uint64_t slots = first_slots;
  while (rows > most_rows(slots)) slots = next_slots(slots);
  const std::uint64_t index = slots * entry_bytes, keys = rows * key_bytes;
  return index + index / 16 + keys + keys / 32;  // arrays grow a sixteenth ahead; half of that is in use on average
}

StoreFigures DenseStore::figures() const {
  StoreFigures figures;
  figures.index_bytes = _index.usable();
  figures.key_bytes = _keys.usable();
  return figures;
}

DenseStore::Row DenseStore::append(const std::uint64_t* key) {
  if (_size >= std::numeric_limits<Row>::max() - 1) throw ResourceError("more than 2^32 rows on one rank");
  _keys.ensure((_size + 1) * _bytes + 8);
  std::memcpy(_keys.data() + _size * _bytes, key, _bytes);
  return static_cast<Row>(_size++);
}

/// Makes room for so many rows. Where the system has none, this throws before anything has changed.
void DenseStore::grow_index(std::uint64_t rows) {
  if (rows <= _size_limit) return;
  std::uint64_t slots = _slots;
  while (rows > most_rows(slots)) slots = next_slots(slots);
  _index.ensure(slots * entry_bytes + 8);
  // Pages that are there already are cheaper to clear than new ones are to get.
  std::memset(_index.data(), 0, _slots * entry_bytes);
  _slots = slots;
  _size_limit = most_rows(slots);
  fetch_from(_index.data(), _slots, entry_bytes);
  std::array<std::uint64_t, batch_limit> hashes;
  for (std::uint64_t first = 0; first < _size; first += batch_limit) {
    const std::uint64_t count = std::min<std::uint64_t>(batch_limit, _size - first);
    for (std::uint64_t i = 0; i < count; ++i) {
      hashes[i] = mixed_bits(stored_hash(first + i));
      __builtin_prefetch(_index.data() + home(hashes[i]) * entry_bytes, 1);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t slot = home(hashes[i]);
      while (load(slot) != 0) slot = next(slot);
      store(slot, (first + i + 1) << 8 | (hashes[i] & 255));
    }
  }
}

/// The linear hash of a row's key, read where it lies: there is always room behind it.
std::uint64_t DenseStore::stored_hash(std::uint64_t row) const {
  const std::byte* const at = _keys.data() + row * _bytes;
  std::uint64_t sum = 0;
  std::uint64_t word = 0;
  for (std::size_t w = 0; w + 1 < _words; ++w) {
    std::memcpy(&word, at + 8 * w, 8);
    sum += word * _factors[w];
  }
  std::memcpy(&word, at + 8 * (_words - 1), 8);
  return sum + (word & _last_mask) * _factors[_words - 1];
}

}  // namespace dcheck
