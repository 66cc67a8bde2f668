#include "colour/unfolded.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dcheck/base/readable.hpp"
#include "dcheck/base/utf8.hpp"

namespace dcheck {

std::string name_of(const ColouredNet& net, const ColouredTransition& transition, const Colour* binding) {
  if (transition.variables.empty()) return transition.name;
  std::string name = transition.name;
  for (std::size_t i = 0; i < transition.variables.size(); ++i) {
    const ColourVariable& variable = transition.variables[i];
    name += i == 0 ? '[' : ',';
    name += variable.name;
    name += '=';
    name += net.classes[variable.colour_class].name_of(binding[i]);
  }
  return name + ']';
}

Unfolded::Unfolded(const ColouredNet& net, const Bindings& bindings, const UnfoldLimits& limits)
    : _net(net), _bindings(bindings), _limits(limits) {
  add_initial();
  for (std::uint32_t t = 0; t < net.transitions.size(); ++t) add_bindings(t);
  keep_what_can_fire();
}

void Unfolded::add_initial() {
  const MarkedColours& marked = _bindings.marked();
  _initial.assign(marked.count(), 0);
  for (std::uint32_t p = 0; p < _net.places.size(); ++p) {
    const ColouredPlace& place = _net.places[p];
    add_up(p, place.initial, nullptr, place.at);
    for (const auto& [code, count] : _sum) {
      if (count < 0)
        throw UnfoldError(
            place.at, fmt::format("the initial marking of place '{}' takes away more than it adds", shown(place.name)));
      _initial[marked.find(p, code)] = count;
    }
  }
}

void Unfolded::add_bindings(std::uint32_t t) {
  const ColouredTransition& transition = _net.transitions[t];
  CodeTable known;  // hash of arcs -> the newest transition that has it
  for (std::size_t i = 0; i < _bindings.count(t); ++i) {
    const Colour* const binding = _bindings.binding(t, i);
    UnfoldedTransition made{t, static_cast<std::uint32_t>(i), 1, _arcs.size(), 0, 0};
    if (!add_side(transition.inputs, transition, binding)) {
      _arcs.resize(made.pre);
      continue;
    }
    made.post = _arcs.size();
    add_side(transition.outputs, transition, binding);
    made.end = _arcs.size();
    if (_arcs.size() > _limits.arcs)
      throw UnfoldError(transition.at,
                        fmt::format("the net is too large: unfolded it has more than {} arcs, when '{}' has got {} of "
                                    "its {} bindings",
                                    with_separators(_limits.arcs), shown(transition.name), with_separators(i),
                                    with_separators(_bindings.count(t))));
    _transitions.push_back(made);
    merge_newest(known);
  }
}

bool Unfolded::add_side(const std::vector<ColouredArc>& arcs, const ColouredTransition& transition,
                        const Colour* binding) {
  const MarkedColours& marked = _bindings.marked();
  for (const ColouredArc& arc : arcs) {
    add_up(arc.place, arc.inscription, binding, arc.at);
    for (const auto& [code, count] : _sum) {
      if (count < 0)
        throw UnfoldError(arc.at,
                          fmt::format("the inscription of the arc with place '{}' takes away more than it adds in '{}'",
                                      shown(_net.places[arc.place].name), shown(name_of(_net, transition, binding))));
      const std::uint32_t colour = marked.find(arc.place, code);
      if (colour == CodeTable::none) return false;
      _arcs.push_back({colour, count});
    }
  }
  return true;
}

void Unfolded::add_up(std::uint32_t place, const std::vector<ColourTuple>& tuples, const Colour* binding, Origin at) {
  _sum.clear();
  for (const ColourTuple& tuple : tuples)
    for_each_colour(_net, _bindings.marked().domain(place), tuple, binding, [&](std::uint64_t code) {
      if (_sum.size() > _limits.arcs)
        throw UnfoldError(
            at, fmt::format("the net is too large: a sum of more than {} colours", with_separators(_limits.arcs)));
      _sum.emplace_back(code, tuple.count);
    });
  std::ranges::sort(_sum);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < _sum.size();) {
    auto [code, total] = _sum[i++];
    for (; i < _sum.size() && _sum[i].first == code; ++i)
      if (__builtin_add_overflow(total, _sum[i].second, &total))
        throw UnfoldError(at, "numbers of tokens add up to more than 2^63 - 1");
    if (total != 0) _sum[kept++] = {code, total};
  }
  _sum.resize(kept);
}

void Unfolded::merge_newest(CodeTable& known) {
  const UnfoldedTransition newest = _transitions.back();
  std::uint64_t hash = newest.post - newest.pre;
  for (std::size_t i = newest.pre; i < newest.end; ++i)
    hash = mixed_bits(hash + _arcs[i].place + (static_cast<std::uint64_t>(_arcs[i].weight) << 32));
  std::uint32_t& same = known[hash];
  for (std::uint32_t at = same; at != CodeTable::none; at = _same_hash[at]) {
    UnfoldedTransition& other = _transitions[at];
    if (!std::ranges::equal(pre(other), pre(newest)) || !std::ranges::equal(post(other), post(newest))) continue;
    ++other.bindings;
    _arcs.resize(newest.pre);
    return _transitions.pop_back();
  }
  _same_hash.push_back(same);
  same = static_cast<std::uint32_t>(_transitions.size() - 1);
}

void Unfolded::keep_what_can_fire() {
  std::vector<std::uint32_t> missing;  // per transition: inputs that are not marked yet
  std::vector<std::size_t> begin(_initial.size() + 1, 0);
  for (const UnfoldedTransition& t : _transitions) {
    missing.push_back(static_cast<std::uint32_t>(t.post - t.pre));
    for (const PackedArc& arc : pre(t)) ++begin[arc.place + 1];
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<std::uint32_t> takers(begin.back());  // per colour: the transitions that take it
  std::vector<std::size_t> filled(begin.begin(), begin.end() - 1);
  for (std::uint32_t t = 0; t < _transitions.size(); ++t)
    for (const PackedArc& arc : pre(_transitions[t])) takers[filled[arc.place]++] = t;

  _can_be_marked.assign(_initial.size(), false);
  std::vector<std::uint32_t> fresh;
  const auto mark = [&](std::uint32_t colour) {
    if (!_can_be_marked[colour]) fresh.push_back(colour);
    _can_be_marked[colour] = true;
  };
  const auto fire = [&](std::uint32_t t) {
    for (const PackedArc& arc : post(_transitions[t])) mark(arc.place);
  };
  for (std::uint32_t i = 0; i < _initial.size(); ++i)
    if (_initial[i] > 0) mark(i);
  for (std::uint32_t t = 0; t < _transitions.size(); ++t)
    if (missing[t] == 0) fire(t);
  while (!fresh.empty()) {
    const std::uint32_t colour = fresh.back();
    fresh.pop_back();
    for (std::size_t i = begin[colour]; i < begin[colour + 1]; ++i)
      if (--missing[takers[i]] == 0) fire(takers[i]);
  }
  std::size_t kept = 0;
  for (std::size_t t = 0; t < _transitions.size(); ++t)
    if (missing[t] == 0) _transitions[kept++] = _transitions[t];
  _transitions.resize(kept);
}

}  // namespace dcheck
