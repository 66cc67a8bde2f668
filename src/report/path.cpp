#include "report/path.hpp"

#include <stdexcept>

namespace dcheck {

std::vector<PathStep> replay(const Net& net, std::vector<Tokens>& marking, std::span<const Transition> path) {
  std::vector<PathStep> steps;
  steps.reserve(path.size());
  for (const Transition t : path) {
    if (!net.is_enabled(t, marking)) throw std::logic_error("a path to be shown does not replay at " + net.name(t));
    PathStep step{t, {}};
    for (const Arc& arc : net.effect(t)) {
      Tokens& tokens = marking[index(arc.place)];
      step.changes.push_back({arc.place, tokens, tokens + arc.weight});
      tokens += arc.weight;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace dcheck
