#include "report/format.hpp"

namespace dcheck {

std::string_view name_of(StoreChoice::Kind kind) {
  switch (kind) {
    case StoreChoice::Kind::delta:
      return "delta";
    case StoreChoice::Kind::comback:
      return "comback";
    default:
      return "packed";
  }
}

}  // namespace dcheck
