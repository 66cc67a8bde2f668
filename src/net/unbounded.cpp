#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>

#include "dcheck/net/structure.hpp"

namespace dcheck {

namespace {

struct Fingerprint {
  std::uint64_t low, high;
  bool operator==(const Fingerprint&) const = default;
};

struct FingerprintHash {
  std::size_t operator()(const Fingerprint& print) const { return print.low; }
};

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
  x = (x ^ (x >> 29)) * 0x9e6c63d0876a9a47U;
  return x ^ (x >> 32);
}

Fingerprint fingerprint_of(std::span<const Tokens> marking) {
  Fingerprint print{0x243f6a8885a308d3U, 0x13198a2e03707344U};
  for (const Tokens tokens : marking) {
    const auto value = static_cast<std::uint64_t>(tokens);
    print.low = mix(print.low + value);
    print.high = mix(print.high ^ (value + 0xa4093822299f31d0U));
  }
  return print;
}

/// Depth-first: an infinite, finitely branching graph has a path without end, and by Dickson's lemma
/// such a path holds a marking that covers an earlier one. Known markings are pruned by
/// fingerprint: a collision can hide evidence but never make it.
class CoverSearch {
 public:
  CoverSearch(const Net& net, std::size_t steps)
      : _net(net), _steps(steps), _by_gain(net.transition_count()), _takers(net.place_count()) {
    std::vector<double> gain(net.transition_count(), 0);
    for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
      _by_gain[t] = Transition{t};
      for (const Arc& arc : net.effect(Transition{t})) gain[t] += static_cast<double>(arc.weight);
    }
    std::ranges::stable_sort(_by_gain, std::greater<>(), [&](Transition t) { return gain[index(t)]; });
    for (std::uint32_t rank = 0; rank < _by_gain.size(); ++rank) {
      for (const Arc& arc : net.pre(_by_gain[rank])) _takers[index(arc.place)].push_back(rank);
    }
  }

  std::optional<UnboundedEvidence> run() {
    start();
    while (!_path.empty() && _steps > 0) {
      Frame& top = _path.back();
      if (top.next == top.enabled.size()) {
        _path.pop_back();
        continue;
      }
      const Transition t = _by_gain[top.enabled[top.next++]];
      --_steps;
      std::optional<std::vector<Tokens>> successor = fire(t, top.marking);
      if (!successor || !_known.insert(fingerprint_of(*successor)).second) continue;
      push(t, std::move(*successor));
      if (auto evidence = compare_with_path()) return evidence;
    }
    return std::nullopt;
  }

 private:
  struct Frame {
    std::vector<Tokens> marking;
    Transition via;
    std::vector<std::uint32_t> enabled;  // ranks in _by_gain, ascending
    std::size_t next = 0;                // index into enabled
  };

  void start() {
    Frame first{{_net.initial().begin(), _net.initial().end()}, Transition{}, {}};
    for (std::uint32_t rank = 0; rank < _by_gain.size(); ++rank) {
      if (_net.is_enabled(_by_gain[rank], first.marking)) first.enabled.push_back(rank);
    }
    _known.insert(fingerprint_of(first.marking));
    _path.push_back(std::move(first));
  }

  /// Only transitions that take from a changed place are looked at anew.
  void push(Transition via, std::vector<Tokens> marking) {
    std::vector<std::uint32_t> affected;
    for (const Arc& arc : _net.effect(via)) {
      const std::vector<std::uint32_t>& takers = _takers[index(arc.place)];
      affected.insert(affected.end(), takers.begin(), takers.end());
    }
    std::ranges::sort(affected);
    affected.erase(std::unique(affected.begin(), affected.end()), affected.end());
    std::vector<std::uint32_t> unaffected, enabled;
    std::ranges::set_difference(_path.back().enabled, affected, std::back_inserter(unaffected));
    std::erase_if(affected, [&](std::uint32_t rank) { return !_net.is_enabled(_by_gain[rank], marking); });
    std::ranges::merge(unaffected, affected, std::back_inserter(enabled));
    _path.push_back({std::move(marking), via, std::move(enabled)});
  }

  /// None where a place would leave 63 bits.
  std::optional<std::vector<Tokens>> fire(Transition t, const std::vector<Tokens>& from) const {
    std::vector<Tokens> to = from;
    for (const Arc& arc : _net.effect(t)) {
      Tokens& tokens = to[index(arc.place)];
      if (__builtin_add_overflow(tokens, arc.weight, &tokens)) return std::nullopt;
    }
    return to;
  }

  /// Compares the top of the path with everything below it, nearest first.
  std::optional<UnboundedEvidence> compare_with_path() {
    const std::vector<Tokens>& top = _path.back().marking;
    for (std::size_t i = _path.size() - 1; i-- > 0 && _steps > 0;) {
      --_steps;
      const std::vector<Tokens>& below = _path[i].marking;
      if (!std::ranges::equal(top, below, std::greater_equal<>())) continue;
      const auto grown = std::ranges::mismatch(top, below).in1;
      if (grown == top.end()) continue;
      return evidence(i, Place{static_cast<std::uint32_t>(grown - top.begin())});
    }
    return std::nullopt;
  }

  UnboundedEvidence evidence(std::size_t covered, Place place) const {
    UnboundedEvidence result{place, {}, {}};
    for (std::size_t i = 1; i < _path.size(); ++i) (i <= covered ? result.prefix : result.pump).push_back(_path[i].via);
    return result;
  }

  const Net& _net;
  std::size_t _steps;
  std::vector<Transition> _by_gain;                 // those that add most tokens first
  std::vector<std::vector<std::uint32_t>> _takers;  // ranks in _by_gain that take from a place
  std::vector<Frame> _path;
  std::unordered_set<Fingerprint, FingerprintHash> _known;
};

}  // namespace

std::optional<UnboundedEvidence> find_unbounded(const Net& net, std::size_t steps) {
  if (net.has_inhibitors() || net.has_guards()) return std::nullopt;
  return CoverSearch(net, steps).run();
}

}  // namespace dcheck
