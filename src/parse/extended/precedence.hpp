#pragma once
// Priorities as guards: a transition that others precede asks that none of them is enabled.

#include "parse/extended/extended_net.hpp"

namespace dcheck::parse {

/// For a net without variable arcs. Immediate transitions precede others here only where their vanishing markings are
/// states. Throws InputError where transitions precede each other in a circle, and where guards would be too large.
void make_precedence_guards(ExtendedNet& net, const SourceText& source);

}  // namespace dcheck::parse
