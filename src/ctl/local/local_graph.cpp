#include "dcheck/ctl/local/local_graph.hpp"

#include <algorithm>

namespace dcheck {

namespace {

/// A place with one token is one word; with more, this bit is set and two words with the tokens follow.
constexpr std::uint32_t has_tokens = 1U << 31;

std::uint64_t hash_of(std::span<const std::uint32_t> words) {
  std::uint64_t hash = words.size();
  for (const std::uint32_t word : words) hash = (hash ^ word) * 0x9E3779B97F4A7C15 + (hash >> 29);
  return hash ^ hash >> 32;
}

/// Reads a marking's words from its first to its last marked place.
class MarkedPlaces {
 public:
  explicit MarkedPlaces(std::span<const std::uint32_t> words) : _words(words) {}

  bool has_more() const { return _at < _words.size(); }
  Place place() const { return static_cast<Place>(_words[_at] & ~has_tokens); }
  Tokens tokens() const {
    if ((_words[_at] & has_tokens) == 0) return 1;
    return static_cast<Tokens>(std::uint64_t{_words[_at + 2]} << 32 | _words[_at + 1]);
  }
  void next() { _at += (_words[_at] & has_tokens) == 0 ? 1 : 3; }

 private:
  std::span<const std::uint32_t> _words;
  std::size_t _at = 0;
};

}  // namespace

LocalGraph::LocalGraph(const Net& net)
    : _net(net), _waiting_for(net.place_count()), _table(1024, 0), _marking(net.place_count(), 0) {
  for (std::size_t i = 0; i < net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    const auto waiting = [&](const Arc& arc) { return _waiting_for[index(arc.place)].size(); };
    const auto rarest = std::ranges::min_element(net.pre(t), {}, waiting);
    (rarest == net.pre(t).end() ? _waiting_for_nothing : _waiting_for[index(rarest->place)]).push_back(t);
  }
  for (std::size_t i = 0; i < net.place_count(); ++i) write(static_cast<Place>(i), net.initial()[i]);
  intern_written();
}

std::span<const std::uint32_t> LocalGraph::words(State state) const {
  const std::uint64_t begin = state == 0 ? 0 : _marking_end[state - 1];
  return std::span(_words).subspan(begin, _marking_end[state] - begin);
}

std::span<const Tokens> LocalGraph::marking(State state) {
  for (const Place p : _marked) _marking[index(p)] = 0;
  _marked.clear();
  for (MarkedPlaces at(words(state)); at.has_more(); at.next()) {
    _marking[index(at.place())] = at.tokens();
    _marked.push_back(at.place());
  }
  _steps += _marked.size();
  return _marking;
}

std::size_t LocalGraph::successor_count(State state) {
  if (_successor_begin[state] == not_expanded) expand(state);
  return _successor_count[state];
}

void LocalGraph::expand(State state) {
  const std::uint64_t begin = _successors.size();
  marking(state);
  for (const Transition t : _waiting_for_nothing) look_at(t, state);
  for (const Place p : _marked)
    for (const Transition t : _waiting_for[index(p)]) look_at(t, state);
  _successor_begin[state] = begin;
  _successor_count[state] = static_cast<std::uint32_t>(_successors.size() - begin);
}

void LocalGraph::look_at(Transition t, State from) {
  ++_steps;
  if (!_net.is_enabled(t, _marking)) return;
  write_after(t, from);
  _successors.push_back(intern_written());
}

/// The marking after t, by going through the marking and t's effect side by side.
void LocalGraph::write_after(Transition t, State from) {
  _written.clear();
  MarkedPlaces at(words(from));
  const auto copy_below = [&](Place limit) {
    for (; at.has_more() && at.place() < limit; at.next()) write(at.place(), at.tokens());
  };
  for (const Arc& arc : _net.effect(t)) {
    copy_below(arc.place);
    Tokens tokens = 0;
    if (at.has_more() && at.place() == arc.place) {
      tokens = at.tokens();
      at.next();
    }
    if (__builtin_add_overflow(tokens, arc.weight, &tokens)) throw TokensLeaveRange();
    write(arc.place, tokens);
  }
  for (; at.has_more(); at.next()) write(at.place(), at.tokens());
}

void LocalGraph::write(Place place, Tokens tokens) {
  if (tokens == 0) return;
  const auto number = static_cast<std::uint32_t>(place);
  if (tokens == 1) return _written.push_back(number);
  const auto value = static_cast<std::uint64_t>(tokens);
  _written.insert(_written.end(),
                  {number | has_tokens, static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)});
}

LocalGraph::State LocalGraph::intern_written() {
  if (2 * state_count() >= _table.size()) grow_table();
  const std::size_t mask = _table.size() - 1;
  std::size_t at = hash_of(_written) & mask;
  _steps += _written.size();
  for (; _table[at] != 0; at = (at + 1) & mask) {
    const State known = _table[at] - 1;
    if (std::ranges::equal(words(known), _written)) return known;
  }
  const auto state = static_cast<State>(state_count());
  _table[at] = state + 1;
  _words.insert(_words.end(), _written.begin(), _written.end());
  _marking_end.push_back(_words.size());
  _successor_begin.push_back(not_expanded);
  _successor_count.push_back(0);
  return state;
}

void LocalGraph::grow_table() {
  _table.assign(4 * _table.size(), 0);
  const std::size_t mask = _table.size() - 1;
  for (State state = 0; state < state_count(); ++state) {
    std::size_t at = hash_of(words(state)) & mask;
    while (_table[at] != 0) at = (at + 1) & mask;
    _table[at] = state + 1;
  }
  _steps += state_count();
}

std::size_t LocalGraph::bytes() const {
  return 4 * (_words.capacity() + _table.capacity() + _successors.capacity() + _successor_count.capacity()) +
         8 * (_marking_end.capacity() + _successor_begin.capacity());
}

}  // namespace dcheck
