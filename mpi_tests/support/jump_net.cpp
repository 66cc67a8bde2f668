#include "support/jump_net.hpp"

#include <exception>

#include "dcheck/base/error.hpp"
#include "dcheck/net/net_builder.hpp"
#include "support/check_on_ranks.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

using Kind = Expression::Kind;

/// place[0] -> place[1] -> ... -> place[0].
std::vector<Place> add_cycle(NetBuilder& build, Dice& dice, const std::string& name) {
  std::vector<Place> places;
  const auto length = dice.between(2, 4);
  const Tokens tokens = dice.between(1, 3);
  for (std::int64_t i = 0; i < length; ++i)
    places.push_back(build.add_place(name + std::to_string(i), i == 0 ? tokens : 0));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Transition t = build.add_transition("t" + name + std::to_string(i));
    build.add_input(t, places[i], 1);
    build.add_output(t, places[(i + 1) % places.size()], 1);
  }
  return places;
}

void fire_once(NetBuilder& build, Dice& dice, Transition t) {
  const Place fired = build.add_place("fired");
  build.add_output(t, fired, 1);
  if (dice.one_in(2))
    build.add_inhibitor(t, fired, 1);
  else
    build.add_guard(t, Expression::of(Kind::equal, {Expression::tokens_in(fired), Expression::constant_of(0)}));
}

void compare(const Exploration& found, const NaiveGraph& truth, const std::string& how,
             std::vector<std::string>& wrong) {
  if (!found.complete) {
    if (found.stop_reason.empty()) wrong.push_back(how + ": stopped without a reason");
    return;
  }
  const auto expect = [&](std::uint64_t is, std::uint64_t should_be, const char* what) {
    if (is != should_be)
      wrong.push_back(how + ": " + std::to_string(is) + " " + what + ", should be " + std::to_string(should_be));
  };
  expect(found.states, truth.states(), "states");
  expect(found.arcs, truth.arcs, "arcs");
  expect(found.deadlocks, truth.deadlocks, "deadlocks");
  if (found.max_tokens != truth.most_in_place) wrong.push_back(how + ": most tokens in a place");
  if (found.max_tokens_in_marking != truth.most_in_marking) wrong.push_back(how + ": most tokens in a marking");
}

}  // namespace

Net jump_net(std::uint64_t seed) {
  constexpr Tokens jumps[] = {17, 40, 120, 300, 501, 2001};
  Dice dice(seed);
  NetBuilder build("jump" + std::to_string(seed));
  std::vector<std::vector<Place>> cycles;
  for (auto n = dice.between(2, 3); n > 0; --n)
    cycles.push_back(add_cycle(build, dice, std::string(1, static_cast<char>('a' + cycles.size()))));
  const Transition t = build.add_transition("jump");
  for (const std::vector<Place>& cycle : cycles) {
    const Tokens weight = dice.between(0, 2);
    if (weight == 0) continue;
    build.add_input(t, cycle[0], weight);
    if (!dice.one_in(4)) build.add_output(t, cycle[0], weight);
  }
  build.add_output(t, cycles[static_cast<std::size_t>(dice.next() % cycles.size())][0], jumps[dice.between(0, 5)]);
  fire_once(build, dice, t);
  return build.build();
}

std::vector<std::string> wrong_about_jumps(const Net& net, const NaiveGraph& truth) {
  std::vector<std::string> wrong;
  for (const int ranks : {1, 2})
    for (const LaneChoice::Kind lanes : {LaneChoice::Kind::automatic, LaneChoice::Kind::off}) {
      const std::string how =
          std::to_string(ranks) + " ranks, lanes " + (lanes == LaneChoice::Kind::off ? "off" : "auto");
      CheckOptions options;
      options.explore.lanes.kind = lanes;
      RankChoice choice;
      choice.ranks = ranks;
      choice.allocation.kind = AllocationChoice::Kind::local;
      choice.allocation.look_after_ns = 0;
      choice.allocation.least_gain = -10;
      try {
        compare(check_on_ranks(net, {}, options, choice)[0].exploration, truth, how, wrong);
      } catch (const ResourceError&) {  // a clean stop before anything was explored
      } catch (const std::exception& error) {
        wrong.push_back(how + ": " + error.what());
      }
    }
  return wrong;
}

}  // namespace dcheck::test
