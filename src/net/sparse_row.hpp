#pragma once
// Integer rows for exact elimination: only the non-zero entries, columns ascending. Every entry stays
// within `largest_entry`, so that a combination of two rows fits the 128 bits it is computed in.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dcheck/base/ids.hpp"

namespace dcheck {

using Wide = __int128;

constexpr Tokens largest_entry = Tokens{1} << 62;

struct Entry {
  std::uint32_t column;
  Tokens value;
  auto operator<=>(const Entry&) const = default;
};

using SparseRow = std::vector<Entry>;

/// Entries that all equations of a net may have together. Beyond them the next ones are left out: what is kept of a net
/// with long equations stays in proportion to the net.
constexpr std::size_t most_entries(std::size_t places) {
  return (std::size_t{1} << 20) + 16 * places;
}

/// Greatest common divisor of the absolute values; 0 only where both are 0.
Wide common_divisor(Wide a, Wide b);

/// The entry of that column, 0 where there is none.
Tokens value_at(std::span<const Entry> row, std::uint32_t column);

/// Divides by the greatest common divisor of all entries.
void make_primitive(SparseRow& row);

/// Eliminates `column` from `target` with a multiple of `pivot`; both have an entry there. The result
/// is primitive. Columns whose entry leaves `largest_entry` are missing from it and named in `lost`:
/// the result is exact only where `lost` stays empty.
class RowCombiner {
 public:
  SparseRow eliminate(const SparseRow& target, const SparseRow& pivot, std::uint32_t column);
  std::span<const std::uint32_t> lost() const { return _lost; }

 private:
  struct WideEntry {
    std::uint32_t column;
    Wide value;
  };
  void merge(const SparseRow& target, Tokens target_factor, const SparseRow& pivot, Tokens pivot_factor);

  std::vector<WideEntry> _merged;
  std::vector<std::uint32_t> _lost;
};

}  // namespace dcheck
