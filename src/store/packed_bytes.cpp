#include "dcheck/store/packed_bytes.hpp"

#include <algorithm>

#include "store/dense_store.hpp"

namespace dcheck {

// SlotStore's rules, which PackedBytes.* tests against the stores themselves.
std::uint64_t slot_store_bytes(unsigned key_bits, std::uint64_t keys) {
  constexpr unsigned least_key_bits = 16, first_log_slots = 12, distance_and_mark_bits = 6;
  const unsigned bits = std::max(key_bits, least_key_bits);
  std::uint64_t most = 0, last_entry = 0, last_table = 0;
  for (unsigned log_slots = first_log_slots;; ++log_slots) {
    const std::uint64_t slots = std::uint64_t{1} << log_slots;
    std::uint64_t entry = (bits - log_slots + distance_and_mark_bits + 7) / 8;
    // Narrower entries wait where they would leave the table about as large as it is.
    if (slots * entry * 10 > last_table * 9 && slots * entry * 10 < last_table * 11)
      entry = std::max(entry, last_entry);
    const std::uint64_t table = slots * entry;
    last_entry = entry;
    last_table = table;
    most = std::max(most, table + table / 16 + slots / 512);  // arrays grow a sixteenth ahead; a mark for 64 slots
    if (log_slots == bits || keys <= slots / 16 * 13) return most;
  }
}

std::uint64_t dense_store_bytes(const Layout& layout, std::uint64_t rows) {
  return DenseStore::bytes_for(layout.stored_bytes(), rows);
}

}  // namespace dcheck
