#include "dcheck/ctl/evidence.hpp"

#include <algorithm>

namespace dcheck {

bool Evidence::has_path() const {
  if (kind == Kind::path || kind == Kind::lasso) return true;
  return std::ranges::any_of(parts, [](const EvidencePart& part) { return part.evidence.has_path(); });
}

}  // namespace dcheck
