#pragma once
// `--lanes auto`: when an exploration looks for a leaf, and what that may cost. See docs/decisions/0003.

#include <memory>
#include <optional>

#include "dcheck/leaf/choose_leaf.hpp"

namespace dcheck {

class LeafLook {
 public:
  /// All must outlive it; `request` is the one that the plan in use was made from, whenever look() is called.
  LeafLook(const Net& net, const Structure& structure, const PlanRequest& request,
           const std::vector<std::vector<Tokens>>& sample, std::uint64_t first_look, Patience& patience)
      : _net(net),
        _structure(structure),
        _request(request),
        _sample(sample),
        _patience(patience),
        _first_look(first_look) {}

  /// Small state spaces are done before a leaf could pay.
  bool is_due(const ExploreState& state) const { return state.counts.row_visits >= _next_look; }

  /// A leaf that promises so much that it is worth beginning again with it; none: what was explored stays.
  std::optional<std::vector<Place>> look(const Plan& plan, const ExploreState& state);

 private:
  std::optional<std::vector<Place>> begin_again(const std::vector<Place>& leaf, double cost, double run);
  /// Trials found nothing: the states themselves may know better.
  std::optional<std::vector<Place>> projected(const Plan& plan, const ExploreState& state, double run);

  const Net& _net;
  const Structure& _structure;
  const PlanRequest& _request;
  const std::vector<std::vector<Tokens>>& _sample;
  Patience& _patience;
  std::unique_ptr<LeafChooser> _chooser;
  double _leaf_cost = 1;  // of the plan in use, as the chooser counts it
  std::uint64_t _first_look, _next_look = _first_look;
  bool _is_projected = false;
  double _lost_steps = 0;  // of what was explored before the last new beginning
};

}  // namespace dcheck
