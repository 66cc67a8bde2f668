#include "report/figure_rows.hpp"

#include <algorithm>

#include "report/printable.hpp"

namespace dcheck {

void FigureRows::add(std::string name, std::string value, std::string remark) {
  _name_columns = std::max(_name_columns, width_of(name));
  _value_columns = std::max(_value_columns, width_of(value));
  _rows.push_back({std::move(name), std::move(value), std::move(remark)});
}

void FigureRows::put_to(Buffer& out) const {
  for (const Row& row : _rows)
    put(out, "  {:<{}}  {:>{}}{}{}\n", row.name, _name_columns, row.value, _value_columns,
        row.remark.empty() ? "" : "   ", row.remark);
}

}  // namespace dcheck
