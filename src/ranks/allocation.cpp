#include "dcheck/ranks/allocation.hpp"

#include <algorithm>

#include "dcheck/base/bits.hpp"

namespace dcheck {

namespace {

std::uint64_t weight_of(Place place) {
  return mixed_bits(index(place) + 1) | 1;
}

}  // namespace

Allocation::Allocation(const Plan& plan, int ranks)
    : _ranks(static_cast<std::uint64_t>(ranks)),
      _sums(plan.layout().stored_bytes() * 256),
      _deltas(plan.transitions().size()) {
  std::vector<std::uint64_t> weight_of_bit(plan.layout().stored_bytes() * 8);
  std::vector<bool> is_in_key(plan.net().place_count(), false);
  for (std::size_t i = 0; i < plan.key_places().size(); ++i) {
    const Place place = plan.key_places()[i];
    const StoredField& field = plan.layout().stored_field(i);
    is_in_key[index(place)] = true;
    for (unsigned bit = 0; bit < field.width; ++bit)
      weight_of_bit[field.word * 64 + field.shift + bit] = weight_of(place) << bit;
  }
  for (std::size_t i = 0; i < _sums.size(); ++i)
    for (unsigned bit = 0; bit < 8; ++bit)
      if ((i >> bit & 1) != 0) _sums[i] += weight_of_bit[i / 256 * 8 + bit];
  for (std::size_t t = 0; t < _deltas.size(); ++t)
    for (const Arc& arc : plan.net().effect(plan.transitions()[t].id))
      if (is_in_key[index(arc.place)]) _deltas[t] += static_cast<std::uint64_t>(arc.weight) * weight_of(arc.place);
}

}  // namespace dcheck
