#pragma once
// `--lanes PLACE,...`: whether the places that the user names can be the leaf, and what to say where they cannot.

#include <string>

#include "dcheck/explore/explore.hpp"

namespace dcheck {

/// Throws InputError where the places make more than max_lanes lanes by all that is known before the search. Places
/// that no invariant bounds are given the chance to hold few tokens.
void refuse_unfit_lanes(const Net& net, const Structure& structure, const std::vector<Place>& leaf);

/// One line for the moment at which the search has met more than max_lanes markings of these places.
std::string outgrown_lanes_text(const Net& net, const Structure& structure, const std::vector<Place>& leaf);

/// One line about places that were named in vain, since they follow from others; mostly empty.
std::string remark_on_lanes(const LaneChoice& choice, const Plan& plan);

}  // namespace dcheck
