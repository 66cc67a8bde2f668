#include "dcheck/net/net.hpp"

#include <algorithm>

namespace dcheck {

std::optional<Place> Net::find_place(std::string_view name) const {
  const auto found = _place_index.find(name, _place_names);
  if (!found) return std::nullopt;
  return Place{*found};
}

std::optional<Transition> Net::find_transition(std::string_view name) const {
  const auto found = _transition_index.find(name, _transition_names);
  if (!found) return std::nullopt;
  return Transition{*found};
}

const Expression* Net::guard(Transition t) const {
  const std::optional<Expression>& guard = _guards[index(t)];
  return guard ? &*guard : nullptr;
}

bool Net::is_enabled(Transition t, std::span<const Tokens> marking) const {
  const auto has_enough = [&](const Arc& arc) { return marking[index(arc.place)] >= arc.weight; };
  if (!std::ranges::all_of(pre(t), has_enough)) return false;
  if (std::ranges::any_of(inhibitors(t), has_enough)) return false;
  const Expression* condition = guard(t);
  return condition == nullptr || evaluate(*condition, *this, marking);
}

std::vector<Place> Net::places_as_written() const {
  std::vector<Place> places(place_count());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto p = static_cast<Place>(i);
    places[position(p)] = p;
  }
  return places;
}

}  // namespace dcheck
