#pragma once
// Evidence for programs, written straight as text: in a document tree every step would cost about half
// a kilobyte. The fields are in docs/json.md.

#include <string>

#include "dcheck/ctl/evidence.hpp"
#include "dcheck/net/structure.hpp"

namespace dcheck {

/// The evidence from the net's initial marking on, as one JSON value.
/// Throws std::logic_error where it does not replay.
std::string witness_json(const Net& net, const Evidence& evidence);

/// The proof that a place is unbounded, as one JSON value. Throws as above.
std::string unbounded_json(const Net& net, const UnboundedEvidence& evidence);

}  // namespace dcheck
