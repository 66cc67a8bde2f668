#include "dcheck/store/lossy/lossy_set.hpp"

#include <cmath>

#include "store/lossy/bit_table.hpp"
#include "store/lossy/compaction_set.hpp"

namespace dcheck {

double LossySet::omission() const {
  return -std::expm1(_log_kept);
}

void LossySet::note_row(double omission) {
  ++_rows;
  _log_kept += std::log1p(-omission);
}

std::unique_ptr<LossySet> make_lossy_set(const Plan& plan, const StoreChoice& choice, MemoryBudget* budget) {
  const std::size_t lanes = plan.leaf().empty() ? 1 : plan.lane_count();
  if (choice.kind == StoreChoice::Kind::bitstate) return std::make_unique<BitTable>(lanes, choice, budget);
  return std::make_unique<CompactionSet>(lanes, plan.words(), choice, budget);
}

}  // namespace dcheck
