#pragma once
// `--lanes auto`: which places become the leaf. Leaves are tried on real rows; see docs/decisions/0003.

#include <set>

#include "dcheck/rows/plan.hpp"

namespace dcheck {

/// Grows leaves place by place, or by groups of places that belong together, each tried on some rows around
/// sampled markings. Deterministic; its work is counted in trials. Can be asked again and goes on then.
class LeafChooser {
 public:
  /// `base` carries the sample's hints, `sample` a few reachable markings. All must outlive the chooser.
  LeafChooser(const Net& net, const Structure& structure, const PlanRequest& base,
              const std::vector<std::vector<Tokens>>& sample);

  struct Leaf {
    std::vector<Place> places = {};
    double cost = 1e300;  // of an arc, that of one without lanes being 1
  };

  /// Spends as many trials as `effort` allows on this net; returns the cheapest leaf so far, which need not
  /// be cheaper than none.
  const Leaf& look(std::size_t effort);

 private:
  using Places = std::vector<Place>;

  void offer_singles();
  void offer_groups();
  void offer(Places places);
  std::vector<std::size_t> neighbours(const Places& leaf) const;
  std::vector<std::size_t> companions(const Places& leaf) const;
  double consider(const Places& places);
  double trial(const Places& leaf) const;

  const Net& _net;
  const Structure& _structure;
  const PlanRequest& _base;
  const std::vector<std::vector<Tokens>>& _sample;
  std::vector<std::vector<std::uint32_t>> _touching;  // per place: transitions that change it
  std::vector<Places> _pool;
  std::set<Places> _tried;
  std::size_t _next_seed = 0;                            // in the pool: what was not yet tried alone
  std::vector<std::pair<double, std::size_t>> _by_cost;  // members of the pool that were, the cheapest first
  std::size_t _trials_left = 0;
  Leaf _best;
};

}  // namespace dcheck
