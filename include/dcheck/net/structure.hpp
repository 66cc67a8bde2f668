#pragma once
// What linear algebra says about a net before any state is seen. Exact integers throughout.
// Everything here is a pure, deterministic function of the net: budgets count steps, not seconds. What takes long looks
// at the caller's patience, which may end it by an exception and changes nothing else.

#include <optional>
#include <span>
#include <vector>

#include "dcheck/base/patience.hpp"
#include "dcheck/net/net.hpp"

namespace dcheck {

/// sum over terms of coefficient * m(place) == constant in every reachable marking m.
/// Places ascending, coefficients != 0, with no common divisor.
struct Invariant {
  std::vector<LinearForm::Term> terms;
  Tokens constant = 0;
};

struct Structure {
  /// A basis of the space of P-invariants (mixed signs allowed). Where exact numbers would leave
  /// 62 bits, or invariants take far more memory than the net, one is left out: fewer dependent places, never a wrong
  /// one.
  std::vector<Invariant> invariants;
  /// P-semiflows (all coefficients > 0) of minimal support, as many as the budget allowed.
  std::vector<Invariant> semiflows;
  /// Per place: which of them it stands in, ascending.
  std::vector<std::vector<std::uint32_t>> semiflows_of;
  /// Largest number of tokens a place can hold, where one is proven: by a semiflow, by the state
  /// equation, by a limit on what the transitions that add tokens can ever add, or by an inhibitor
  /// arc or guard on each of them.
  std::vector<std::optional<Tokens>> bounds;
  /// Transitions that the bounds prove to be enabled in no reachable marking, ascending. The
  /// invariants hold for their effects too.
  std::vector<Transition> dead;
};

/// Elementary row combinations that are spent on semiflows where nobody says otherwise.
inline constexpr std::size_t semiflow_budget = 10'000;

Structure analyse(const Net& net, std::size_t budget = semiflow_budget, Patience& patience = endless_patience());

/// scale * m(place) = constant + sum of coefficient * m(term.place), over independent places only.
struct Dependent {
  Place place;
  Tokens scale = 1;  // > 0
  Tokens constant = 0;
  std::vector<LinearForm::Term> terms;  // may be empty: the place is constant
};

/// Solves the invariants for as many places as there are independent invariants, in the order of
/// `keep`, last first. Places that stand
/// earlier in `keep` stay independent in preference to later ones; `keep` names every place once.
/// Places whose numbers would grow beyond 2^31 are left independent.
std::vector<Dependent> solve_for_dependents(const Net& net, const Structure& structure, std::span<const Place> keep,
                                            Patience& patience = endless_patience());

/// Evidence that a net is unbounded: firing `prefix` from the initial marking gives m, firing `pump`
/// from m gives m' >= m with more tokens in `place`.
struct UnboundedEvidence {
  Place place;
  std::vector<Transition> prefix;
  std::vector<Transition> pump;
};

/// Depth-first search for such a path, at most `steps` firings and comparisons. None: nothing found
/// within the budget, or the net has inhibitor arcs or guards (where covering proves nothing).
std::optional<UnboundedEvidence> find_unbounded(const Net& net, std::size_t steps,
                                                Patience& patience = endless_patience());

}  // namespace dcheck
