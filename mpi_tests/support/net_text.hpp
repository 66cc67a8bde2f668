#pragma once
// A net as text, for comparisons: two nets are the same where their texts are.

#include <string>

#include "dcheck/net/net.hpp"

namespace dcheck::test {

/// Everything that a model says of its net: names, marking, arcs, guards, rates, units; one line each.
std::string text_of(const Net& net);

/// What stays where names, guards and rates are lost: tokens, and the arcs of each transition.
std::string shape_of(const Net& net);

}  // namespace dcheck::test
