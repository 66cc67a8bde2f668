#pragma once
// Markings and arcs seen on a random walk, and what they tell about owners by classes of a few places: how many arcs
// would cross, how even the partitions would be. Cold code, but it is asked a hundred times: no hashing, no allocation
// a marking.

#include "dcheck/ranks/allocation.hpp"
#include "dcheck/ranks/partition.hpp"

namespace dcheck {

/// Owners by classes, and what to expect of them.
struct OwnerProposal {
  OwnerClasses classes;
  double cross = 1;      // share of arcs between ranks
  double imbalance = 0;  // (largest - smallest) / mean of the partitions
  double largest = 1;    // the largest partition / mean
};

class ClassSample {
 public:
  /// Looks at so many markings of a walk by `steps` steps. The plan must outlive the sample.
  ClassSample(const Plan& plan, std::size_t markings, std::size_t steps);

  /// Key places in the order of how much they promise: they change seldom and have many values. Those that do not
  /// change or need too many bits are left out.
  const std::vector<Place>& candidates() const { return _candidates; }

  /// The classes of these places, and the best owners for them. Not possible where they need too many bits.
  bool can_propose(const std::vector<Place>& places, int ranks) const;
  OwnerProposal propose(const std::vector<Place>& places, int ranks) const;
  /// The same with better weights: per class.
  OwnerProposal propose(const OwnerClasses& classes, const std::vector<std::uint64_t>& weights, int ranks,
                        Effort effort) const;

 private:
  static constexpr unsigned most_place_bits = 10;

  void look(std::span<const Tokens> marking);
  void rank_candidates();
  unsigned width(Place place) const;
  OwnerClasses classes_of(std::vector<Place> places) const;
  std::vector<std::uint32_t> classes_of_markings(const OwnerClasses& classes) const;
  struct SeenClasses {
    ClassGraph graph;
    std::vector<std::size_t> node;  // per class, none where it was not seen
  };
  SeenClasses seen_classes(const OwnerClasses& classes, const std::vector<std::uint64_t>& weights) const;

  const Plan& _plan;
  std::vector<Tokens> _markings;             // of all places, one marking after another
  std::vector<std::uint32_t> _first_arc{0};  // per marking and one more
  std::vector<std::uint32_t> _arcs;          // enabled transitions
  std::vector<Place> _candidates;
};

/// Per place, what a walk does not exceed: its bound, or what a few forward walks have seen.
std::vector<Tokens> most_tokens(const Plan& plan);

/// The class of a marking.
std::size_t class_of(const OwnerClasses& classes, std::span<const Tokens> marking);

}  // namespace dcheck
