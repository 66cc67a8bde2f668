#pragma once
// Some rows of a stream, gathered: what is written to a file, and read from it, at a time.

#include <cstdint>
#include <string>
#include <vector>

#include "dcheck/space/row_stream.hpp"

namespace dcheck {

/// What all rows of a file look like.
struct RowForm {
  std::size_t key_words = 1, mask_words = 1;
  unsigned key_bits = 64;  // of all words together: the last word has fewer
  std::vector<std::string> columns;

  std::size_t words_of_masks() const { return columns.size() * mask_words; }
  unsigned bits_of_word(std::size_t word) const {
    return word + 1 < key_words ? 64 : key_bits - 64 * static_cast<unsigned>(key_words - 1);
  }
};

/// The order in which rows can be added to any state: those none of whose lanes wait, those that wait, and level by
/// level those that wait for the next level alone.
enum class RowGroup : std::uint8_t { handled, waiting, next };
constexpr std::size_t row_groups = 3;

struct RowBlock {
  RowGroup group = RowGroup::handled;
  std::size_t rows = 0;
  std::vector<std::uint64_t> keys, masks;  // as RowForm says, one row after another; masks column by column

  StreamedRow row(const RowForm& form, std::size_t i) const {
    return {keys.data() + i * form.key_words, masks.data() + i * form.words_of_masks()};
  }
  void add(const RowForm& form, const StreamedRow& row) {
    keys.insert(keys.end(), row.key, row.key + form.key_words);
    masks.insert(masks.end(), row.masks, row.masks + form.words_of_masks());
    ++rows;
  }
  void clear() {
    rows = 0;
    keys.clear();
    masks.clear();
  }
};

}  // namespace dcheck
