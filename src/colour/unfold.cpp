#include "dcheck/colour/unfold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "colour/unfolded.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/readable.hpp"
#include "dcheck/base/utf8.hpp"
#include "dcheck/net/net_builder.hpp"

namespace dcheck {

namespace {

/// `p[1,b]`, or `p` where its only colour is `dot`.
std::string name_of(const ColouredNet& net, const MarkedColour& colour, const ColourDomain& domain) {
  const ColouredPlace& place = net.places[colour.place];
  const auto is_dot = [&](std::uint32_t of) { return net.classes[of].is_dot(); };
  if (std::ranges::all_of(place.classes, is_dot)) return place.name;
  std::string name = place.name;
  for (std::size_t i = 0; i < place.classes.size(); ++i) {
    name += i == 0 ? '[' : ',';
    name += net.classes[place.classes[i]].name_of(domain.digit(colour.code, i));
  }
  return name + ']';
}

/// The builder refuses names that are there already: `p[1]` may be a member of `p` and a place of its own.
template <typename Build>
auto built(Origin at, const std::string& name, Build&& build) {
  try {
    return build();
  } catch (const InputError&) {
    throw UnfoldError(at, fmt::format("two members of the unfolded net are called '{}'", shown(name)));
  }
}

class NetMaker {
 public:
  NetMaker(const ColouredNet& net, const Bindings& bindings, const Unfolded& unfolded, const UnfoldLimits& limits)
      : _net(net),
        _bindings(bindings),
        _marked(bindings.marked()),
        _unfolded(unfolded),
        _limits(limits),
        _builder(net.name),
        _place(_marked.count()) {}

  Net make() {
    for (const ColouredPlace& place : _net.places) _places_of.add({place.name, true});
    for (const ColouredTransition& transition : _net.transitions) _transitions_of.add({transition.name, true});
    add_places();
    for (const UnfoldedTransition& t : _unfolded.transitions()) add_transition(t);
    _builder.set_families(std::move(_places_of), std::move(_transitions_of));
    return _builder.build();
  }

 private:
  void add_places() {
    std::vector<std::uint32_t> in_order;
    for (std::uint32_t i = 0; i < _marked.count(); ++i)
      if (_unfolded.can_be_marked(i)) in_order.push_back(i);
    std::ranges::sort(in_order, [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(_marked[a].place, _marked[a].code) < std::pair(_marked[b].place, _marked[b].code);
    });
    // A net has a place: where none is ever marked, the first colour of the first.
    if (in_order.empty() && !_net.places.empty())
      _places_of.join(_builder.add_place(name_of(_net, MarkedColour{}, _marked.domain(0))), 0);
    for (const std::uint32_t colour : in_order) {
      const MarkedColour& of = _marked[colour];
      const std::string name = name_of(_net, of, _marked.domain(of.place));
      count_name(name, _net.places[of.place].at);
      _place[colour] =
          built(_net.places[of.place].at, name, [&] { return _builder.add_place(name, _unfolded.initial()[colour]); });
      _places_of.join(_place[colour], of.place);
    }
  }

  void count_name(const std::string& name, Origin at) {
    _name_bytes += name.size();
    if (_name_bytes > _limits.name_bytes)
      throw UnfoldError(at, fmt::format("the net is too large: names of what it unfolds to take more than {} bytes",
                                        with_separators(_limits.name_bytes)));
  }

  void add_transition(const UnfoldedTransition& of) {
    const ColouredTransition& transition = _net.transitions[of.transition];
    const std::string name = name_of(_net, transition, _bindings.binding(of.transition, of.binding));
    count_name(name, transition.at);
    const Transition t = built(transition.at, name, [&] { return _builder.add_transition(name); });
    for (const PackedArc& arc : _unfolded.pre(of)) _builder.add_input(t, _place[arc.place], arc.weight);
    for (const PackedArc& arc : _unfolded.post(of)) _builder.add_output(t, _place[arc.place], arc.weight);
    _builder.set_bindings(t, of.bindings);
    _transitions_of.join(t, of.transition);
  }

  const ColouredNet& _net;
  const Bindings& _bindings;
  const MarkedColours& _marked;
  const Unfolded& _unfolded;
  const UnfoldLimits& _limits;
  std::uint64_t _name_bytes = 0;
  NetBuilder _builder;
  std::vector<Place> _place;  // per marked colour
  Families<Place> _places_of;
  Families<Transition> _transitions_of;
};

}  // namespace

Net unfold(const ColouredNet& net, const UnfoldLimits& limits) {
  const Bindings bindings(net, limits);
  const Unfolded unfolded(net, bindings, limits);
  return NetMaker(net, bindings, unfolded, limits).make();
}

}  // namespace dcheck
