#include "dcheck/colour/coloured_net.hpp"

#include <algorithm>

namespace dcheck {

std::string ColourClass::name_of(Colour colour) const {
  return names.empty() ? std::to_string(first + colour) : names[colour];
}

bool holds(const ColourGuard& guard, const ColouredNet& net, const Colour* binding) {
  using Kind = ColourGuard::Kind;
  const auto child_holds = [&](const ColourGuard& child) { return holds(child, net, binding); };
  switch (guard.kind) {
    case Kind::conjunction:
      return std::ranges::all_of(guard.children, child_holds);
    case Kind::disjunction:
      return std::ranges::any_of(guard.children, child_holds);
    case Kind::negation:
      return !child_holds(guard.children.front());
    case Kind::member:
      return guard.right.kind == ColourTerm::Kind::all ||
             std::ranges::binary_search(guard.right.set, colour_of(guard.left, net, binding));
    default:
      break;
  }
  const Colour left = colour_of(guard.left, net, binding), right = colour_of(guard.right, net, binding);
  switch (guard.kind) {
    case Kind::less:
      return left < right;
    case Kind::less_equal:
      return left <= right;
    case Kind::equal:
      return left == right;
    default:
      return left != right;
  }
}

}  // namespace dcheck
