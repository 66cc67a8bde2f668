#include "dcheck/base/patience.hpp"

namespace dcheck {

Patience& endless_patience() {
  thread_local Patience patience;
  return patience;
}

}  // namespace dcheck
