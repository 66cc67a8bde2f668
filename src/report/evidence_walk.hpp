#pragma once
// Walks along a piece of evidence and shows each position with what stands there, so that every
// printer replays what it prints.

#include <functional>
#include <span>

#include "dcheck/ctl/evidence.hpp"
#include "report/path.hpp"

namespace dcheck {

struct EvidencePosition {
  std::size_t at = 0;
  const PathStep* step = nullptr;  // that led here; null at the start
  std::span<const EvidencePart* const> parts;
};

/// Visits positions 0 to path.size(), in order, with `marking` as the marking there; the visitor may
/// walk along the parts from it. The marking is left as it was found. Time is linear in the evidence.
/// Throws std::logic_error where the evidence shows nothing: a step that is not enabled, a lasso that
/// does not return to its loop, a part beyond the path's end.
void walk(const Net& net, const Evidence& evidence, Marking& marking,
          const std::function<void(const EvidencePosition&)>& visit);

}  // namespace dcheck
