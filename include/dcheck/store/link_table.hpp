#pragma once
// For each row, either a link (parent row, label), or the number of its explicit key. Rows are appended in the order of
// their ids.
//
// Rows lie in blocks of 64, sealed when they are full. In breadth-first order parents of neighbours are neighbours, so a
// sealed block stores parents as differences to the smallest one, labels as they are, both in as few bits as this block
// needs; a few parents that stick out are listed apart. Explicit rows take one bit; their keys are numbered in the order
// of rows. A block that was sealed is found by its offset: an access is one cache miss or two.

#include <array>
#include <cstdint>
#include <vector>

#include "dcheck/base/page_array.hpp"

namespace dcheck {

class LinkTable {
 public:
  using Row = std::uint32_t;
  static constexpr Row none = ~Row{0};

  explicit LinkTable(MemoryBudget* budget = nullptr);

  /// parent == none: the row is explicit, and `label` is the number of its key: 0, 1, 2, ... in the order of rows.
  struct Link {
    Row parent = none;
    std::uint32_t label = 0;
    bool is_explicit() const { return parent == none; }
    bool operator==(const Link&) const = default;
  };

  void append_explicit();
  /// Parents are any rows, also later ones; not none.
  void append(Row parent, std::uint32_t label);

  Link get(Row row) const;
  /// Starts to fetch what get() will look at.
  void prefetch(Row row) const;

  /// Gives a row that is not explicit another link.
  void update(Row row, Row parent, std::uint32_t label);

  /// Whether no row's parent is smaller than that of a row before it, nor larger than the row itself.
  bool is_monotone() const { return _is_monotone; }

  std::uint64_t size() const { return _size; }
  std::uint64_t explicit_count() const { return _explicit_count; }
  std::size_t bytes() const;

 private:
  std::uint64_t _size = 0, _explicit_count = 0;
  bool _is_monotone = true;
};

}  // namespace dcheck
