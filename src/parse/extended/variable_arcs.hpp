#pragma once
// Arcs whose weights depend on the marking, as one transition for each weight that there can be.

#include <span>

#include "parse/extended/extended_net.hpp"

namespace dcheck::parse {

/// Largest numbers of tokens that are proven whatever variable arcs, guards and inhibitor arcs do; empty where the net
/// has no variable arcs. Throws InputError where a variable output could add any number of tokens.
std::vector<std::optional<Tokens>> bounds_of(const ExtendedNet& net, const SourceText& source);

/// Replaces each transition with variable arcs by one for each combination of their weights, named `t[3]` or `t[3,0]`,
/// which a guard or arcs allow in just the markings in which those are the weights. Returns, per transition, which one
/// it was. Throws InputError where a weight could be negative or endless, or where there would be too many.
std::vector<std::uint32_t> resolve_variable_arcs(ExtendedNet& net, std::span<const std::optional<Tokens>> bounds,
                                                 const SourceText& source);

}  // namespace dcheck::parse
