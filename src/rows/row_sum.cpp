#include "dcheck/rows/row_sum.hpp"

#include <numeric>

#include "dcheck/rows/plan.hpp"

namespace dcheck {

namespace {

using Wide = RowSum::Wide;
constexpr Wide largest_scale = Wide{1} << 31;

bool is_safe(Wide number) {
  return number < RowSum::limit && number > -RowSum::limit;
}

}  // namespace

std::optional<RowSum> RowSum::of(const LinearForm& form, const Plan& plan) {
  Wide common = 1;
  for (const auto& term : form.terms) {
    const Tokens scale = plan.views()[index(term.place)].scale;
    common = common / std::gcd(static_cast<Tokens>(common), scale) * scale;
    if (common >= largest_scale) return std::nullopt;
  }
  RowSum sum;
  sum._scale = static_cast<Tokens>(common);
  Wide constant = form.constant * common;
  Wide all_factors = 0;  // of any signs, so that the key part, too, stays inside 126 bits
  std::vector<Tokens> lanes(plan.lane_count(), 0);
  bool has_lanes = false;
  for (const auto& term : form.terms) {
    const PlaceView& view = plan.views()[index(term.place)];
    const Wide factor = term.coefficient * (common / view.scale);
    all_factors += factor < 0 ? -factor : factor;
    constant += factor * view.constant;
    if (!is_safe(all_factors) || !is_safe(constant)) return std::nullopt;
    if (view.field >= 0) sum._fields.emplace_back(static_cast<std::uint32_t>(view.field), static_cast<Tokens>(factor));
    if (view.quantity < 0) continue;
    has_lanes = true;
    for (const Lane lane : plan.lanes().all()) {
      Tokens& sum_of_lane = lanes[index(lane)];
      const Wide value = sum_of_lane + factor * plan.quantities()[static_cast<std::size_t>(view.quantity)].value(lane);
      if (!is_safe(value)) return std::nullopt;
      sum_of_lane = static_cast<Tokens>(value);
    }
  }
  if (!is_safe(constant)) return std::nullopt;
  sum._constant = static_cast<Tokens>(constant);
  if (has_lanes) sum._lanes.emplace(std::move(lanes), plan.words());
  return sum;
}

Wide RowSum::key_part(const Plan& plan, const std::uint64_t* working) const {
  Wide sum = _constant;
  for (const auto& [field, factor] : _fields)
    sum += static_cast<Wide>(factor) * plan.layout().field(field).value(working);
  return sum;
}

}  // namespace dcheck
