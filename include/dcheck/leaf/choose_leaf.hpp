#pragma once
// `--lanes auto`: which places become the leaf. Leaves are tried on real rows; see docs/decisions/0003.

#include <functional>
#include <map>

#include "dcheck/leaf/leaf_candidates.hpp"
#include "dcheck/leaf/leaf_trial.hpp"

namespace dcheck {

/// Grows leaves from groups of places that belong together. Deterministic; its work is counted in steps. Can be
/// asked again, and then goes on: what was tried is remembered.
class LeafChooser {
 public:
  /// `base` carries the sample's hints, `sample` a few reachable markings. All must outlive the chooser.
  LeafChooser(const Net& net, const Structure& structure, const PlanRequest& base,
              const std::vector<std::vector<Tokens>>& sample, Patience& patience);

  struct Leaf {
    std::vector<Place> places = {};
    double cost = 1e300;  // of an arc, that of one without lanes being 1
    std::size_t lanes = 1;
  };

  /// Goes on until `may_go_on(best cost, steps taken in all after one more trial)` is false or nothing is left to try;
  /// returns the cheapest leaf so far, which need not be cheaper than none.
  const Leaf& look(const std::function<bool(double, double)>& may_go_on);
  /// Nothing is left to try.
  bool is_done() const { return _is_done; }
  /// This leaf, tried or not, turned out to cost so much.
  void correct(const Leaf& leaf);

 private:
  using Places = LeafCandidates::Places;
  using Reach = LeafCandidates::Reach;

  void search();
  std::vector<std::size_t> beginnings(std::size_t count);
  void grow_beginnings();
  void try_beginnings(std::size_t count);
  void try_large();
  void improve();
  bool improve_once(const Leaf& from);
  std::vector<std::size_t> companions(const Places& leaf) const;
  struct LaneRange {
    double least, most;
  };
  Places chain(Places leaf, double lanes, LaneRange wanted, Reach reach) const;
  double consider(const Places& places);

  const Net& _net;
  const Structure& _structure;
  PlanRequest _request;
  const std::vector<std::vector<Tokens>>& _sample;
  Patience& _patience;
  LeafCandidates _candidates;
  std::function<bool(double, double)> _may_go_on;        // of the look that goes on
  std::vector<std::uint64_t> _kinds;                     // per group that was looked at: its signature
  std::map<std::uint64_t, Leaf> _tried;                  // by signature
  std::vector<std::pair<double, std::size_t>> _by_cost;  // groups tried alone, the cheapest first
  double _steps = 0;
  bool _is_spent = false, _is_done = false;
  Leaf _best;
};

}  // namespace dcheck
