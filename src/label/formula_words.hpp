#pragma once
// Formulas side by side: up to 64 of them are the bits of one word per row, so that one walk over the arcs serves all.
// A column has a bit per row; these turn columns into words and back.

#include <array>
#include <span>

#include "dcheck/walk/state_set.hpp"

namespace dcheck {

/// The words of 64 rows, from the same 64 bits of each column: bit f of row r's word is bit r of column f's.
template <typename Word>
void words_of_columns(std::span<const std::uint64_t> columns, std::span<Word> rows) {
  for (std::size_t f = 0; f < columns.size(); ++f)
    for (std::uint64_t bits = columns[f]; bits != 0; bits &= bits - 1)
      rows[static_cast<std::size_t>(std::countr_zero(bits))] |= static_cast<Word>(Word{1} << f);
}

/// visit(first row, how many, words) for all rows, 64 at a time; the words are those of the columns.
template <typename Word, typename Visit>
void for_each_words(std::span<const StateSet* const> columns, std::uint64_t rows, Visit&& visit) {
  std::array<std::uint64_t, 64> bits{};
  for (std::uint64_t first = 0; first < rows; first += 64) {
    for (std::size_t f = 0; f < columns.size(); ++f) bits[f] = columns[f]->data()[first / 64];
    std::array<Word, 64> words{};
    words_of_columns<Word>(std::span(bits).first(columns.size()), words);
    visit(first, std::min<std::uint64_t>(64, rows - first), words);
  }
}

/// visit(number of the 64 rows, their bits of each column) for all rows, 64 at a time; the columns are those of
/// words(row).
template <typename Words, typename Visit>
void for_each_bits(std::uint64_t rows, Words&& words, Visit&& visit) {
  for (std::uint64_t first = 0; first < rows; first += 64) {
    std::array<std::uint64_t, 64> bits{};
    const std::uint64_t end = std::min(rows, first + 64);
    for (std::uint64_t row = first; row < end; ++row)
      for (std::uint64_t word = words(row); word != 0; word &= word - 1)
        bits[static_cast<std::size_t>(std::countr_zero(word))] |= std::uint64_t{1} << (row - first);
    visit(first / 64, bits);
  }
}

/// Adds words(row) to the columns for all rows.
template <typename Words>
void add_words(std::span<StateSet* const> columns, std::uint64_t rows, Words&& words) {
  for_each_bits(rows, words, [&](std::uint64_t at, const auto& bits) {
    for (std::size_t f = 0; f < columns.size(); ++f) columns[f]->data()[at] |= bits[f];
  });
}

}  // namespace dcheck
