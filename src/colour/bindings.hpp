#pragma once
// All bindings of a coloured net that can fire as far as their inputs of one colour tell, and all colours that can then
// be marked: the smallest such sets, found by joining each new colour with those that came before it. How many tokens
// there are does not count, nor do inputs of sets of colours: what these rule out is found out afterwards.

#include <cstdint>
#include <vector>

#include "colour/binding_plan.hpp"
#include "colour/marked_colours.hpp"
#include "dcheck/colour/unfold.hpp"

namespace dcheck {

class Bindings {
 public:
  Bindings(const ColouredNet& net, const UnfoldLimits& limits);

  const MarkedColours& marked() const { return _marked; }
  std::size_t count(std::uint32_t transition) const { return _found[transition].count; }
  /// A colour per variable.
  const Colour* binding(std::uint32_t transition, std::size_t i) const {
    return _found[transition].colours.data() + i * _net.transitions[transition].variables.size();
  }

 private:
  struct Found {
    std::vector<Colour> colours;
    std::size_t count = 0;
  };
  struct Trigger {
    std::uint32_t rule = 0;
    BindingPlan plan;
  };

  void mark_initial();
  void make_rules();
  void run_newest(std::uint32_t number);
  /// Binds the variables of a pattern by a colour; false where it does not fit what is bound already.
  bool match(const InputPattern& pattern, std::uint64_t known, std::uint64_t code);
  void run(const BindingRule& rule, const BindingPlan& plan, std::size_t step);
  void join(const BindingRule& rule, const BindingPlan& plan, std::size_t at);
  bool is_marked(const BindingRule& rule, const BindingStep& step) const;
  void found(const BindingRule& rule);
  void mark_outputs(std::uint32_t transition);
  void count_step(std::uint32_t transition);

  const ColouredNet& _net;
  UnfoldLimits _limits;
  MarkedColours _marked;
  std::vector<BindingRule> _rules;              // one a transition
  std::vector<std::vector<Trigger>> _triggers;  // per place
  std::vector<Found> _found;                    // per transition
  std::vector<Colour> _binding;                 // the one that is being made
  std::uint32_t _newest = 0;
  std::uint64_t _steps = 0, _bindings = 0;
};

/// visit(code, count) for every colour that the tuple stands for under a binding.
template <typename Visit>
void for_each_colour(const ColouredNet& net, const ColourDomain& domain, const ColourTuple& tuple,
                     const Colour* binding, Visit&& visit, std::size_t component = 0, std::uint64_t code = 0) {
  if (component == tuple.components.size()) return visit(code);
  const ColourTerm& term = tuple.components[component];
  const std::uint64_t stride = domain.stride[component];
  const auto go_on = [&](Colour colour) {
    for_each_colour(net, domain, tuple, binding, visit, component + 1, code + colour * stride);
  };
  if (term.is_single()) return go_on(colour_of(term, net, binding));
  if (term.kind == ColourTerm::Kind::set) {
    for (const Colour colour : term.set) go_on(colour);
  } else {
    for (Colour colour = 0; colour < domain.size[component]; ++colour) go_on(colour);
  }
}

}  // namespace dcheck
