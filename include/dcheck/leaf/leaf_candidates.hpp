#pragma once
// Which places could be a leaf together, by what the net's structure alone says. Nothing here depends on names,
// and on the order of places and transitions only where the structure leaves a choice.

#include <cstdint>
#include <vector>

#include "dcheck/net/structure.hpp"

namespace dcheck {

class LeafCandidates {
 public:
  using Places = std::vector<Place>;  // ascending

  struct Group {
    Places places;
    double lanes = 1;    // about so many, by its own invariant
    double promise = 0;  // more is better
  };

  /// Net and structure must outlive it. Groups with more lanes than `most_lanes` are left out, but for large ones.
  LeafCandidates(const Net& net, const Structure& structure, double most_lanes);

  /// Places that can hold several tokens, and sets of places of which an invariant or the model says that they
  /// belong together; the most promising first.
  const std::vector<Group>& groups() const { return _groups; }
  /// Groups that have more lanes than others may, and no more than a mask: too many to be joined with anything.
  const std::vector<Places>& large() const { return _large; }

  /// Both, and what is then a function of them by a semiflow: leaves that are the same become equal.
  Places joined(const Places& a, const Places& b) const;

  /// Equal for leaves that cannot be told apart by what is around them, as those that a symmetry of the net
  /// exchanges.
  std::uint64_t signature(const Places& leaf) const;

  /// Which groups to ask for: those that share transitions with the leaf, of them those that share no place, or those
  /// that share neither.
  enum class Reach : std::uint8_t { overlapping, touching, apart };
  /// Groups of that kind that bring places; those that share most transitions and lead least beyond come first.
  std::vector<std::size_t> near(const Places& leaf, Reach reach) const;

 private:
  void add_large(Places places);
  void add_places(double most_lanes);
  void add_sets(double most_lanes);
  void add(Places places, double lanes);
  double promise(const Places& places, double lanes) const;

  const Net& _net;
  const Structure& _structure;
  std::vector<std::vector<std::uint32_t>> _touching;  // per place: transitions that change it
  std::vector<const Invariant*> _small_flows;
  std::vector<std::vector<std::uint32_t>> _flows;  // per place: those of them it stands in
  std::vector<Group> _groups;
  std::vector<Places> _large;
  std::vector<std::vector<std::uint32_t>> _touched_by_group;
};

}  // namespace dcheck
