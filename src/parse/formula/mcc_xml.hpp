#pragma once
// The formula files of the Model Checking Contest: CTL, reachability and upper bounds.

#include <string>
#include <string_view>
#include <vector>

#include "dcheck/parse/model.hpp"

namespace dcheck::parse {

/// The properties in order. Throws InputError where the text is not such a file, or names what the model has not.
std::vector<Property> parse_mcc_xml(std::string_view text, const std::string& file, const Model& model);

}  // namespace dcheck::parse
