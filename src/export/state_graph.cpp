#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/readable.hpp"
#include "dcheck/export/export.hpp"
#include "dcheck/net/marking.hpp"
#include "dcheck/ranks/share.hpp"
#include "dcheck/space/row_stream.hpp"

namespace dcheck {

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

unsigned bytes_for(Tokens most) {
  unsigned bytes = 1;
  while (bytes < 8 && (most >> (8 * bytes)) != 0) bytes *= 2;
  return bytes;
}

void append(std::string& markings, std::span<const Tokens> marking, unsigned bytes) {
  for (const Tokens tokens : marking) {
    const auto value = static_cast<std::uint64_t>(tokens);
    markings.append(reinterpret_cast<const char*>(&value), bytes);  // the lowest bytes first
  }
}

/// The markings of this rank's states.
std::string own_markings(const StateSpace& space, unsigned bytes) {
  std::string markings;
  const Plan& plan = *space.plan;
  RowSource(plan, space.state).for_each(Which::all, [&](const StreamedRow& row) {
    for (std::size_t lane = 0; lane < plan.lane_count(); ++lane) {
      if ((row.masks[lane / 64] >> (lane % 64) & 1) == 0) continue;
      append(markings, plan.marking(row.key, static_cast<Lane>(lane)), bytes);
    }
  });
  return markings;
}

}  // namespace

std::span<const Tokens> StateGraph::marking(std::uint64_t state) const {
  const std::size_t places = _net->place_count();
  _marking.resize(places);
  const char* at = _markings.data() + std::size_t{_order[state]} * places * _token_bytes;
  for (Tokens& tokens : _marking) {
    tokens = 0;
    std::memcpy(&tokens, at, _token_bytes);
    at += _token_bytes;
  }
  return _marking;
}

/// Where the marking is; `nowhere`: it was not explored.
std::uint32_t StateGraph::find(std::span<const Tokens> marking) const {
  std::string bytes;
  append(bytes, marking, _token_bytes);
  const std::size_t mask = _slots.size() - 1;
  for (std::size_t at = std::hash<std::string_view>{}(bytes)&mask; _slots[at] != 0; at = (at + 1) & mask) {
    const std::size_t begin = std::size_t{_slots[at] - 1} * bytes.size();
    if (std::string_view(_markings).substr(begin, bytes.size()) == bytes) return _slots[at] - 1;
  }
  return nowhere;
}

/// The arcs that leave a state; their targets are places in _markings.
void StateGraph::fire_all(std::uint64_t state) const {
  const std::span<const Tokens> from = marking(state);
  _outgoing.clear();
  for (std::size_t i = 0; i < _net->transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    if (!_net->is_enabled(t, from)) continue;
    _next.assign(from.begin(), from.end());
    const std::uint32_t at = fire(*_net, t, _next) ? find(_next) : nowhere;
    if (at == nowhere) throw std::logic_error("export: a successor was not explored");
    _outgoing.push_back({t, at});
  }
}

std::span<const StateGraph::OutgoingArc> StateGraph::arcs_of(std::uint64_t state) const {
  fire_all(state);
  for (OutgoingArc& arc : _outgoing) arc.target = _numbers[arc.target];
  return _outgoing;
}

/// Makes a graph of markings in any order.
class StateGraphMaker {
 public:
  StateGraphMaker(const Net& net, unsigned token_bytes, std::string markings) {
    _graph._net = &net;
    _graph._token_bytes = token_bytes;
    _graph._markings = std::move(markings);
  }

  StateGraph make() {
    index_markings();
    number_states();
    return std::move(_graph);
  }

 private:
  std::size_t marking_bytes() const { return _graph._net->place_count() * _graph._token_bytes; }
  std::size_t count() const { return _graph._markings.size() / marking_bytes(); }

  void index_markings() {
    std::size_t slots = 16;
    while (slots < 2 * count()) slots *= 2;
    _graph._slots.assign(slots, 0);
    for (std::size_t i = 0; i < count(); ++i) {
      const auto bytes = std::string_view(_graph._markings).substr(i * marking_bytes(), marking_bytes());
      std::size_t at = std::hash<std::string_view>{}(bytes) & (slots - 1);
      while (_graph._slots[at] != 0) at = (at + 1) & (slots - 1);
      _graph._slots[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  void number_states() {
    _graph._numbers.assign(count(), nowhere);
    _graph._order.reserve(count());
    const std::uint32_t initial = _graph.find(_graph._net->initial());
    if (initial == nowhere) throw std::logic_error("export: the initial state was not explored");
    number(initial);
    std::vector<std::uint64_t> targets;
    for (std::uint64_t state = 0; state < _graph._order.size(); ++state) {
      _graph.fire_all(state);
      targets.clear();
      for (const StateGraph::OutgoingArc& arc : _graph._outgoing) {
        number(static_cast<std::uint32_t>(arc.target));
        targets.push_back(arc.target);
      }
      _graph._arcs += targets.size();
      std::sort(targets.begin(), targets.end());
      _graph._pairs += static_cast<std::uint64_t>(std::unique(targets.begin(), targets.end()) - targets.begin());
    }
    if (_graph._order.size() != count()) throw std::logic_error("export: a state cannot be reached");
  }

  void number(std::uint32_t at) {
    if (_graph._numbers[at] != nowhere) return;
    _graph._numbers[at] = static_cast<std::uint32_t>(_graph._order.size());
    _graph._order.push_back(at);
  }

  StateGraph _graph;
};

std::optional<StateGraph> gather_graph(const StateSpace& space, std::uint64_t states, std::uint64_t most_states,
                                       Tokens most_tokens) {
  Ranks& ranks = space.ranks;
  const unsigned token_bytes = bytes_for(most_tokens);
  std::string own;
  ranks.alike([&] {
    if (states > std::min<std::uint64_t>(most_states, nowhere - 1))
      throw ResourceError(fmt::format("{} states are more than {} (--export-states)", with_separators(states),
                                      with_separators(most_states)));
  });
  ranks.together([&] {
    // Each rank's part, all of them on rank 0, what is sent, and 20 bytes a state for order and index.
    const std::uint64_t bytes = states * (space.net.place_count() * token_bytes * 3 + 20);
    if (ranks.rank() == rank_0 && !space.budget().has_room_for(bytes))
      throw ResourceError(fmt::format("{} states would take {} on rank 0, which has no room for them",
                                      with_separators(states), as_bytes(bytes)));
    own = own_markings(space, token_bytes);
  });
  std::vector<std::string> parts = gather(ranks, own);
  if (ranks.rank() != rank_0) return std::nullopt;
  std::string all = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    all += parts[i];
    std::string().swap(parts[i]);
  }
  return StateGraphMaker(space.net, token_bytes, std::move(all)).make();
}

}  // namespace dcheck
