#pragma once
// The reference: CTL by textbook labelling of a naive graph. Every operator has its own fixed point over
// single states, so that no rewriting of operators into each other is shared with what it judges.
//
// Paths are maximal: infinite, or ending in a dead state. So a dead state has EX f = false, AX f = true;
// EF, AF, EG, AG f = f; E[f U g] = A[f U g] = g.

#include <functional>
#include <optional>
#include <vector>

#include "dcheck/ctl/formula.hpp"
#include "support/naive_explorer.hpp"

namespace dcheck::test {

/// One entry per state: whether it satisfies the formula. The graph must be complete.
std::vector<bool> satisfying_states(const Formula& formula, const Net& net, const NaiveGraph& graph);

/// The fewest steps that show EF f or E[f U g] to hold, or AG f to fail, in the initial state; none where
/// the formula is of another kind, or its verdict is the other one.
std::optional<std::size_t> shortest_evidence(const Formula& formula, const Net& net, const NaiveGraph& graph);

/// Whether any evidence for the verdict of the formula in the initial state holds a path, by the table in
/// dcheck/ctl/evidence.hpp: where an `or` holds (an `and` fails), whichever child is shown. `holds` is asked for
/// verdicts in the initial state, of the formula and of children of its boolean combinations only.
bool needs_path(const Formula& formula, const std::function<bool(const Formula&)>& holds);
bool needs_path(const Formula& formula, const Net& net, const NaiveGraph& graph);

}  // namespace dcheck::test
