#pragma once
// From a coloured net to a place/transition net with the same behaviour: a place for each colour, a transition for each
// binding.
//
// Left out is what the initial marking shows to be useless: colours that can never be marked and bindings that can
// never fire, found without regard to how many tokens there are. Bindings are found by joining the colours that can be
// marked, so that work and memory go with what is left, not with the product of all colours. Bindings of one transition
// that take and give the same are one transition of the net, with their number (Net::bindings). The families of the net
// are the coloured places and transitions, those without members too.
//
// A member is called `place[colour,...]` (the place alone where its only colour is `dot`), or
// `transition[variable=colour,...]`.

#include <cstdint>
#include <stdexcept>
#include <string>

#include "dcheck/colour/coloured_net.hpp"
#include "dcheck/net/net.hpp"

namespace dcheck {

struct UnfoldLimits {
  std::uint64_t places = 5'000'000, transitions = 5'000'000, arcs = 50'000'000;
  std::uint64_t name_bytes = 1'000'000'000;  // of places and transitions together
  std::uint64_t steps = 500'000'000;         // bindings begun, and colours looked at
};

/// The net cannot be unfolded: it is too large, or it asks for fewer than no tokens.
class UnfoldError : public std::runtime_error {
 public:
  UnfoldError(Origin at, const std::string& message) : std::runtime_error(message), _at(at) {}
  Origin at() const { return _at; }

 private:
  Origin _at;
};

/// Throws UnfoldError; limits are met before memory is spent on what lies beyond them.
Net unfold(const ColouredNet& net, const UnfoldLimits& limits = {});

}  // namespace dcheck
