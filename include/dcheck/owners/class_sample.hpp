#pragma once
// Markings and arcs seen on random walks, and what they tell about owners by classes of a few places: how many arcs
// would cross, how even the partitions would be. Cold code, but it is asked a hundred times: no hashing, no allocation
// a marking.

#include "dcheck/owners/partition.hpp"
#include "dcheck/space/allocation.hpp"

namespace dcheck {

/// Up to so many ranks, a small table and a small sample do.
inline constexpr int few_ranks = 8;

/// Owners by classes, and what to expect of them.
struct OwnerProposal {
  OwnerClasses classes;
  double cross = 1;      // share of arcs between ranks
  double imbalance = 0;  // (largest - smallest) / mean of the partitions
  double largest = 1;    // the largest partition / mean
};

class ClassSample {
 public:
  /// Looks at these markings, of all places, one after another. The plan's net and the patience, which proposals look
  /// at too, must outlive the sample.
  ClassSample(const Plan& plan, std::vector<Tokens> markings, Patience& patience);

  /// Key places that change, do not need too many bits, and tell something that none before them tells. Those that
  /// change seldom and have many values come first ...
  const std::vector<Place>& seldom_changing() const { return _seldom_changing; }
  /// ... and here, in turn with them, those that have many values and change more often.
  const std::vector<Place>& candidates() const { return _candidates; }

  /// The classes of these places, and the best owners for them. Not possible where they need too many bits.
  bool can_propose(const std::vector<Place>& places, int ranks) const;
  OwnerProposal propose(const std::vector<Place>& places, int ranks) const;
  /// The same with weights from elsewhere: per class.
  OwnerProposal propose(const OwnerClasses& classes, const std::vector<std::uint64_t>& weights, int ranks,
                        Effort effort) const;
  /// Better owners for classes that have some, by moving few classes.
  OwnerProposal improve(const OwnerClasses& classes, const std::vector<std::uint64_t>& weights, int ranks,
                        double tolerance) const;

 private:
  static constexpr unsigned most_place_bits = 10;

  struct KeyField {
    Place place;
    StoredField field;
  };

  void look(std::span<const Tokens> marking);
  struct Worth {
    Place place;
    double entropy;
    double changing;  // share of arcs
  };
  std::vector<Worth> worth_of_places() const;
  void rank_candidates();
  /// Of the place's values in all markings, numbered as they are met: the same where two places tell the same apart.
  std::uint64_t hash_of_values(Place place) const;
  /// Null where the place is not in the key.
  const KeyField* field_of(Place place) const;
  OwnerClasses classes_of(const std::vector<Place>& places) const;
  std::vector<std::uint32_t> classes_of_markings(const OwnerClasses& classes) const;
  struct SeenClasses {
    ClassGraph graph;
    std::vector<std::size_t> node;  // per class, none where it was not seen
  };
  /// Per transition, what it adds to the class; 0 where it does not change it.
  std::vector<std::uint64_t> changes_of(const OwnerClasses& classes) const;
  SeenClasses seen_classes(const OwnerClasses& classes, const std::vector<std::uint64_t>& weights) const;
  OwnerProposal proposal_of(const OwnerClasses& classes, const SeenClasses& seen, int ranks,
                            const std::vector<std::uint16_t>& owner) const;

  const Net& _net;
  Patience& _patience;
  std::vector<KeyField> _fields;
  std::vector<Tokens> _markings;             // of all places, one marking after another
  std::vector<std::uint32_t> _first_arc{0};  // per marking and one more
  std::vector<std::uint32_t> _arcs;          // enabled transitions
  std::vector<Place> _seldom_changing, _candidates;
};

/// Markings along random walks, of all places, one after another.
std::vector<Tokens> walk_markings(const Plan& plan, std::size_t markings, std::size_t steps, Patience& patience);

/// Per place, what a walk does not exceed: its bound, or what a few forward walks have seen.
std::vector<Tokens> most_tokens(const Plan& plan, Patience& patience);

/// The class of a marking.
std::size_t class_of(const OwnerClasses& classes, std::span<const Tokens> marking);

}  // namespace dcheck
