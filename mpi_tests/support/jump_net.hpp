#pragma once
// Nets in which tokens jump: cycles that grow by many tokens at once, when one transition fires, after thousands of
// states without a jump. What was learnt of them before (widths of fields, leaves, tables) is wrong then. The same
// seed gives the same net on every machine.

#include <string>
#include <vector>

#include "support/naive_explorer.hpp"

namespace dcheck::test {

/// Two or three cycles of two to four places, and a transition that fires once: a guard or an inhibitor arc that no
/// invariant follows from sees to that. It adds tokens to one cycle, which no invariant bounds any more.
Net jump_net(std::uint64_t seed);

/// Explores the net on one and on two ranks, with lanes chosen and without, with default options otherwise: in
/// what it differs from the truth, a line each. A clean stop, with a reason, is none.
std::vector<std::string> wrong_about_jumps(const Net& net, const NaiveGraph& truth);

}  // namespace dcheck::test
