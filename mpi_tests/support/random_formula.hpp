#pragma once
// Random CTL formulas and sums over the places of a net, for random nets (support/random_net.hpp).

#include "dcheck/ctl/formula.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {

/// All operators, nested at most `depth` deep over atoms of all kinds; the net has places and transitions.
/// Now and then a part, or its negation, stands in the formula twice. Boolean combinations are made as parsers make
/// them, or, now and then, left as they fall: constants, double negations, no child at all.
Formula random_formula(Dice& dice, const Net& net, int depth);

/// Boolean combinations of EF and AG of atoms: what a search can decide before it has seen everything.
Formula random_reachability(Dice& dice, const Net& net, int depth);

/// A linear sum of one to four terms, for an upper bound; coefficients may be negative.
Expression random_sum(Dice& dice, const Net& net);

}  // namespace dcheck::test
