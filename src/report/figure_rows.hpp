#pragma once
// Figures below each other: what it is, the number, a remark.

#include <string>
#include <vector>

#include "report/buffer.hpp"

namespace dcheck {

class FigureRows {
 public:
  /// Columns are as wide as what is in them, and at least so wide: blocks that should line up have the same ones.
  explicit FigureRows(std::size_t name_columns = 0, std::size_t value_columns = 0)
      : _name_columns(name_columns), _value_columns(value_columns) {}

  void add(std::string name, std::string value, std::string remark = "");
  void put_to(Buffer& out) const;

 private:
  struct Row {
    std::string name, value, remark;
  };
  std::size_t _name_columns, _value_columns;
  std::vector<Row> _rows;
};

}  // namespace dcheck
