#pragma once
// `--lanes auto`: when an exploration looks for a leaf, and what that may cost. See docs/decisions/0003.

#include <memory>
#include <vector>

#include "dcheck/leaf/choose_leaf.hpp"

namespace dcheck {

/// What a look at an exploration ends with.
enum class LeafWish : std::uint8_t {
  none,  // what was explored stays
  leaf,  // a leaf promises so much that it is worth beginning again with it
  keys   // the states themselves may know better: project() wants keys of them
};

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

  /// `state` is what this rank has explored, `states` how many all ranks have found. The others wait meanwhile: so a
  /// look may take a share of the time that this rank has worked.
  LeafWish look(const Plan& plan, const ExploreState& state, std::uint64_t states);
  /// @pre look() wished for keys: here they are, of up to most_keys_to_project states of all ranks.
  LeafWish project(const Plan& plan, const ExploreState& state, const std::vector<std::uint64_t>& keys);
  /// @pre A leaf was wished for.
  const std::vector<Place>& leaf() const { return _leaf; }

  static constexpr std::size_t most_keys_to_project = std::size_t{1} << 19;

 private:
  LeafWish begin_again(const std::vector<Place>& leaf, double cost, double run);

  const Net& _net;
  const Structure& _structure;
  const PlanRequest& _request;
  const std::vector<std::vector<Tokens>>& _sample;
  Patience& _patience;
  std::unique_ptr<LeafChooser> _chooser;
  double _leaf_cost = 1;  // of the plan in use, as the chooser counts it
  std::uint64_t _first_look, _next_look = _first_look;
  bool _is_projected = false;
  std::vector<Place> _leaf;
  double _lost_steps = 0;  // of what was explored before the last new beginning
};

}  // namespace dcheck
