#include "dcheck/space/allocation.hpp"

#include <algorithm>
#include <utility>

#include "dcheck/base/bits.hpp"

namespace dcheck {

namespace {

std::uint64_t random_odd(std::size_t number) {
  return mixed_bits(number + 1) | 1;
}

}  // namespace

Allocation::Allocation(const Plan& plan, int ranks, OwnerClasses classes)
    : _ranks(static_cast<std::uint64_t>(ranks)), _classes(std::move(classes)), _deltas(plan.transitions().size()) {
  const auto unproven = plan.layout().unproven_guards();
  _is_fixed = std::all_of(unproven.begin(), unproven.end(), [](std::uint64_t guards) { return guards == 0; });
  const std::vector<std::uint64_t> weight = has_classes() ? weights_for_classes(plan) : weights_for_hash(plan);
  for (const PlanTransition t : plan.all_transitions())
    for (const Arc& arc : plan.net().effect(plan.transition(t).id))
      _deltas[index(t)] += static_cast<std::uint64_t>(arc.weight) * weight[index(arc.place)];
}

std::vector<std::uint64_t> Allocation::weights_for_hash(const Plan& plan) {
  std::vector<std::uint64_t> weight(plan.net().place_count(), 0);
  if (is_fixed())
    for (std::size_t w = 0; w < plan.layout().stored_words(); ++w) _factors.push_back(random_odd(w));
  for (std::size_t i = 0; i < plan.key_places().size(); ++i) {
    const std::size_t place = index(plan.key_places()[i]);
    const StoredField& field = plan.layout().stored_field(i);
    weight[place] = is_fixed() ? _factors[field.word] << field.shift : random_odd(place);
  }
  if (!is_fixed()) make_sums(plan, weight);
  return weight;
}

std::vector<std::uint64_t> Allocation::weights_for_classes(const Plan& plan) {
  std::vector<std::uint64_t> weight(plan.net().place_count(), 0);
  _class_mask = _classes.owner.size() - 1;
  for (const OwnerClasses::Digit& digit : _classes.digits) {
    weight[index(digit.place)] = std::uint64_t{1} << digit.shift;
    const auto at = std::find(plan.key_places().begin(), plan.key_places().end(), digit.place);
    const StoredField& field = plan.layout().stored_field(static_cast<std::size_t>(at - plan.key_places().begin()));
    const std::uint64_t mask = low_bits(field.width);
    _fields.push_back({field.word, field.shift, digit.shift, mask});
    _word_mask |= mask << field.shift;
  }
  return weight;
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
