#include "sparse_row.hpp"

#include <algorithm>
#include <numeric>

namespace dcheck {

namespace {

using UnsignedWide = unsigned __int128;

UnsignedWide magnitude(Wide value) {
  return value < 0 ? UnsignedWide{0} - static_cast<UnsignedWide>(value) : static_cast<UnsignedWide>(value);
}

bool is_small(Wide value) {
  return value >= -Wide{largest_entry} && value <= Wide{largest_entry};
}

}  // namespace

Wide common_divisor(Wide a, Wide b) {
  UnsignedWide x = magnitude(a);
  UnsignedWide y = magnitude(b);
  while (y != 0) {
    if ((x >> 64) == 0 && (y >> 64) == 0) {
      return static_cast<Wide>(std::gcd(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)));
    }
    const UnsignedWide rest = x % y;
    x = y;
    y = rest;
  }
  return static_cast<Wide>(x);
}

Tokens value_at(std::span<const Entry> row, std::uint32_t column) {
  const auto found = std::ranges::lower_bound(row, column, {}, &Entry::column);
  return found != row.end() && found->column == column ? found->value : 0;
}

void make_primitive(SparseRow& row) {
  Tokens divisor = 0;
  for (const Entry& entry : row) {
    divisor = std::gcd(divisor, entry.value);
    if (divisor == 1) return;
  }
  for (Entry& entry : row) entry.value /= divisor;
}

void RowCombiner::merge(const SparseRow& target, Tokens target_factor, const SparseRow& pivot, Tokens pivot_factor) {
  _merged.clear();
  auto t = target.begin();
  auto p = pivot.begin();
  while (t != target.end() || p != pivot.end()) {
    const bool has_target = p == pivot.end() || (t != target.end() && t->column <= p->column);
    const bool has_pivot = t == target.end() || (p != pivot.end() && p->column <= t->column);
    const std::uint32_t column = has_target ? t->column : p->column;
    Wide value = 0;
    if (has_target) value += Wide{t++->value} * target_factor;
    if (has_pivot) value -= Wide{p++->value} * pivot_factor;
    if (value != 0) _merged.push_back({column, value});
  }
}

SparseRow RowCombiner::eliminate(const SparseRow& target, const SparseRow& pivot, std::uint32_t column) {
  const Tokens in_target = value_at(target, column);
  const Tokens in_pivot = value_at(pivot, column);
  const Tokens shared = std::gcd(in_target, in_pivot);
  merge(target, in_pivot / shared, pivot, in_target / shared);
  Wide divisor = 0;
  for (const WideEntry& entry : _merged) {
    divisor = common_divisor(divisor, entry.value);
    if (divisor == 1) break;
  }
  SparseRow result;
  result.reserve(_merged.size());
  _lost.clear();
  for (const WideEntry& entry : _merged) {
    const Wide value = entry.value / divisor;
    if (is_small(value)) {
      result.push_back({entry.column, static_cast<Tokens>(value)});
    } else {
      _lost.push_back(entry.column);
    }
  }
  if (!_lost.empty()) make_primitive(result);
  return result;
}

}  // namespace dcheck
