#include "parse/extended/vanishing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_set>

#include "parse/extended/conditions.hpp"
#include "parse/extended/initial_marking.hpp"
#include "parse/extended/interval.hpp"

namespace dcheck::parse {
namespace {

using Kind = Expression::Kind;

constexpr std::size_t most_in_a_row = 100;      // immediate transitions after a timed one
constexpr std::size_t most_nodes = 2'000'000;   // of conditions kept on all sequences together
constexpr std::size_t most_sequences = 50'000;  // looked at, of all timed transitions together
constexpr std::size_t most_rounds_of_learning = 8;

/// An immediate transition as sequences see it.
struct Immediate {
  const ExtendedTransition* transition;
  Expression condition;  // its own, in the marking in which it fires
  Effect effect;
};

/// Immediate transitions, the highest priority first, and which of them can become enabled when a place changes.
class Immediates {
 public:
  explicit Immediates(const ExtendedNet& net) : _watched_by(net.places.size()) {
    for (const ExtendedTransition& t : net.transitions)
      if (t.is_immediate) _all.push_back({&t, all_of(own_conditions(t)), effect_of(t)});
    std::ranges::stable_sort(_all, std::greater{}, [](const Immediate& i) { return i.transition->priority; });
    for (std::uint32_t i = 0; i < _all.size(); ++i)
      for_each_place(_all[i].condition, [&](Place place) { _watched_by[index(place)].push_back(i); });
  }

  const Immediate& operator[](std::uint32_t i) const { return _all[i]; }

  /// Those whose enabledness the effect may have changed, the highest priority first.
  std::set<std::uint32_t> woken_by(const Effect& effect) const {
    std::set<std::uint32_t> woken;
    for (const auto& [place, change] : effect)
      woken.insert(_watched_by[index(place)].begin(), _watched_by[index(place)].end());
    return woken;
  }

  /// None of those woken is enabled in a tangible marking: what is known of the marking in which the timed one fires.
  std::vector<Expression> facts(const std::set<std::uint32_t>& woken) const {
    std::vector<Expression> facts;
    for (const std::uint32_t i : woken) facts.push_back(negation(_all[i].condition));
    return facts;
  }

 private:
  std::vector<Immediate> _all;
  std::vector<std::vector<std::uint32_t>> _watched_by;  // per place
};

/// A timed transition and immediate ones after it.
struct Sequence {
  Effect effect;
  std::vector<Expression> needed;  // of the marking before, besides that the timed transition is enabled
  Box box;                         // what is known of that marking
  std::vector<const ExtendedTransition*> fired;
};

/// The sequences after one timed transition that end in a tangible marking.
class Sequences {
 public:
  Sequences(const ExtendedTransition& timed, const Immediates& immediates,
            std::span<const std::optional<Tokens>> bounds, const SourceText& source, std::size_t& looked_at)
      : _timed(timed), _immediates(immediates), _source(source), _looked_at(looked_at) {
    Sequence first{effect_of(timed), {}, Box(bounds), {}};
    for (const Expression& condition : own_conditions(timed))
      if (!first.box.learn(condition)) return;  // never enabled
    follow(std::move(first));
  }

  /// By effect: one for each way in which it comes about.
  std::map<Effect, std::vector<Sequence>> ends;

 private:
  struct Candidate {
    const Immediate* immediate;
    Expression condition;  // of the marking before the sequence
  };

  void follow(Sequence sequence) {
    if (++_looked_at > most_sequences || sequence.fired.size() > most_in_a_row)
      refuse(sequence, "too many or too long");
    if (_open_effects.contains(sequence.effect)) refuse(sequence, "without end");
    if (!_seen.insert(key_of(sequence)).second) return;
    if (!learn_facts(sequence)) return;
    _open_effects.insert(sequence.effect);
    const std::vector<Candidate> candidates = candidates_after(sequence);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      // Those before it that have a higher priority are not enabled, it is.
      Sequence longer = sequence;
      const Tokens priority = candidates[i].immediate->transition->priority;
      const auto precedes = [&](const Candidate& other) { return other.immediate->transition->priority > priority; };
      bool is_possible = require(longer, candidates[i].condition);
      for (std::size_t other = 0; is_possible && other < i; ++other)
        if (precedes(candidates[other])) is_possible = require(longer, negation(candidates[other].condition));
      if (!is_possible) continue;
      fire(*candidates[i].immediate, longer);
      follow(std::move(longer));
    }
    _open_effects.erase(sequence.effect);
    for (const Candidate& candidate : candidates)
      if (!require(sequence, negation(candidate.condition))) return;
    ends[sequence.effect].push_back(std::move(sequence));
  }

  /// False where the marking before the sequence contradicts itself: a tangible one in which an immediate transition
  /// would be enabled.
  bool learn_facts(Sequence& sequence) const {
    const std::vector<Expression> facts = _immediates.facts(_immediates.woken_by(sequence.effect));
    const auto learn = [&](const Expression& fact) { return sequence.box.learn(fact); };
    // A few facts tell more when others are known.
    for (std::size_t round = 0; round < most_rounds_of_learning; ++round) {
      const Box before = sequence.box;
      if (!std::ranges::all_of(facts, learn) || !std::ranges::all_of(sequence.needed, learn)) return false;
      if (sequence.box == before) break;
    }
    return true;
  }

  std::vector<Candidate> candidates_after(const Sequence& sequence) const {
    const std::set<std::uint32_t> woken = _immediates.woken_by(sequence.effect);
    std::vector<Candidate> candidates;
    for (const std::uint32_t i : woken) {
      Expression condition = parse::before(_immediates[i].condition, sequence.effect);
      if (sequence.box.truth(condition) != Truth::no) candidates.push_back({&_immediates[i], std::move(condition)});
    }
    return candidates;
  }

  /// False where the condition cannot hold.
  static bool require(Sequence& sequence, const Expression& condition) {
    if (condition.kind == Kind::conjunction) {
      return std::ranges::all_of(condition.children, [&](const Expression& part) { return require(sequence, part); });
    }
    const Truth truth = sequence.box.truth(condition);
    if (truth == Truth::yes) return true;
    if (truth == Truth::no) return false;
    if (std::ranges::find(sequence.needed, condition) == sequence.needed.end()) sequence.needed.push_back(condition);
    return sequence.box.learn(condition);
  }

  void fire(const Immediate& immediate, Sequence& sequence) const {
    sequence.fired.push_back(immediate.transition);
    for (const auto& [place, change] : immediate.effect) {
      Tokens& sum = sequence.effect[place];
      if (__builtin_add_overflow(sum, change, &sum)) refuse(sequence, "beyond 63 bits in what they add");
      if (sum == 0) sequence.effect.erase(place);
    }
  }

  /// Sequences with the same effect that need the same go on alike.
  std::string key_of(const Sequence& sequence) const {
    std::vector<std::string> parts;
    for (const Expression& condition : sequence.needed) parts.push_back(text_of_shape(condition));
    std::ranges::sort(parts);
    std::string key;
    for (const auto& [place, change] : sequence.effect) key += fmt::format("{}:{} ", index(place), change);
    return key + fmt::format("{}", fmt::join(parts, " "));
  }

  static std::string text_of_shape(const Expression& expression) {
    std::string text =
        fmt::format("({} {} {}", static_cast<int>(expression.kind), expression.value, index(expression.place));
    for (const Expression& child : expression.children) text += text_of_shape(child);
    return text + ')';
  }

  [[noreturn]] void refuse(const Sequence& sequence, const char* how) const {
    const ExtendedTransition& last = sequence.fired.empty() ? _timed : *sequence.fired.back();
    _source.fail(last.at, fmt::format("immediate transition '{}' cannot be left out: after '{}' the sequences of "
                                      "immediate transitions are {}",
                                      shown(last.name), shown(_timed.name), how));
  }

  const ExtendedTransition& _timed;
  const Immediates& _immediates;
  const SourceText& _source;
  std::size_t& _looked_at;
  std::unordered_set<std::string> _seen;
  std::set<Effect> _open_effects;  // of the sequence that is followed, and its beginnings
};

/// The timed transition with another effect, and asking for more.
ExtendedTransition composed(const ExtendedTransition& timed, const Effect& effect,
                            const std::vector<Sequence>& sequences, bool is_only_one) {
  ExtendedTransition result = timed;
  if (!is_only_one)
    for (const ExtendedTransition* fired : sequences.front().fired) result.name += "." + fired->name;
  std::map<Place, Tokens> taken;
  for (const Arc& arc : timed.inputs) taken[arc.place] = arc.weight;
  for (const auto& [place, change] : effect) taken[place] = std::max(taken[place], -change);
  std::map<Place, Tokens> put = taken;
  for (const auto& [place, change] : effect) put[place] += change;
  result.inputs.clear();
  result.outputs.clear();
  for (const auto& [place, weight] : taken)
    if (weight > 0) result.inputs.push_back({place, weight});
  for (const auto& [place, weight] : put)
    if (weight > 0) result.outputs.push_back({place, weight});
  std::vector<Expression> either;
  for (const Sequence& sequence : sequences) either.push_back(all_of(sequence.needed));
  const Expression guard = any_of(std::move(either));
  if (guard.kind != Kind::always) result.guards.push_back(guard);
  return result;
}

/// Names that are no one else's.
class FreshNames {
 public:
  std::string made(const std::string& wanted) {
    std::string name = wanted;
    for (std::size_t number = 2; !_taken.insert(name).second; ++number) name = fmt::format("{}_{}", wanted, number);
    return name;
  }

 private:
  std::unordered_set<std::string> _taken;
};

}  // namespace

void leave_out_vanishing(ExtendedNet& net, std::vector<std::uint32_t>& origin,
                         std::span<const std::optional<Tokens>> bounds, const SourceText& source) {
  begin_tangible(net, source);
  const Immediates immediates(net);
  std::vector<ExtendedTransition> result;
  std::vector<std::uint32_t> new_origin;
  FreshNames names;
  std::size_t looked_at = 0, nodes = 0;
  for (std::size_t i = 0; i < net.transitions.size(); ++i) {
    const ExtendedTransition& timed = net.transitions[i];
    if (timed.is_immediate) continue;
    const Sequences sequences(timed, immediates, bounds, source, looked_at);
    for (const auto& [effect, ways] : sequences.ends) {
      result.push_back(composed(timed, effect, ways, sequences.ends.size() == 1));
      result.back().name = names.made(result.back().name);
      new_origin.push_back(origin[i]);
      for (const Expression& guard : result.back().guards) nodes += size_of(guard);
      if (nodes > most_nodes)
        source.fail(timed.at, fmt::format("leaving out immediate transitions makes guards of more than {} operators",
                                          most_nodes));
    }
  }
  net.transitions = std::move(result);
  origin = std::move(new_origin);
}

}  // namespace dcheck::parse
