#pragma once
// The last part of the text report: a line a property, with its evidence below.

#include <span>

#include "dcheck/check/check.hpp"
#include "report/buffer.hpp"

namespace dcheck {

/// Verdict or bound, id, formula (cut where it is long), time, and the states that satisfy it where they
/// were counted, in aligned columns. Throws std::logic_error where evidence does not replay.
void put_verdicts(Buffer& out, const Net& net, std::span<const PropertyResult> properties);

}  // namespace dcheck
