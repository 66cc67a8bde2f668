#pragma once
// `--allocation local`: which few places tell the owner of a row. See docs/decisions/0017.

#include "dcheck/owners/class_sample.hpp"

namespace dcheck {

/// Places that tell apart many classes for each rank, and that few arcs change: those that tell most for the arcs that
/// change them are taken first. None where nothing can be told apart.
std::vector<Place> search_places(const ClassSample& sample, int ranks, Patience& patience);

/// Of the places that the user names, those that can tell an owner.
std::vector<Place> usable_places(const ClassSample& sample, const std::vector<Place>& named, int ranks);

}  // namespace dcheck
