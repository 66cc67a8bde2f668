#pragma once
// What was asked, in the text report: a line per property, with its evidence below.

#include <span>

#include "dcheck/check/check.hpp"
#include "report/buffer.hpp"

namespace dcheck {

/// Whether the verdict, or the bound, was found.
bool is_known(const PropertyResult& property);

/// Verdict or bound, id, formula (cut where it is long), time, and the states that satisfy it where they
/// were counted, in aligned columns; below many of them how many hold and fail. A reason that several of them share is
/// given once. Throws std::logic_error where evidence does not replay.
void put_verdicts(Buffer& out, const Net& net, std::span<const PropertyResult> properties);

}  // namespace dcheck
