#include "dcheck/leaf/planner.hpp"

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

void Planner::refuse_unfit_choice() const {
  if (_choice.kind == LaneChoice::Kind::places) refuse_unfit_lanes(_net, _structure, _choice.places);
}

void Planner::begin() {
  _sample = take_sample(_net, _choice.sample_steps, _patience);
  request = {};
  request.marked_share = _sample.marked_share;
  for (const Tokens tokens : _sample.largest)
    request.min_width.push_back(bit_width_of(static_cast<std::uint64_t>(tokens)));
  if (_choice.kind == LaneChoice::Kind::places) request.leaf = _choice.places;
}

std::unique_ptr<Plan> Planner::make() {
  while (true) try {
      return std::make_unique<Plan>(make_plan(_net, _structure, request, _patience));
    } catch (const TooManyLanes&) {
      if (_choice.kind == LaneChoice::Kind::places)
        throw ResourceError(outgrown_lanes_text(_net, _structure, request.leaf));
      std::vector<Place> smaller = request.leaf;
      smaller.pop_back();
      request.ask_for_leaf(std::move(smaller));
    }
}

LeafWish Planner::look_for_leaf(const StateSpace& space, std::uint64_t states) {
  return taken(_look.look(*space.plan, space.state, states));
}

LeafWish Planner::project_leaf(const StateSpace& space, const std::vector<std::uint64_t>& keys) {
  return taken(_look.project(*space.plan, space.state, keys));
}

LeafWish Planner::taken(LeafWish wish) {
  if (wish == LeafWish::leaf) request.ask_for_leaf(_look.leaf());
  return wish;
}

}  // namespace dcheck
