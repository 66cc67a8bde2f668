#pragma once
// The store of dense rows that a choice asks for, made for the keys of a plan.

#include <memory>

#include "dcheck/base/page_array.hpp"
#include "dcheck/rows/plan.hpp"
#include "dcheck/store/row_store.hpp"
#include "dcheck/store/store_choice.hpp"

namespace dcheck {

/// An empty k counts as 0: no limit to chains. The plan is not needed afterwards; the budget must outlive the store.
std::unique_ptr<RowStore> make_row_store(const Plan& plan, const StoreChoice& choice, MemoryBudget* budget = nullptr);

}  // namespace dcheck
