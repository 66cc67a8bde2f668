#include "parse/extended/precedence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "dcheck/base/narrow.hpp"
#include "parse/extended/conditions.hpp"

namespace dcheck::parse {
namespace {

constexpr std::size_t most_nodes = 5'000'000;  // of all guards together

/// False where one of the two cannot be enabled together with the other: their arcs exclude each other.
bool may_be_enabled_together(const ExtendedTransition& a, const ExtendedTransition& b) {
  const auto excludes = [](const ExtendedTransition& one, const ExtendedTransition& other) {
    return std::ranges::any_of(one.inhibitors, [&](const Arc& inhibitor) {
      const auto needs = [&](const Arc& arc) { return arc.place == inhibitor.place && arc.weight >= inhibitor.weight; };
      return std::ranges::any_of(other.inputs, needs) || std::ranges::any_of(other.tests, needs);
    });
  };
  return !excludes(a, b) && !excludes(b, a);
}

class Precedence {
 public:
  Precedence(ExtendedNet& net, const SourceText& source) : _net(net), _source(source) {
    for (const auto& [first, second] : net.precedes) _above[index(second)].push_back(index(first));
  }

  void make_guards() {
    sort_by_level();
    std::vector<std::vector<Expression>> guards(_net.transitions.size());
    for (std::size_t i = 0; i < guards.size(); ++i) guards[i] = guards_of(i);
    for (std::size_t i = 0; i < guards.size(); ++i)
      std::ranges::move(guards[i], std::back_inserter(_net.transitions[i].guards));
  }

 private:
  /// Of two transitions the one with the higher level precedes.
  std::pair<bool, Tokens> level_of(const ExtendedTransition& t) const { return {t.is_immediate, t.priority}; }

  void sort_by_level() {
    for (std::size_t i = 0; i < _net.transitions.size(); ++i) _levels[level_of(_net.transitions[i])].push_back(i);
  }

  std::vector<Expression> guards_of(std::size_t i) {
    const ExtendedTransition& t = _net.transitions[i];
    if (_net.is_without_vanishing && t.is_immediate) return {};  // vanishing.hpp sees to it
    std::unordered_set<std::size_t> above = reached_above(i);
    for (auto level = _levels.upper_bound(level_of(t)); level != _levels.end(); ++level) {
      // Without vanishing markings no other transition ever waits for an immediate one.
      if (_net.is_without_vanishing && level->first.first) break;
      above.insert(level->second.begin(), level->second.end());
    }
    std::vector<std::size_t> sorted(above.begin(), above.end());
    std::ranges::sort(sorted);
    std::vector<Expression> guards;
    for (const std::size_t other : sorted) {
      if (!may_be_enabled_together(t, _net.transitions[other])) continue;
      guards.push_back(negation(all_of(own_conditions(_net.transitions[other]))));
      _nodes += size_of(guards.back());
      if (_nodes > most_nodes)
        _source.fail(t.at, fmt::format("priorities make guards of more than {} operators", most_nodes));
    }
    return guards;
  }

  /// All that precede it, and all that precede those.
  std::unordered_set<std::size_t> reached_above(std::size_t i) const {
    std::unordered_set<std::size_t> reached;
    std::vector<std::size_t> open{i};
    while (!open.empty()) {
      const auto found = _above.find(open.back());
      open.pop_back();
      if (found == _above.end()) continue;
      for (const std::size_t other : found->second)
        if (reached.insert(other).second) open.push_back(other);
    }
    if (reached.contains(i))
      _source.fail(_net.transitions[i].at,
                   fmt::format("transition '{}' precedes itself: expected priorities without a circle",
                               shown(_net.transitions[i].name)));
    return reached;
  }

  ExtendedNet& _net;
  const SourceText& _source;
  std::map<std::size_t, std::vector<std::size_t>> _above;
  std::map<std::pair<bool, Tokens>, std::vector<std::size_t>> _levels;
  std::size_t _nodes = 0;
};

}  // namespace

void make_precedence_guards(ExtendedNet& net, const SourceText& source) {
  Precedence(net, source).make_guards();
}

}  // namespace dcheck::parse
