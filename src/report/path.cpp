#include "report/path.hpp"

#include <algorithm>
#include <stdexcept>

namespace dcheck {

PathStep replay(const Net& net, Marking& marking, Transition t) {
  if (!net.is_enabled(t, marking)) throw std::logic_error("a path to be shown does not replay at " + net.name(t));
  PathStep step{t, {}};
  step.changes.reserve(net.effect(t).size());
  if (!fire(net, t, marking)) throw std::logic_error("a path to be shown leaves 63 bits at " + net.name(t));
  for (const Arc& arc : net.effect(t)) {
    const Tokens after = marking[index(arc.place)];
    step.changes.push_back({arc.place, after - arc.weight, after});
  }
  std::sort(step.changes.begin(), step.changes.end(), [&](const PathStep::Change& a, const PathStep::Change& b) {
    return net.position(a.place) < net.position(b.place);
  });
  return step;
}

std::vector<PathStep> replay(const Net& net, Marking& marking, std::span<const Transition> path) {
  std::vector<PathStep> steps;
  steps.reserve(path.size());
  for (const Transition t : path) steps.push_back(replay(net, marking, t));
  return steps;
}

}  // namespace dcheck
