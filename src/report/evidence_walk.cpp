#include "report/evidence_walk.hpp"

#include <algorithm>
#include <stdexcept>

namespace dcheck {
namespace {

std::vector<const EvidencePart*> parts_by_position(const Evidence& evidence) {
  std::vector<const EvidencePart*> parts;
  parts.reserve(evidence.parts.size());
  for (const EvidencePart& part : evidence.parts) {
    if (part.at > evidence.path.size()) throw std::logic_error("a part to be shown lies beyond the end of its path");
    parts.push_back(&part);
  }
  std::ranges::stable_sort(parts, {}, &EvidencePart::at);
  return parts;
}

void take_back(const Net& net, Marking& marking, std::span<const Transition> path) {
  for (const Transition t : path) unfire(net, t, marking);
}

}  // namespace

void walk(const Net& net, const Evidence& evidence, Marking& marking,
          const std::function<void(const EvidencePosition&)>& visit) {
  const bool is_lasso = evidence.kind == Evidence::Kind::lasso;
  if (is_lasso && evidence.loop >= evidence.path.size()) throw std::logic_error("a lasso to be shown has no loop");
  const auto parts = parts_by_position(evidence);
  auto next_part = parts.begin();
  Marking at_loop;
  PathStep step{};
  for (std::size_t at = 0; at <= evidence.path.size(); ++at) {
    if (at > 0) step = replay(net, marking, evidence.path[at - 1]);
    if (is_lasso && at == evidence.loop) at_loop = marking;
    const auto first_part = next_part;
    next_part = std::find_if(first_part, parts.end(), [at](const EvidencePart* part) { return part->at != at; });
    visit({at, at > 0 ? &step : nullptr, {first_part, next_part}});
  }
  if (is_lasso && marking != at_loop) throw std::logic_error("a lasso to be shown does not return to its loop");
  take_back(net, marking, evidence.path);
}

}  // namespace dcheck
