#include "dcheck/leaf/lane_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dcheck/base/error.hpp"
#include "dcheck/base/readable.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_counted = 32 * max_lanes;

std::string list_of(const Net& net, const std::vector<Place>& places) {
  constexpr std::size_t most_named = 12;
  std::string list;
  for (std::size_t i = 0; i < places.size() && i < most_named; ++i)
    list += (list.empty() ? "" : ", ") + net.name(places[i]);
  return places.size() > most_named ? fmt::format("{} and {} more", list, places.size() - most_named) : list;
}

bool is_bounded(const Structure& structure, Place place) {
  return structure.bounds[index(place)].has_value();
}

/// Those that come first and fit together; the last of them takes the number of lanes along.
std::vector<Place> first_that_fit(const Net& net, const Structure& structure, const std::vector<Place>& leaf,
                                  std::size_t& lanes) {
  std::vector<Place> fitting;
  lanes = 1;
  for (const Place place : leaf) {
    fitting.push_back(place);
    const std::size_t more = count_lanes(net, structure, fitting, max_lanes);
    if (more > max_lanes) {
      fitting.pop_back();
      return fitting;
    }
    lanes = more;
  }
  return fitting;
}

}  // namespace

void refuse_unfit_lanes(const Net& net, const Structure& structure, const std::vector<Place>& leaf) {
  std::vector<Place> bounded;
  std::copy_if(leaf.begin(), leaf.end(), std::back_inserter(bounded),
               [&](Place place) { return is_bounded(structure, place); });
  if (count_lanes(net, structure, bounded, max_lanes) <= max_lanes) return;
  const std::size_t lanes = count_lanes(net, structure, bounded, most_counted);
  const std::string many = lanes > most_counted ? "more than " + with_separators(most_counted) : with_separators(lanes);
  std::size_t fitting_lanes = 1;
  const std::vector<Place> fitting = first_that_fit(net, structure, bounded, fitting_lanes);
  const std::string fit = fitting.empty() ? ""
                                          : fmt::format("; the first {} would fit with {}: {}", fitting.size(),
                                                        with_separators(fitting_lanes), list_of(net, fitting));
  throw InputError(fmt::format("{} make {} lanes and there may be {}{}", list_of(net, bounded), many,
                               with_separators(max_lanes), fit));
}

std::string outgrown_lanes_text(const Net& net, const Structure& structure, const std::vector<Place>& leaf) {
  std::vector<Place> unbounded;
  std::copy_if(leaf.begin(), leaf.end(), std::back_inserter(unbounded),
               [&](Place place) { return !is_bounded(structure, place); });
  const std::string why = unbounded.empty() ? "" : fmt::format("; no invariant bounds {}", list_of(net, unbounded));
  return fmt::format("the places of --lanes have more than {} markings, and there may be no more lanes{}; name fewer",
                     with_separators(max_lanes), why);
}

std::string remark_on_lanes(const LaneChoice& choice, const Plan& plan) {
  if (choice.kind != LaneChoice::Kind::places) return "";
  const std::vector<Place>& leaf = plan.leaf();
  std::vector<Place> in_vain;
  std::copy_if(choice.places.begin(), choice.places.end(), std::back_inserter(in_vain),
               [&](Place place) { return std::find(leaf.begin(), leaf.end(), place) == leaf.end(); });
  if (in_vain.empty()) return "";
  return fmt::format("--lanes: {} {} from other places by an invariant: no lanes of {} own",
                     list_of(plan.net(), in_vain), in_vain.size() == 1 ? "follows" : "follow",
                     in_vain.size() == 1 ? "its" : "their");
}

}  // namespace dcheck
