#pragma once
// From an extended net to one of places, weights, inhibitor arcs and guards with the same states and arcs, or to an
// error that names the transition and the rule that stands in the way. Nothing is approximated.

#include <vector>

#include "dcheck/parse/model.hpp"
#include "parse/extended/extended_net.hpp"

namespace dcheck::parse {

struct Translation {
  Net net;
  /// Per transition of the extended net: those that fire it, perhaps none.
  std::vector<std::vector<Transition>> became;
};

/// Throws InputError at the transition that cannot be expressed, and where the result would be too large.
Translation translated(ExtendedNet net, const SourceText& source);

/// The model of a file that has a net and nothing else. Throws InputError as translated() does, and where the net has
/// no place.
Model model_of(ExtendedNet net, const SourceText& source);

}  // namespace dcheck::parse
