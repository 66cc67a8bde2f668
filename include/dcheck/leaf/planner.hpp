#pragma once
// The plan of an exploration from its first guess on: a sample tells how wide fields should be, the user or a search
// chooses the leaf, and what the exploration meets makes the plan wider. All decisions are in the request; every rank
// makes the same plan from the same request.

#include <memory>
#include <optional>

#include "dcheck/leaf/lane_choice.hpp"
#include "dcheck/leaf/leaf_look.hpp"
#include "dcheck/net/sample.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

class Planner {
 public:
  /// All must outlive it.
  Planner(const Net& net, const Structure& structure, const LaneChoice& choice, Patience& patience)
      : _net(net), _structure(structure), _choice(choice), _patience(patience) {}

  /// What plans are made from. Ranks share it.
  PlanRequest request;

  /// Throws InputError where the places of the lane choice make more lanes than there may be.
  void refuse_unfit_choice() const;

  /// The first request: widths from a short sample, and the leaf that the user named.
  void begin();

  /// The plan that the request asks for. A leaf that was not named but chosen loses its last place until its lanes fit,
  /// in the request too. Throws ResourceError where a named one does not fit.
  std::unique_ptr<Plan> make();

  /// `--lanes auto`: whether it is time to look for a leaf, by what this rank has done.
  bool is_due(const StateSpace& space) const { return _look.is_due(space.state); }
  /// Looks for one, of several ranks on rank 0: see LeafLook. Where one is worth it the request asks for it.
  LeafWish look_for_leaf(const StateSpace& space, std::uint64_t states);
  LeafWish project_leaf(const StateSpace& space, const std::vector<std::uint64_t>& keys);

 private:
  LeafWish taken(LeafWish wish);

  const Net& _net;
  const Structure& _structure;
  const LaneChoice& _choice;
  Patience& _patience;
  Sample _sample;
  LeafLook _look{_net, _structure, request, _sample.markings, _choice.look_after_rows, _patience};
};

}  // namespace dcheck
