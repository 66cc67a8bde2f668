#pragma once
// The members of a family, told from their names: `pm[1..4]`.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dcheck/base/ids.hpp"

namespace dcheck::parse {

/// Feed it every name there is; it keeps what belongs to the family.
class Family {
 public:
  explicit Family(std::string_view name) : _begin(std::string(name) + "[") {}

  void consider(std::string_view name);

  bool empty() const { return _grids.empty(); }

  /// `pm[1..4]`, `s[1..2,0..1]`; where the ranges have gaps, how many members there are.
  std::string range() const;

 private:
  struct Grid {
    std::vector<Tokens> first, last;  // of each index
    std::size_t members = 0;
  };

  std::string _begin;
  std::map<std::size_t, Grid> _grids;  // by the number of indices
};

}  // namespace dcheck::parse
