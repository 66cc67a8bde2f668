#pragma once
// `--allocation local`: which few places tell the owner of a row. See docs/decisions/0011.

#include "dcheck/owners/class_sample.hpp"

namespace dcheck {

/// The places whose classes promise the fewest arcs between even partitions; none where nothing does.
std::vector<Place> search_places(const ClassSample& sample, int ranks);

/// Of the places that the user names, those that can tell an owner.
std::vector<Place> usable_places(const ClassSample& sample, const std::vector<Place>& named, int ranks);

}  // namespace dcheck
