#pragma once
// The marking in which a net without vanishing markings begins.

#include "parse/extended/extended_net.hpp"

namespace dcheck::parse {

/// Fires immediate transitions in the initial marking for as long as one is enabled, and makes what is reached the
/// initial marking. Throws InputError where that is not one marking, or where there is no end to it.
void begin_tangible(ExtendedNet& net, const SourceText& source);

}  // namespace dcheck::parse
