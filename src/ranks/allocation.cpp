#include "dcheck/ranks/allocation.hpp"

#include <algorithm>

#include "dcheck/base/bits.hpp"

namespace dcheck {

namespace {

std::uint64_t random_odd(std::size_t number) {
  return mixed_bits(number + 1) | 1;
}

}  // namespace

Allocation::Allocation(const Plan& plan, int ranks)
    : _ranks(static_cast<std::uint64_t>(ranks)), _deltas(plan.transitions().size()) {
  const Layout& layout = plan.layout();
  const auto unproven = layout.unproven_guards();
  if (std::all_of(unproven.begin(), unproven.end(), [](std::uint64_t guards) { return guards == 0; }))
    for (std::size_t w = 0; w < layout.stored_words(); ++w) _factors.push_back(random_odd(w));
  std::vector<std::uint64_t> weight(plan.net().place_count(), 0);
  for (std::size_t i = 0; i < plan.key_places().size(); ++i) {
    const std::size_t place = index(plan.key_places()[i]);
    const StoredField& field = layout.stored_field(i);
    weight[place] = is_fixed() ? _factors[field.word] << field.shift : random_odd(place);
  }
  if (!is_fixed()) make_sums(plan, weight);
  for (std::size_t t = 0; t < _deltas.size(); ++t)
    for (const Arc& arc : plan.net().effect(plan.transitions()[t].id))
      _deltas[t] += static_cast<std::uint64_t>(arc.weight) * weight[index(arc.place)];
}

void Allocation::make_sums(const Plan& plan, const std::vector<std::uint64_t>& weight) {
  const std::size_t digits = (plan.layout().stored_bits() + 3) / 4;
  _sums.resize(digits * 16);
  std::vector<std::uint64_t> weight_of_bit(_sums.size() / 4);
  for (std::size_t i = 0; i < plan.key_places().size(); ++i) {
    const StoredField& field = plan.layout().stored_field(i);
    for (unsigned bit = 0; bit < field.width; ++bit)
      weight_of_bit[field.word * 64 + field.shift + bit] = weight[index(plan.key_places()[i])] << bit;
  }
  for (std::size_t i = 0; i < _sums.size(); ++i)
    for (unsigned bit = 0; bit < 4; ++bit)
      if ((i >> bit & 1) != 0) _sums[i] += weight_of_bit[i / 16 * 4 + bit];
}

}  // namespace dcheck
