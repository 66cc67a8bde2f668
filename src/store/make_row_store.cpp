#include "dcheck/store/make_row_store.hpp"

#include "store/chains/chain_store.hpp"
#include "store/dense_store.hpp"

namespace dcheck {

std::unique_ptr<RowStore> make_row_store(const Plan& plan, const StoreChoice& choice, MemoryBudget* budget) {
  const Layout& layout = plan.layout();
  if (choice.kind == StoreChoice::Kind::packed)
    return std::make_unique<DenseStore>(layout.stored_words(), layout.stored_bytes(), plan.hash_factors(), budget);
  return std::make_unique<ChainStore>(plan, choice, choice.k.value_or(0), budget);
}

}  // namespace dcheck
