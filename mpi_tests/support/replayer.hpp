#pragma once
// Judges evidence by firing it: walks a formula and its evidence side by side, by the table in
// dcheck/ctl/evidence.hpp. It takes nothing from dcheck but the net and the trees, and fires and evaluates by the
// reference explorer, so that it cannot share a mistake with the engine that made the evidence.

#include <optional>
#include <string>

#include "dcheck/ctl/evidence.hpp"
#include "support/naive_explorer.hpp"

namespace dcheck::test {

/// Why the evidence does not show that the formula holds (or fails) in the initial marking, in one line;
/// none where it does. Statements about all paths, and parts the evidence says it left out, are believed
/// without a graph; with one (complete, of the same net) every claim is compared with the reference checker.
std::optional<std::string> refutes(const Net& net, const Formula& formula, bool holds, const Evidence& evidence,
                                   const NaiveGraph* graph = nullptr);

/// The same for an upper bound: the path must lead to a marking where `sum` has the value `bound`.
std::optional<std::string> refutes_bound(const Net& net, const Expression& sum, Tokens bound, const Evidence& evidence);

}  // namespace dcheck::test
