#pragma once
// The plan: how the states of one net are laid out as rows and lanes, and every transition made ready
// to fire on whole rows. Made by make_plan(), then immutable; a pure function of its request, so every
// rank that makes it from the same request has the same plan.
//
//   leaf places       independent; their markings are the lanes
//   key places        independent; their tokens are the stored key
//   dependent places  functions of the others by an invariant; stored nowhere
//
// For every place:  scale * m(place) = K(key) + L(lane).

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcheck/base/narrow.hpp"
#include "dcheck/base/patience.hpp"
#include "dcheck/net/net.hpp"
#include "dcheck/net/structure.hpp"
#include "dcheck/rows/lanes.hpp"
#include "dcheck/rows/layout.hpp"
#include "dcheck/rows/mask.hpp"
#include "dcheck/rows/predicate.hpp"

namespace dcheck {

struct PlanRequest {
  std::vector<Place> leaf;  // may name dependent places; they drop out by themselves
  /// Per place: at least so many bits where no invariant proves a bound. Empty: no wish.
  std::vector<unsigned> min_width;
  /// For places that depend on key and lane and that no invariant bounds: the key's part K may be as large as this.
  /// Not in bits, since K stays when lanes are added and the field's bias grows with them.
  std::map<Place, Tokens> largest_key_part;
  /// Leaf markings seen outside earlier lanes, each over the places of Plan::leaf().
  std::vector<LeafMarking> known_lanes;
  /// How many lanes to begin with where the leaf has no finite closure.
  std::size_t open_lanes = 64;
  /// A trial of a leaf ends with TooManyLanes at more lanes than this, without looking further. 0: this is no trial.
  std::size_t trial_lanes = 0;
  /// Per place: share of sampled markings in which it is marked. Empty: the initial marking decides.
  std::vector<float> marked_share;

  /// Another leaf, of which no lane is known yet.
  void ask_for_leaf(std::vector<Place> places) {
    leaf = std::move(places);
    known_lanes.clear();
    largest_key_part.clear();
    open_lanes = PlanRequest().open_lanes;
  }
};

/// Thrown where the leaf has more than max_lanes lanes.
struct TooManyLanes {};

/// How a place is read off a row: scale * m = constant + field + quantity(lane).
struct PlaceView {
  std::int32_t field = -1;     // into layout(); -1: none
  std::int32_t quantity = -1;  // into quantities(); -1: none
  Tokens constant = 0;         // only where there is no field
  Tokens scale = 1;
  Place place{};
};

/// ((key[word] | guard) - subtract) keeps all guard bits: the fields hold enough tokens.
struct FloorTest {
  std::uint32_t word = 0;
  std::uint64_t subtract = 0, guard = 0;
};
/// ((ceiling | guard) - (key[word] & fields)) keeps all guard bits: the fields hold few enough.
struct CeilingTest {
  std::uint32_t word = 0;
  std::uint64_t fields = 0, ceiling = 0, guard = 0;
};
/// The lanes with K + L >= threshold; with `below`, the others.
struct MixedTest {
  std::uint32_t view = 0;  // a place's number
  Tokens threshold = 0;
  bool below = false;
};

/// What the key, and through mixed places the lanes, must pass: into floors(), ceilings(), mixed().
struct Tests {
  Range floors, ceilings, mixed;
};

/// A transition on rows. It leads from marking m to m + effect iff m passes `before`, its lane is in the domain
/// and its guard holds; as well iff m + effect passes `after`, its lane is in the image and the guard
/// holds in m. `after` also keeps every key field of m inside its width.
struct RowTransition {
  Transition id{};
  Tests before, after;
  Range working_deltas, stored_deltas;  // what it does to the key
  std::int32_t guard = -1;              // into guards()
  std::uint32_t masks = 0;              // into lane masks: domain, image, escape; `words` words each
  WordRange domain, image;              // where these masks have lanes
  bool moves_lanes = false;             // the leaf's marking changes
  bool tests_lanes = false;             // the domain is not every lane
  bool escapes = false;                 // some lane leads to a leaf marking that is no lane
  bool stays = false;                   // the key does not change
  std::uint32_t bindings = 1;           // arcs that a firing from one lane stands for
  std::uint64_t hash_delta = 0;         // what it adds to the linear hash of the stored key

  /// Whether the lanes from which it leads into a row depend on keys, not only on the domain.
  bool tests_key_by_lane() const { return guard >= 0 || after.mixed.begin != after.mixed.end; }
};

class Plan {
 public:
  const Net& net() const { return *_net; }
  const Layout& layout() const { return *_layout; }
  const LaneSpace& lanes() const { return _lanes; }
  std::size_t lane_count() const { return _lanes.lanes.size(); }
  std::size_t words() const { return _lanes.words(); }

  const std::vector<Place>& leaf() const { return _leaf; }
  const std::vector<Place>& key_places() const { return _key_places; }
  const std::vector<PlaceView>& views() const { return _views; }
  const std::vector<LaneQuantity>& quantities() const { return _quantities; }
  /// Tokens in all places together; its field is Layout::decode()'s result. Only where total_fits().
  const PlaceView& total() const { return _total; }
  /// Whether scale * total fits 62 bits, key's part and lane's part too, in all that the plan's fields can hold.
  /// Otherwise tokens must be added up place by place, with a check: tokens_in().
  bool total_fits() const { return _total_fits; }
  /// Its part in the key: scale * total = terms over key places + constant + quantity(lane).
  const FieldRequest& total_in_key() const { return _total_in_key; }
  const std::vector<Dependent>& dependents() const { return _dependents; }
  /// Per place, where an invariant proves one.
  const std::vector<std::optional<Tokens>>& bounds() const { return _bounds; }

  /// How often a place is marked, about: 0 never, 1 always.
  float marked_share(Place p) const { return _marked_share.empty() ? 0.5F : _marked_share[index(p)]; }

  const std::vector<RowTransition>& transitions() const { return _transitions; }
  const RowTransition& transition(PlanTransition t) const { return _transitions[index(t)]; }
  FirstIds<PlanTransition> all_transitions() const { return FirstIds<PlanTransition>(_transitions.size()); }
  /// Where a transition stands in transitions().
  PlanTransition number_of(const RowTransition& t) const {
    return static_cast<PlanTransition>(&t - _transitions.data());
  }
  const FloorTest* floors() const { return _floors.data(); }
  const CeilingTest* ceilings() const { return _ceilings.data(); }
  const MixedTest* mixed() const { return _mixed.data(); }
  const WordDelta* working_deltas() const { return _working_deltas.data(); }
  const WordDelta* stored_deltas() const { return _stored_deltas.data(); }
  const std::uint64_t* lane_masks() const { return _lane_masks.data(); }
  const std::vector<RowPredicate>& guards() const { return _guards; }

  /// Which transitions to test when a field is marked; every transition stands in exactly one list.
  /// One watch for the tests before firing, one for those after.
  struct Watch {
    std::vector<PlanTransition> always;       // no marked field could wake them
    std::vector<std::uint64_t> watched_bits;  // per working word
    std::vector<std::uint32_t> field_of_bit;  // per working bit
    std::vector<Range> list_of_field;         // per field, into `list`
    std::vector<PlanTransition> list;
  };
  const Watch& watch_before() const { return _watch_before; }
  const Watch& watch_after() const { return _watch_after; }

  /// Factors of the linear hash, one a stored word.
  const std::vector<std::uint64_t>& hash_factors() const { return _hash_factors; }

  // Cold conversions between rows and markings.
  std::vector<Tokens> marking(const std::uint64_t* stored, Lane lane) const;
  std::vector<Tokens> marking_of_working(const std::uint64_t* working, Lane lane) const;
  std::vector<std::uint64_t> stored_key(std::span<const Tokens> marking) const;
  LeafMarking leaf_marking(std::span<const Tokens> marking) const;

  std::size_t bytes() const;
  /// A few lines for the user.
  std::string explain() const;

 private:
  friend class PlanBuilder;
  const Net* _net = nullptr;
  std::vector<std::optional<Tokens>> _bounds;
  std::vector<float> _marked_share;
  std::vector<Place> _leaf, _key_places;
  std::vector<Dependent> _dependents;
  LaneSpace _lanes;
  std::unique_ptr<Layout> _layout;
  std::vector<PlaceView> _views;
  std::vector<LaneQuantity> _quantities;
  PlaceView _total;
  bool _total_fits = true;
  FieldRequest _total_in_key;
  std::vector<RowTransition> _transitions;
  std::vector<FloorTest> _floors;
  std::vector<CeilingTest> _ceilings;
  std::vector<MixedTest> _mixed;
  std::vector<WordDelta> _working_deltas, _stored_deltas;
  std::vector<std::uint64_t> _lane_masks;
  std::vector<RowPredicate> _guards;
  Watch _watch_before, _watch_after;
  std::vector<std::uint64_t> _hash_factors;
};

/// Throws TooManyLanes, or ResourceError where token counts cannot be held (63 bits in a place, 61 in one that depends
/// on the lane) or patience is at its end.
Plan make_plan(const Net& net, const Structure& structure, const PlanRequest& request,
               Patience& patience = endless_patience());

/// How many lanes this leaf would have by all that is known of the net before it is explored, no more than `most + 1`;
/// reachable markings may be fewer.
std::size_t count_lanes(const Net& net, const Structure& structure, const std::vector<Place>& leaf, std::size_t most);

}  // namespace dcheck
