#pragma once
// What was reached, known by hashes alone: paper two's hash compaction and bit-state hashing. Keys that share a hash
// count as one, so what is taken for known may be new: states are left out, and none is made up. Nothing is read back.
//
// compaction   a table of so many bits of a hash per key; a mask of lanes beside it
// bitstate     an array of bits, never larger; a lane of a key is known where one bit for each of several hashes is
// set.
//              The bits of all lanes of a key lie together, so one look-up serves them all
//
// Other seeds make other hashes: what one run leaves out, another finds.

#include <cstdint>
#include <memory>
#include <span>

#include "dcheck/rows/plan.hpp"
#include "dcheck/store/store_choice.hpp"

namespace dcheck {

struct MemoryBudget;

class LossySet {
 public:
  static constexpr std::size_t batch_limit = 128;

  virtual ~LossySet() = default;

  // A key is given by a hash of 64 bits, its lanes by a mask of the plan's words, not empty.

  /// Writes the lanes of a key that are taken for known.
  virtual void known(std::uint64_t hash, std::uint64_t* lanes) const = 0;
  /// Takes from each of at most batch_limit masks the lanes that are taken for known, and knows the others from now on.
  /// Throws ResourceError where memory ends.
  virtual void add(std::span<const std::uint64_t> hashes, std::uint64_t* masks) = 0;

  /// Keys that were told apart.
  std::uint64_t rows() const { return _rows; }
  virtual std::size_t bytes() const = 0;
  /// The probability, over all seeds, that some of the keys so far, or one that is yet to come, was or is left out.
  double omission() const;

 protected:
  /// A key came that is new; the next one will be left out with this probability.
  void note_row(double omission);

 private:
  std::uint64_t _rows = 0;
  double _log_kept = 0;  // logarithm of the probability that nothing was left out
};

std::unique_ptr<LossySet> make_lossy_set(const Plan& plan, const StoreChoice& choice, MemoryBudget* budget);

}  // namespace dcheck
