#include "support/token_walk.hpp"

#include <string>

#include "dcheck/net/net_builder.hpp"

namespace dcheck::test {

Net token_walk(std::uint32_t places, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& moves) {
  NetBuilder builder("walk");
  for (std::uint32_t p = 0; p < places; ++p) builder.add_place("p" + std::to_string(p), p == 0 ? 1 : 0);
  for (const auto& [from, to] : moves) {
    const Transition t = builder.add_transition("t" + std::to_string(builder.transition_count()));
    builder.add_input(t, Place{from}, 1);
    builder.add_output(t, Place{to}, 1);
  }
  return builder.build();
}

Formula token_at(std::uint32_t place) {
  return Formula::atom_of(
      Expression::of(Expression::Kind::less_equal, {Expression::constant_of(1), Expression::tokens_in(Place{place})}));
}

}  // namespace dcheck::test
