#pragma once
// Markings as plain numbers, one per place: firing, and adding up. All arithmetic is checked. For cold code; rows are
// fired by their plan (rows/firing.hpp).

#include <span>
#include <vector>

#include "dcheck/net/net.hpp"

namespace dcheck {

using Marking = std::vector<Tokens>;

/// Adds the transition's effect, whether it is enabled or not. False, with the marking as it was, where a number would
/// leave 63 bits.
[[nodiscard]] bool fire(const Net& net, Transition t, std::span<Tokens> marking);
/// Takes the effect of a transition that was fired back.
void unfire(const Net& net, Transition t, std::span<Tokens> marking);

/// The marking after firing. Throws ResourceError where a number would leave 63 bits.
Marking fired(const Net& net, Transition t, Marking marking);

/// The transitions that are enabled in a marking, in the net's order.
std::vector<Transition> enabled_in(const Net& net, std::span<const Tokens> marking);

/// All tokens of a marking. Throws ResourceError where they leave 63 bits.
Tokens tokens_in(std::span<const Tokens> marking);

}  // namespace dcheck
