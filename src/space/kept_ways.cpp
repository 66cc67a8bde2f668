#include "dcheck/space/kept_ways.hpp"

#include <boost/serialization/vector.hpp>
#include <utility>

#include "dcheck/base/error.hpp"
#include "dcheck/net/marking.hpp"
#include "dcheck/ranks/share.hpp"
#include "dcheck/space/fresh_state.hpp"

namespace dcheck {

void keep_ways(StateSpace& space, const std::vector<Way>& ways) {
  std::vector<Way> all;
  for (const std::vector<Way>& of_rank : gather(space.ranks, ways))
    all.insert(all.end(), of_rank.begin(), of_rank.end());
  share(space.ranks, all);
  ExploreState state = fresh_state(*space.plan, {}, &space.budget());
  carry_knowledge(space.state, state);
  space.state = std::move(state);  // gives back the memory of the hashes
  try {
    space.ranks.together([&] {
      for (const Way& way : all) {
        Marking marking(space.net.initial().begin(), space.net.initial().end());
        const auto keep = [&] {
          if (space.owns(*space.plan, marking)) add_marking(*space.plan, space.state, marking);
        };
        keep();
        for (const std::uint32_t t : way) {
          marking = fired(space.net, static_cast<Transition>(t), std::move(marking));
          keep();
        }
      }
    });
  } catch (const ResourceError& error) {
    if (!space.ranks.is_agreed(error)) throw;
  }
}

double joint_omission(const Ranks& ranks, double own) {
  double joint = 1;
  for (const double of_rank : gather(ranks, own)) joint *= of_rank;
  share(ranks, joint);
  return joint;
}

}  // namespace dcheck
