#pragma once
// Records with masks, packed for the way. Rows that are alike have the same lanes, so the records of a batch have few
// masks, mostly one; and few bits of a key are used. Packed records are, in words:
//
//   how many masks (32 bits), the width in bits of every word of an identity (8 each)
//   the masks, each once
//   in bits, without gaps, for every record: the words of its identity, the number of its mask
//
// A width is that of the largest value in the batch, also of the masks' numbers: with one mask they take nothing. A
// batch is packed by itself: it says all that is needed to unpack it.

#include <cstdint>
#include <span>
#include <vector>

#include "dcheck/comm/exchange/records.hpp"

namespace dcheck {

class Packer {
 public:
  /// How many words these records take when they are packed; 0 where they should be sent as they are, because
  /// masks do not repeat enough. With mask words only; the records are not copied.
  std::size_t measure(const RecordShape& shape, const std::uint64_t* records, std::size_t count);
  /// Packs the records that were measured last, into as many words.
  void pack(std::uint64_t* packed) const;

 private:
  /// False where there are too many different ones.
  bool number_masks();
  /// The number of this record's mask; the next free one where it is new.
  std::size_t find_mask(std::size_t record);
  void measure_identities();
  const std::uint64_t* mask(std::size_t record) const {
    return _records + record * _shape.words() + _shape.identity_words();
  }

  RecordShape _shape;
  const std::uint64_t* _records = nullptr;
  std::size_t _count = 0;
  std::vector<std::uint32_t> _first;   // by number of a mask: a record that has it
  std::vector<std::uint32_t> _number;  // by record: of its mask
  std::vector<std::uint32_t> _index;   // by hash of a mask: its number from 1; 0 is a hole
  std::vector<std::uint8_t> _widths;   // by word of an identity
};

/// The `count` records of this shape that were packed. Throws std::logic_error where `packed` cannot be they.
void unpack(std::span<const std::uint64_t> packed, const RecordShape& shape, std::size_t count, std::uint64_t* records);

}  // namespace dcheck
