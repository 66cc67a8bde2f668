#pragma once
// Makes a Plan step by step. Each step needs what the steps before it left in the plan.

#include <map>

#include "dcheck/rows/plan.hpp"

namespace dcheck {

using Wide = __int128;

/// What depends on key and lane stays below this, so that its parts and thresholds can be subtracted in 64 bits.
constexpr Wide mixed_limit = Wide{1} << 62;

class PlanBuilder {
 public:
  PlanBuilder(const Net& net, const Structure& structure, const PlanRequest& request, Patience& patience);
  Plan build();
  std::size_t count_lanes(std::size_t most);

 private:
  // plan_places.cpp: which place is what, where each number lies
  void assign_roles();
  bool has_wide_key() const;
  void make_views();
  Wide most_in(const PlaceView& view) const;
  void make_total();
  void make_layout();
  FieldRequest request_field(const PlaceView& view, const Dependent* dependent) const;
  std::int32_t add_quantity(std::vector<Tokens> values);
  std::vector<Tokens> lane_values(const LeafAction::Test& weights) const;

  // plan_lanes.cpp: the markings of the leaf
  void make_leaf_rules();
  void drop_implied_cuts();
  std::vector<LeafAction> leaf_actions() const;
  void make_lanes();

  // plan_transitions.cpp: what each transition tests and does
  bool can_never_fire(Transition t) const;
  LeafAction leaf_action(Transition t) const;
  /// The tests that make sure that each place holds at least, and at most, so many tokens.
  using TokenLimits = std::map<Place, Tokens>;
  Tests make_tests(const TokenLimits& at_least, const TokenLimits& at_most);
  void add_floor(Place place, Tokens least);
  void add_ceiling(Place place, Tokens most);
  Tests tests_before(Transition t);
  Tests tests_after(Transition t);
  void add_effect(RowTransition& row);
  void add_lane_masks(RowTransition& row, const LeafAction& action);
  void make_transitions();
  enum class Moment : std::uint8_t { before, after };
  Plan::Watch make_watch(Moment moment) const;

  /// The leaf-only part of scale * m(place): weights over the leaf, `at_least` holds the constant.
  struct LeafView {
    LeafAction::Test weights;
    Tokens scale = 1;
  };
  std::optional<LeafView> leaf_view(Place place) const;
  const Dependent* dependent(Place place) const;

  enum class Role : std::uint8_t { key, leaf, dependent };

  const Net& _net;
  const Structure& _structure;
  const PlanRequest& _request;
  Patience& _patience;
  Plan _plan;
  std::vector<Role> _role;               // per place
  std::vector<std::uint32_t> _position;  // per place: index among key places, leaf places or dependents
  std::vector<LeafAction::Test> _cuts;
  std::vector<FieldRequest> _field_requests;
  // Per working word: its test among those of the transition at hand, or `no_test`.
  static constexpr std::uint32_t no_test = UINT32_MAX;
  std::vector<std::uint32_t> _floor_of_word, _ceiling_of_word;
};

}  // namespace dcheck
