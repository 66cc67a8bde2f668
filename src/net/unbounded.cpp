#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_set>
#include <utility>

#include "dcheck/base/bits.hpp"
#include "dcheck/net/marking.hpp"
#include "dcheck/net/structure.hpp"

namespace dcheck {

namespace {

/// A sum over places of tokens times a random number, modulo 2^128: firing adds a constant to it.
struct Fingerprint {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Fingerprint&) const = default;

  void add(Place place, Tokens tokens) {
    const auto count = static_cast<std::uint64_t>(tokens);
    low += count * (mixed_bits(2 * index(place)) | 1);
    high += count * (mixed_bits(2 * index(place) + 1) | 1);
  }
  Fingerprint operator+(const Fingerprint& other) const { return {low + other.low, high + other.high}; }
};

struct FingerprintHash {
  std::size_t operator()(const Fingerprint& print) const { return mixed_bits(print.low); }
};

/// Some of the numbers below a limit, and quickly the next of them.
class NumberSet {
 public:
  explicit NumberSet(std::size_t limit) : _words(limit / 64 + 1, 0), _groups(_words.size() / 64 + 1, 0) {}

  void set(std::size_t number, bool is_in) {
    assign(_words[number / 64], number % 64, is_in);
    assign(_groups[number / 4096], number / 64 % 64, _words[number / 64] != 0);
  }

  /// The smallest that is not below `from`.
  std::optional<std::size_t> next(std::size_t from) const {
    if (from / 64 >= _words.size()) return std::nullopt;
    if (const std::uint64_t rest = _words[from / 64] >> (from % 64); rest != 0) return from + first_bit(rest);
    for (std::size_t word = from / 64 + 1; word < _words.size(); word = (word / 64 + 1) * 64) {
      const std::uint64_t rest = _groups[word / 64] >> (word % 64);
      if (rest == 0) continue;
      word += first_bit(rest);
      return word * 64 + first_bit(_words[word]);
    }
    return std::nullopt;
  }

 private:
  static std::size_t first_bit(std::uint64_t word) { return static_cast<std::size_t>(std::countr_zero(word)); }
  static void assign(std::uint64_t& word, std::size_t bit, bool value) {
    word = (word & ~(std::uint64_t{1} << bit)) | (std::uint64_t{value} << bit);
  }

  std::vector<std::uint64_t> _words, _groups;  // a bit a number; a bit per word that is not 0
};

/// Depth-first: an infinite, finitely branching graph has a path without end, and by Dickson's lemma
/// such a path holds a marking that covers an earlier one. Known markings are pruned by
/// fingerprint: a collision can hide evidence but never make it. The path is kept as what was fired.
class CoverSearch {
 public:
  CoverSearch(const Net& net, std::size_t steps, Patience& patience)
      : _net(net),
        _steps(steps),
        _patience(patience),
        _by_gain(net.transition_count()),
        _takers(net.place_count()),
        _marking(net.initial().begin(), net.initial().end()),
        _enabled(net.transition_count()),
        _growth(net.place_count(), 0) {
    std::vector<double> gain(net.transition_count(), 0);
    for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
      _by_gain[t] = Transition{t};
      for (const Arc& arc : net.effect(Transition{t})) gain[t] += static_cast<double>(arc.weight);
    }
    std::ranges::stable_sort(_by_gain, std::greater<>(), [&](Transition t) { return gain[index(t)]; });
    for (std::uint32_t rank = 0; rank < _by_gain.size(); ++rank) {
      for (const Arc& arc : net.pre(_by_gain[rank])) _takers[index(arc.place)].push_back(rank);
      _enabled.set(rank, net.is_enabled(_by_gain[rank], _marking));
    }
  }

  std::optional<UnboundedEvidence> run() {
    _path.push_back({});
    for (std::uint32_t p = 0; p < _net.place_count(); ++p) _path.back().print.add(Place{p}, _marking[p]);
    _known.insert(_path.back().print);
    while (!_path.empty() && _steps > 0) {
      const std::optional<std::size_t> rank = _enabled.next(_path.back().next);
      if (!rank) {
        leave();
        continue;
      }
      _path.back().next = *rank + 1;
      --_steps;
      if (!enter(_by_gain[*rank])) continue;
      if (auto evidence = compare_with_path()) return evidence;
    }
    return std::nullopt;
  }

 private:
  struct Frame {
    Transition via{};      // but for the first
    std::size_t next = 0;  // the first rank in _by_gain that was not tried yet
    Fingerprint print;     // of the marking
  };

  /// False where a place would leave 63 bits, or the marking is known.
  bool enter(Transition t) {
    Fingerprint print = _path.back().print;
    for (const Arc& arc : _net.effect(t)) print.add(arc.place, arc.weight);
    if (_known.contains(print) || !fire(_net, t, _marking)) return false;
    _known.insert(print);
    look_around(t);
    _path.push_back({t, 0, print});
    return true;
  }

  void leave() {
    const Transition via = _path.back().via;
    _path.pop_back();
    if (_path.empty()) return;
    unfire(_net, via, _marking);
    look_around(via);
  }

  /// Only transitions that take from a changed place are looked at anew.
  void look_around(Transition t) {
    for (const Arc& arc : _net.effect(t)) {
      _patience.spend(1 + _takers[index(arc.place)].size());
      for (const std::uint32_t rank : _takers[index(arc.place)]) {
        _enabled.set(rank, _net.is_enabled(_by_gain[rank], _marking));
      }
    }
  }

  /// Compares the top of the path with everything below it, nearest first.
  std::optional<UnboundedEvidence> compare_with_path() {
    std::optional<UnboundedEvidence> found;
    std::vector<Place> changed;
    std::size_t grown = 0;  // places that have more tokens at the top
    std::size_t shrunk = 0;
    for (std::size_t i = _path.size() - 1; i-- > 0 && _steps > 0 && !found;) {
      --_steps;
      _patience.spend(_net.effect(_path[i + 1].via).size());
      for (const Arc& arc : _net.effect(_path[i + 1].via)) {
        Tokens& growth = _growth[index(arc.place)];
        if (growth == 0) changed.push_back(arc.place);
        grown -= growth > 0 ? 1 : 0;
        shrunk -= growth < 0 ? 1 : 0;
        growth += arc.weight;
        grown += growth > 0 ? 1 : 0;
        shrunk += growth < 0 ? 1 : 0;
      }
      if (shrunk == 0 && grown > 0) found = evidence(i, first_grown(changed));
    }
    for (const Place place : changed) _growth[index(place)] = 0;
    return found;
  }

  Place first_grown(const std::vector<Place>& changed) const {
    Place first = Place{UINT32_MAX};
    for (const Place place : changed) {
      if (_growth[index(place)] > 0) first = std::min(first, place);
    }
    return first;
  }

  UnboundedEvidence evidence(std::size_t covered, Place place) const {
    UnboundedEvidence result{place, {}, {}};
    for (std::size_t i = 1; i < _path.size(); ++i) (i <= covered ? result.prefix : result.pump).push_back(_path[i].via);
    return result;
  }

  const Net& _net;
  std::size_t _steps;
  Patience& _patience;
  std::vector<Transition> _by_gain;                 // those that add most tokens first
  std::vector<std::vector<std::uint32_t>> _takers;  // ranks in _by_gain that take from a place
  std::vector<Tokens> _marking;                     // at the top of the path
  NumberSet _enabled;                               // ranks, in this marking
  std::vector<Frame> _path;
  std::vector<Tokens> _growth;  // per place, while markings are compared; else 0
  std::unordered_set<Fingerprint, FingerprintHash> _known;
};

}  // namespace

std::optional<UnboundedEvidence> find_unbounded(const Net& net, std::size_t steps, Patience& patience) {
  if (net.has_inhibitors() || net.has_guards()) return std::nullopt;
  return CoverSearch(net, steps, patience).run();
}

}  // namespace dcheck
