#pragma once
// Markings that a run has reached, and what they tell about owners by classes of a few places: how many arcs would
// cross, and how even the work would be. Cold code, but it is asked a hundred times: no hashing, no allocation a
// marking.

#include "dcheck/owners/partition.hpp"
#include "dcheck/space/allocation.hpp"

namespace dcheck {

/// Up to so many ranks, a small table and a small sample do.
inline constexpr int few_ranks = 8;

/// Markings, of all places, one after another: of rows that are done with, and of those that wait. The latter are what
/// the ranks have to do next.
struct ReachedMarkings {
  std::vector<Tokens> handled, waiting;
};

/// Rows of each class.
struct ClassWeights {
  std::vector<std::uint64_t> all, waiting;
};

/// Owners by classes, and what to expect of them.
struct OwnerProposal {
  OwnerClasses classes;
  double cross = 1;  // share of arcs between ranks
  double load = 1;   // of the rank that has most, in means: of all rows or of those that wait, whichever is worse
};

class ClassSample {
 public:
  /// The plan's net and the patience, which proposals look at too, must outlive the sample.
  ClassSample(const Plan& plan, const ReachedMarkings& markings, Patience& patience);

  const Net& net() const { return _net; }
  /// Markings, and the tokens in one of them.
  std::size_t size() const { return _first_arc.size() - 1; }
  Tokens tokens(std::size_t marking, Place place) const {
    return _markings[marking * _net.place_count() + index(place)];
  }
  /// Per transition, how many arcs of it were seen. Those of some markings only, where there are many transitions.
  const std::vector<std::uint32_t>& arcs_of_transitions() const { return _arcs_of_transition; }
  std::size_t arc_count() const { return _arcs.size(); }
  /// Key places that do not need too many bits for a class.
  std::vector<Place> usable_places() const;

  /// The classes of these places, and good owners for them. Not possible where they need too many bits.
  /// `parts`: so many pieces of the state space for each rank. With more of them more arcs cross, and the rows that are
  /// found together, later on as well, are more likely to be of different ranks.
  bool can_propose(const std::vector<Place>& places, int ranks) const;
  OwnerProposal propose(const std::vector<Place>& places, int ranks, int parts) const;
  /// Better owners for classes that have some, by moving few classes.
  OwnerProposal improve(const OwnerClasses& classes, const ClassWeights& weights, int ranks, double tolerance) const;

 private:
  static constexpr unsigned most_place_bits = 10;

  struct KeyField {
    Place place;
    StoredField field;
  };

  void look_at_markings();
  void look(std::span<const Tokens> marking);
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
  SeenClasses seen_classes(const OwnerClasses& classes, const ClassWeights& weights) const;
  OwnerProposal proposal_of(const OwnerClasses& classes, const ClassWeights& weights, const SeenClasses& seen,
                            int ranks, const std::vector<std::uint16_t>& owner) const;

  const Net& _net;
  Patience& _patience;
  std::vector<KeyField> _fields;
  std::vector<Tokens> _markings;             // of all places, one marking after another; those that wait come last
  std::size_t _handled = 0;                  // markings that do not wait
  std::vector<std::uint32_t> _first_arc{0};  // per marking and one more
  std::vector<std::uint32_t> _arcs;          // enabled transitions
  std::vector<std::uint32_t> _arcs_of_transition;
};

}  // namespace dcheck
