#include "parse/extended/extended_net.hpp"

#include <stdexcept>

#include "dcheck/base/narrow.hpp"

namespace dcheck::parse {

Place ExtendedNet::add_place(const std::string& place_name) {
  const std::uint32_t number = end_of(places);
  if (!_place_index.emplace(place_name, number).second) throw std::logic_error("a place is added twice");
  places.push_back({place_name, 0, {}});
  return Place{number};
}

Transition ExtendedNet::add_transition(const std::string& transition_name, Offset at) {
  const std::uint32_t number = end_of(transitions);
  if (!_transition_index.emplace(transition_name, number).second) throw std::logic_error("a transition is added twice");
  transitions.emplace_back();
  transitions.back().name = transition_name;
  transitions.back().at = at;
  return Transition{number};
}

}  // namespace dcheck::parse
