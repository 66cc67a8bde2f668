#pragma once
// The line that every text begins with.

#include <string>

#include "dcheck/report/report.hpp"

namespace dcheck {

/// The net, its parameters, the ranks; with a newline.
std::string heading(const RunReport& report);

}  // namespace dcheck
