#pragma once
// Small random coloured nets from a seed: the same seed gives the same net on every machine.

#include <cstdint>

#include "dcheck/colour/coloured_net.hpp"

namespace dcheck::test {

/// Two or three classes of one to four colours, cyclic or not, perhaps `dot` and a range; places over one class or a
/// product of two or three; transitions with variables, successors, constants, sets and `all`, counts up to 3, what is
/// taken away from a sum, variables that stand on outputs or in the guard only, and guards of every kind.
ColouredNet random_coloured_net(std::uint64_t seed);

}  // namespace dcheck::test
