#pragma once
// What reports call things, beside numbers as people read them.

#include <string_view>

#include "dcheck/base/readable.hpp"
#include "dcheck/space/row_choice.hpp"

namespace dcheck {

std::string_view name_of(StoreChoice::Kind kind);

}  // namespace dcheck
