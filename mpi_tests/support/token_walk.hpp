#pragma once
// Nets whose reachability graph can be drawn by hand: one token that walks from place to place.

#include <utility>
#include <vector>

#include "dcheck/ctl/formula.hpp"
#include "dcheck/net/net.hpp"

namespace dcheck::test {

/// A token on place 0 of `places`; transition i moves it along moves[i].
Net token_walk(std::uint32_t places, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& moves);

/// The token is on this place.
Formula token_at(std::uint32_t place);

}  // namespace dcheck::test
