#include "dcheck/store/row_store.hpp"

namespace dcheck {

std::optional<RowStore::Row> RowStore::find(const std::uint64_t* key) {
  const std::uint64_t hash = linear_hash(key);
  Row row = none;
  find(std::span(key, _words), std::span(&hash, 1), std::span(&row, 1));
  return row == none ? std::nullopt : std::optional(row);
}

}  // namespace dcheck
