#pragma once
// A model as text in a format that dcheck and other tools read: the net as it was read, unfolded, and what else the
// format has a place for.

#include <span>
#include <string>
#include <vector>

#include "dcheck/parse/model.hpp"

namespace dcheck {

struct WrittenModel {
  std::string text;
  std::size_t places = 0, transitions = 0, arcs = 0;
  /// Names that the format's grammar does not allow, or allows once only, and that were changed therefore.
  std::size_t changed_names = 0;
  /// What the format has no place for and what changes no state: "16 rates", "1 property" ...
  std::vector<std::string> left_out;
};

/// Reading the text gives a net with the same states and arcs. Throws InputError (the message alone) where the format
/// cannot express the net: a guard that is no comparison of places with numbers in PNML, a .net or LoLA, inhibitor arcs
/// in LoLA ... `properties` are those to keep, in place of the model's own.
/// Formats: spn, pnml, tina (.net) and lola.
WrittenModel written(const Model& model, std::span<const Property> properties, ModelFormat format);

}  // namespace dcheck
