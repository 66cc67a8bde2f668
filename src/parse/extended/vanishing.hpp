#pragma once
// Leaves out the vanishing markings: those in which an immediate transition is enabled. What remains are the tangible
// ones; an arc leads from one to the next by a timed transition and then immediate ones, for as long as one is enabled.
//
// Exact, on the net alone: after a timed transition all sequences of immediate transitions are followed symbolically. A
// sequence is known by what it adds to places, and by what must have held before it, of the marking in which the timed
// transition fired. Each timed transition becomes one for each sum of effects, enabled where one of the sequences with
// that sum is what happens: so that an arc is a marking, a timed transition and a marking, whatever the order of
// immediate ones between them.

#include <span>

#include "parse/extended/extended_net.hpp"

namespace dcheck::parse {

/// For a net without variable arcs; timed transitions have their guards for priorities, immediate ones have not. The
/// result has no immediate transitions; `origin`, per transition, is made that of the result.
/// Throws InputError, at a transition, where immediate ones fire round in a circle or too often in a row, and where
/// they lead from the initial marking to several ones.
void leave_out_vanishing(ExtendedNet& net, std::vector<std::uint32_t>& origin,
                         std::span<const std::optional<Tokens>> bounds, const SourceText& source);

}  // namespace dcheck::parse
