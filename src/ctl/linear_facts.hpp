#pragma once
// What bounds and invariants say about the value of a linear form in all reachable markings.
//
// For any invariant y.m = c and any factor f, a.m = (a - f y).m + f c: so every combination of
// invariants gives an upper bound of a.m, by putting each place with a positive coefficient at its bound
// and every other one at 0. The best combination would be a linear program; we descend along one
// semiflow at a time, which is exact along each, and stop after a fixed number of steps.

#include <optional>
#include <span>
#include <vector>

#include "dcheck/net/structure.hpp"

namespace dcheck {

class LinearFacts {
 public:
  /// The structure must outlive the facts. Cost: its size.
  explicit LinearFacts(const Structure& structure);

  /// No reachable marking gives the form a larger value; none where nothing is proven or numbers are too
  /// large. Deterministic.
  std::optional<Tokens> maximum(std::span<const LinearForm::Term> terms) const;
  std::optional<Tokens> minimum(std::span<const LinearForm::Term> terms) const;

 private:
  using Wide = __int128;
  struct WideTerm {
    Place place;
    Wide coefficient;
  };
  /// (terms + constant) / scale; every number stays below 2^62 in magnitude.
  struct ScaledForm {
    std::vector<WideTerm> terms;  // places ascending, no zero coefficients
    Wide constant = 0, scale = 1;
  };
  struct Ratio {
    Wide numerator, denominator;  // the denominator is positive
  };
  struct Best {
    ScaledForm form;
    std::optional<Ratio> bound;
  };

  static std::optional<ScaledForm> scaled(std::span<const LinearForm::Term> terms, Tokens sign);
  std::optional<Tokens> maximum_of(const ScaledForm& form) const;
  /// With every place that an invariant has for itself replaced; none where that makes it much longer or numbers
  /// grow too large.
  std::optional<ScaledForm> reduced(const ScaledForm& form) const;
  /// The value with each place where the form is largest.
  std::optional<Ratio> at_bounds(const ScaledForm& form) const;
  static bool is_below(const std::optional<Ratio>& a, const std::optional<Ratio>& b);
  void descend(Best& best) const;
  /// Moves `best` along the semiflow; false where that is no gain.
  bool improve(Best& best, const Invariant& semiflow) const;
  std::optional<Place> pivot_of(const ScaledForm& form, const Invariant& semiflow) const;
  std::vector<std::size_t> semiflows_touching(const ScaledForm& form) const;

  static Wide coefficient_at(const ScaledForm& form, Place place);
  /// keep * form - take * invariant is without the place, where the form has coefficient `own`; keep > 0.
  struct Factors {
    Wide keep, take;
  };
  static Factors factors_without(Wide own, const Invariant& invariant, Place place);
  /// The form with a multiple of the invariant taken away, so that the place is gone.
  static std::optional<ScaledForm> without(const ScaledForm& form, const Invariant& invariant, Place place);

  const Structure& _structure;
  std::vector<std::optional<Tokens>> _bounds;
  std::vector<std::vector<std::size_t>> _semiflows_at;         // by place
  std::vector<std::optional<std::size_t>> _only_invariant_at;  // by place, where it is in exactly one
};

}  // namespace dcheck
