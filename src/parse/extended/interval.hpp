#pragma once
// What is known of token counts as intervals: the values that arithmetic can have, the truth that a predicate has for
// all of them, and what follows for places where a predicate is known to hold.

#include <limits>
#include <optional>
#include <span>
#include <unordered_map>

#include "dcheck/base/truth.hpp"
#include "dcheck/net/expression.hpp"

namespace dcheck::parse {

/// low..high, both included. Numbers from `endless` on mean "any larger one", and likewise below.
struct Interval {
  static constexpr Tokens endless = std::numeric_limits<Tokens>::max() / 4;

  Tokens low = 0, high = endless;

  bool is_bounded() const { return high < endless; }
  bool operator==(const Interval&) const = default;
};

/// An interval for each place: 0 up to its bound, and what was learned since.
class Box {
 public:
  /// `bounds` per place; it must outlive the box. None: no place has a bound.
  explicit Box(std::span<const std::optional<Tokens>> bounds = {}) : _bounds(bounds) {}

  Interval operator[](Place place) const;
  /// What the arithmetic can be: perhaps wider than it is, never narrower.
  Interval values(const Expression& arithmetic) const;
  Truth truth(const Expression& predicate) const;

  /// Learns what follows from the predicate's being true, or false. False where that cannot be.
  bool learn(const Expression& predicate, bool holds = true);

  bool operator==(const Box& other) const { return _learned == other._learned; }

 private:
  bool learn_all(std::span<const Expression> predicates, bool holds);
  bool learn_any(std::span<const Expression> predicates, bool holds);
  bool learn_comparison(const Expression& comparison, bool holds);
  /// form <= 0
  bool learn_at_most_zero(const LinearForm& form);
  /// form != 0
  bool learn_not_zero(const LinearForm& form);

  std::span<const std::optional<Tokens>> _bounds;
  std::unordered_map<Place, Interval> _learned;
};

}  // namespace dcheck::parse
