#pragma once
// The reference: a breadth-first search over a map of vectors. It takes nothing from dcheck but the
// arc lists and guards of the net, and evaluates guards by itself, so that it cannot share a mistake with what it
// judges.

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "dcheck/net/net.hpp"

namespace dcheck::test {

struct NaiveLimits {
  std::size_t states = 20'000;
  Tokens tokens = 1'000;  // in one place
};

struct NaiveArc {
  Transition transition;
  std::size_t target;  // index of a state
  bool operator==(const NaiveArc&) const = default;
};

/// State 0 is the initial one; states are numbered in breadth-first order.
struct NaiveGraph {
  enum class Cut { none, states, tokens, overflow };

  std::vector<std::vector<Tokens>> markings;
  std::vector<std::vector<NaiveArc>> successors;  // by ascending transition
  std::map<std::vector<Tokens>, std::size_t> number_of;
  std::size_t arcs = 0;  // triples (marking, transition, marking), one for each of the transition's bindings
  std::size_t deadlocks = 0;
  std::vector<Tokens> most_in_place;  // one entry per place
  Tokens most_in_marking = 0;
  /// Why the search stopped early (overflow: in a place, or of a marking's tokens together); then the figures above
  /// cover what was reached, and `deadlocks` only states whose successors were looked at.
  Cut cut = Cut::none;

  std::size_t states() const { return markings.size(); }
  bool is_complete() const { return cut == Cut::none; }
  std::optional<std::size_t> find(const std::vector<Tokens>& marking) const;
};

NaiveGraph explore_naively(const Net& net, NaiveLimits limits = {});

/// Per marking that has any: the markings that lead to it, sorted, one per arc.
using Predecessors = std::map<std::vector<Tokens>, std::vector<std::vector<Tokens>>>;
Predecessors predecessors_in(const NaiveGraph& graph);

bool is_naively_enabled(const Net& net, Transition t, std::span<const Tokens> marking);
/// Throws std::overflow_error where a place gets more tokens than 63 bits can count.
std::vector<Tokens> fire_naively(const Net& net, Transition t, std::span<const Tokens> marking);

/// The truth of any predicate of dcheck, by recursion over its definition.
bool holds_naively(const Expression& predicate, const Net& net, std::span<const Tokens> marking);

/// The value of any arithmetic of dcheck, likewise.
Tokens value_naively(const Expression& arithmetic, std::span<const Tokens> marking);

}  // namespace dcheck::test
