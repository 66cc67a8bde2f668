#include "dcheck/walk/operation_kinds.hpp"

#include <algorithm>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/narrow.hpp"

namespace dcheck {

OperationKinds::OperationKinds(const Plan& plan, MemoryBudget* budget)
    : _plan(plan), _plain(plan.transitions().size(), none), _table(64, none), _masks(budget, Ahead::little) {}

std::uint32_t OperationKinds::plain(const RowTransition& t) {
  std::uint32_t& kind = _plain[index(_plan.number_of(t))];
  if (kind == none) kind = add({&t, _plan.lane_masks() + t.masks, true});
  return kind;
}

std::uint32_t OperationKinds::with_sources(const RowTransition& t, const std::uint64_t* sources) {
  std::size_t at = hash(t, sources) & (_table.size() - 1);
  for (; _table[at] != none; at = (at + 1) & (_table.size() - 1))
    if (is_equal(_kinds[_table[at]], t, sources)) return _table[at];
  const std::size_t words = _plan.words();
  _masks.ensure((_mask_count + 1) * words);
  std::uint64_t* const mask = _masks.data() + _mask_count++ * words;
  std::copy_n(sources, words, mask);
  const std::uint32_t kind = _table[at] = add({&t, mask, false});
  if (2 * _mask_count > _table.size()) grow_table();
  return kind;
}

std::uint32_t OperationKinds::add(const Kind& kind) {
  if (_kinds.size() == most_kinds) throw ResourceError("transitions fire from too many different sets of lanes");
  _kinds.push_back(kind);
  return narrow<std::uint32_t>(_kinds.size() - 1);
}

std::uint64_t OperationKinds::hash(const RowTransition& t, const std::uint64_t* sources) const {
  std::uint64_t hash = index(_plan.number_of(t));
  for (std::size_t w = 0; w < _plan.words(); ++w) hash = mixed_bits(hash ^ sources[w]);
  return hash;
}

bool OperationKinds::is_equal(const Kind& kind, const RowTransition& t, const std::uint64_t* sources) const {
  return kind.transition == &t && std::equal(sources, sources + _plan.words(), kind.sources);
}

void OperationKinds::grow_table() {
  std::vector<std::uint32_t> table(4 * _table.size(), none);
  for (const std::uint32_t kind : _table) {
    if (kind == none) continue;
    std::size_t at = hash(*_kinds[kind].transition, _kinds[kind].sources) & (table.size() - 1);
    while (table[at] != none) at = (at + 1) & (table.size() - 1);
    table[at] = kind;
  }
  _table.swap(table);
}

}  // namespace dcheck
