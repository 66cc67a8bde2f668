#pragma once
// An estimate for people and for programs.

#include <string>

#include "dcheck/estimate/estimate.hpp"

namespace dcheck {

/// `heading`: the lines that name the net.
std::string estimate_text(const Estimate& estimate, const std::string& heading);

/// One JSON object, `{"estimate": ...}`; fields as in docs/json.md.
std::string estimate_json(const Estimate& estimate, const std::string& version, const std::string& model);

}  // namespace dcheck
