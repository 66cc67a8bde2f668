#pragma once
// In what order the variables of a transition are bound: what each step joins, computes, tries or tests. Made once for
// each input that a new colour may come to, run for each such colour (bindings.hpp).

#include <cstdint>
#include <vector>

#include "colour/marked_colours.hpp"

namespace dcheck {

/// An input of a transition that must be marked for any binding: one colour of a place.
struct InputPattern {
  std::uint32_t place = 0;
  const ColourTuple* tuple = nullptr;
  bool operator==(const InputPattern& other) const { return place == other.place && *tuple == *other.tuple; }
};

struct BindingStep {
  enum class Kind : std::uint8_t {
    look_up,    // the input's colour is known: it must be marked
    join,       // every marked colour of the input with the known components binds the others
    assign,     // an equality of the guard tells the variable
    enumerate,  // the variable takes every colour of its class
    test        // a conjunct of the guard, all of whose variables are bound
  };
  Kind kind = Kind::test;
  std::uint32_t pattern = 0;              // look_up, join
  std::uint32_t index = 0;                // join: of the place
  std::uint64_t known = 0;                // join: these components
  bool is_earlier = false;                // look_up, join: the newest colour itself will not do
  std::uint32_t variable = 0;             // assign, enumerate
  Colour size = 0;                        // of the variable's class
  const ColourTerm* of = nullptr;         // assign: the variable with its shift ...
  const ColourTerm* by = nullptr;         // ... equals this term
  const ColourGuard* conjunct = nullptr;  // test
};

/// What a transition asks of bindings.
struct BindingRule {
  std::uint32_t transition = 0;
  std::vector<InputPattern> patterns;
  std::vector<const ColourGuard*> conjuncts;
};

/// How bindings are found that use the newest colour for pattern `trigger`.
struct BindingPlan {
  std::uint32_t rule = 0;
  std::uint32_t trigger = 0;
  std::vector<BindingStep> steps;
};

inline constexpr std::uint32_t no_trigger = ~std::uint32_t{0};

BindingRule rule_of(const ColouredNet& net, std::uint32_t transition);

/// Every binding is found by exactly one trigger and colour: its newest input colour, at the first pattern that has it.
/// no_trigger: for a rule without patterns.
BindingPlan plan_of(const ColouredNet& net, const BindingRule& rule, std::uint32_t trigger, MarkedColours& marked);

}  // namespace dcheck
