#pragma once
// A linear sum over places, made ready for rows: scale * (a.m + c) = key part + lane part.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dcheck/net/expression.hpp"
#include "dcheck/rows/lanes.hpp"

namespace dcheck {

class Plan;

class RowSum {
 public:
  using Wide = __int128;
  /// Sums and thresholds are kept inside these bounds.
  static constexpr Wide limit = Wide{1} << 62;

  /// None where a number would leave 62 bits. The plan's views, lanes and layout must be finished.
  static std::optional<RowSum> of(const LinearForm& form, const Plan& plan);

  Wide key_part(const Plan& plan, const std::uint64_t* working) const;
  /// Null where the sum is the same in all lanes of a row.
  const LaneQuantity* lane_part() const { return _lanes ? &*_lanes : nullptr; }
  Tokens scale() const { return _scale; }

 private:
  std::vector<std::pair<std::uint32_t, Tokens>> _fields;  // (field, factor)
  Tokens _constant = 0, _scale = 1;
  std::optional<LaneQuantity> _lanes;
};

}  // namespace dcheck
