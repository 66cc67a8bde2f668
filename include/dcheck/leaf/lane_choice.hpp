#pragma once
// `--lanes`: which places form the leaf, whether those that the user names can, and what to say where they cannot.

#include <string>
#include <vector>

#include "dcheck/net/structure.hpp"
#include "dcheck/rows/plan.hpp"

namespace dcheck {

/// Which places form the leaf.
struct LaneChoice {
  enum class Kind : std::uint8_t { automatic, off, places };
  Kind kind = Kind::automatic;
  std::vector<Place> places;  // where kind == places
  // Small state spaces are done before a leaf could pay. Tests choose less, to try on small nets what large ones meet.
  std::size_t sample_steps = 150'000;    // of the walk that tells how wide fields should be
  std::uint64_t look_after_rows = 8192;  // a leaf is looked for then, and again each time the rows have doubled
};

/// Throws InputError where the places make more than max_lanes lanes by all that is known before the search. Places
/// that no invariant bounds are given the chance to hold few tokens.
void refuse_unfit_lanes(const Net& net, const Structure& structure, const std::vector<Place>& leaf);

/// One line for the moment at which the search has met more than max_lanes markings of these places.
std::string outgrown_lanes_text(const Net& net, const Structure& structure, const std::vector<Place>& leaf);

/// One line about places that were named in vain, since they follow from others; mostly empty.
std::string remark_on_lanes(const LaneChoice& choice, const Plan& plan);

}  // namespace dcheck
