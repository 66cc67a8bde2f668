#pragma once
// Which rank owns a row. The owner depends on the tokens in the key places, not on how they are packed: rows
// stay where they are when fields become wider or lanes more. A new leaf means new key places: all begins again.
//
// It is read off the row's sum: weight * tokens over the key places, modulo 2^64. The sum is linear, so firing a
// transition adds a number that is known beforehand, and a row's owner costs a few instructions an arc.
//
// Two ways from a sum to an owner:
//   hash     all key places have random weights, and the sum is hashed: even partitions, and nearly every arc crosses.
//            Where no field can ever overflow, the layout stays as it is, and weights are chosen so that the sum is a
//            factor times each word of the key.
//   classes  a few places have powers of two as weights, all others none: the sum is the row's class, and a table tells
//            the owner of each class. Arcs that change none of these places stay on their rank.

#include <cstdint>
#include <string>
#include <vector>

#include "dcheck/rows/plan.hpp"

namespace dcheck {

/// Which places an owner follows from: few of them, chosen while the run goes on (`local`) or named (`places`), or all
/// of the key's.
struct AllocationChoice {
  enum class Kind : std::uint8_t { local, hash, places };
  Kind kind = Kind::hash;
  std::vector<Place> places;  // where kind == places

  // When owners are thought about for the first time; tests ask for it sooner.
  std::uint64_t look_after_rows = 256;  // of a rank
  std::uint64_t look_after_ns =
      40'000'000;                // of exploring: about what choosing takes; later, more rows would have to move
  unsigned least_key_bits = 11;  // with fewer there is nothing to gain
  // Classes must promise to save such a part of the time that hash takes: what the search finds later may be of few of
  // them.
  double least_gain = 0.75;
};

/// Classes of rows and their owners, the same on all ranks. No places: owners by hash.
struct OwnerClasses {
  struct Digit {
    Place place;
    unsigned shift;  // what a token of the place adds to the class: 1 << shift
  };
  std::vector<Digit> digits;         // shifts ascending as the stored fields are, with no gaps: a fixed key's class is
                                     // the bits of these fields one after another
  std::vector<std::uint16_t> owner;  // by class, modulo their number: a power of two

  bool is_hash() const { return digits.empty(); }
  template <typename Archive>
  void serialize(Archive& archive, unsigned) {
    std::uint64_t count = digits.size();
    archive& count;
    digits.resize(count);
    for (Digit& digit : digits) archive& digit.place& digit.shift;
    archive& owner;
  }
};

class Allocation {
 public:
  /// Everything is owned by rank 0; nothing but owner() may be asked.
  Allocation() = default;
  /// A pure function of its arguments, so that all ranks have the same.
  Allocation(const Plan& plan, int ranks, OwnerClasses classes = {});

  /// Of a stored key.
  std::uint64_t sum(const std::uint64_t* stored) const {
    std::uint64_t total = 0;
    if (has_classes()) {
      for (const Field& field : _fields) total += ((stored[field.word] >> field.shift) & field.mask) << field.to;
      return total;
    }
    if (is_fixed()) {
      for (std::size_t w = 0; w < _factors.size(); ++w) total += stored[w] * _factors[w];
      return total;
    }
    const std::uint64_t* of_digit = _sums.data();
    for (const std::uint64_t* const end = of_digit + _sums.size(); of_digit != end; ++stored)
      for (std::uint64_t rest = *stored, i = 0; i < 16 && of_digit != end; rest >>= 4, of_digit += 16, ++i)
        total += of_digit[rest & 15];
    return total;
  }
  /// What a transition, by its number in Plan::transitions(), adds to the sum.
  std::uint64_t delta(PlanTransition t) const { return _deltas[index(t)]; }

  /// The layout is fixed: the owner of a key of one word can be read off the key.
  bool is_fixed() const { return _is_fixed; }
  template <typename Bits>
  Rank owner_of_word(std::uint64_t key) const {
    return has_classes() ? owner_of_class(Bits::extract(key, _word_mask)) : owner_by_hash(key * _factors[0]);
  }

  Rank owner(std::uint64_t sum) const { return has_classes() ? owner_of_class(sum & _class_mask) : owner_by_hash(sum); }

 private:
  struct Field {
    std::size_t word;
    unsigned shift, to;
    std::uint64_t mask;
  };

  bool has_classes() const { return !_classes.is_hash(); }
  Rank owner_of_class(std::uint64_t number) const { return Rank{_classes.owner[number]}; }
  Rank owner_by_hash(std::uint64_t sum) const {
    sum = (sum ^ (sum >> 32)) * 0xD6E8FEB86659FD93U;
    return static_cast<Rank>((static_cast<unsigned __int128>(sum) * _ranks) >> 64);
  }
  std::vector<std::uint64_t> weights_for_hash(const Plan& plan);
  std::vector<std::uint64_t> weights_for_classes(const Plan& plan);
  void make_sums(const Plan& plan, const std::vector<std::uint64_t>& weight);

  std::uint64_t _ranks = 1;
  bool _is_fixed = false;
  OwnerClasses _classes;
  std::uint64_t _class_mask = 0, _word_mask = 0;  // the latter: the bits of a key of one word that are its class
  std::vector<Field> _fields;                     // by classes: where their digits are
  std::vector<std::uint64_t> _factors;            // by hash: per word, where the layout is fixed
  std::vector<std::uint64_t> _sums;               // elsewhere: per four bits of a key: what each of their values adds
  std::vector<std::uint64_t> _deltas;
};

}  // namespace dcheck
