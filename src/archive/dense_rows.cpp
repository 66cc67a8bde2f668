#include "archive/dense_rows.hpp"

#include <array>
#include <cmath>
#include <numeric>

#include "archive/bit_stream.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/narrow.hpp"
#include "dcheck/rows/mask_numbers.hpp"

namespace dcheck {

namespace {

constexpr unsigned parameter_bits = 6;
constexpr unsigned most_ones = 40;  // then a difference is written whole

struct SortedKey {
  std::uint64_t key;
  std::uint32_t row;
};

/// By one byte after the other, the lowest first.
void sort_by_bytes(std::vector<SortedKey>& keys, unsigned bits) {
  std::vector<SortedKey> other(keys.size());
  for (unsigned shift = 0; shift < bits; shift += 8) {
    std::array<std::uint32_t, 257> begin{};
    for (const SortedKey& entry : keys) ++begin[(entry.key >> shift & 255) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const SortedKey& entry : keys) other[begin[entry.key >> shift & 255]++] = entry;
    keys.swap(other);
  }
}

std::vector<std::uint32_t> order_by_key(const RowForm& form, const RowBlock& block) {
  std::vector<std::uint32_t> order(block.rows);
  if (form.key_words == 1) {
    std::vector<SortedKey> keys(block.rows);
    for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = {block.keys[i], i};
    sort_by_bytes(keys, form.key_bits);
    for (std::size_t i = 0; i < keys.size(); ++i) order[i] = keys[i].row;
    return order;
  }
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t row) {
    return block.keys.begin() + static_cast<std::ptrdiff_t>(row * form.key_words);
  };
  const auto words = static_cast<std::ptrdiff_t>(form.key_words);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(key(a), key(a) + words, key(b), key(b) + words);
  });
  return order;
}

/// How keys follow each other: the first word that differs, and by how much. What comes after it is written whole.
struct Step {
  std::size_t word = 0;
  std::uint64_t difference = 0;
};

Step step_between(const std::uint64_t* before, const std::uint64_t* key, std::size_t words) {
  std::size_t w = 0;
  while (w + 1 < words && before[w] == key[w]) ++w;
  return {w, key[w] - before[w]};
}

void put_difference(BitWriter& out, std::uint64_t difference, unsigned parameter) {
  const std::uint64_t ones = difference >> parameter;
  if (ones >= most_ones) {
    out.put_unary(most_ones);
    out.put(difference, 64);
    return;
  }
  out.put_unary(static_cast<unsigned>(ones));
  out.put(difference & low_bits(parameter), parameter);
}

std::uint64_t take_difference(BitReader& in, unsigned parameter) {
  const unsigned ones = in.take_unary();
  if (ones == most_ones) return in.take(64);
  return std::uint64_t{ones} << parameter | in.take(parameter);
}

unsigned bits_for_number_below(std::uint64_t count) {
  return count <= 1 ? 0 : bit_width_of(count - 1);
}

/// For each word the number of low bits of its differences that are written as they are: best where these are about
/// geometric.
std::vector<unsigned> parameters_for(const RowForm& form, const RowBlock& block,
                                     const std::vector<std::uint32_t>& order) {
  std::vector<double> sum(form.key_words, 0), count(form.key_words, 0);
  std::vector<std::uint64_t> none(form.key_words, 0);
  const std::uint64_t* before = none.data();
  for (const std::uint32_t row : order) {
    const std::uint64_t* const key = block.keys.data() + row * form.key_words;
    const Step step = step_between(before, key, form.key_words);
    sum[step.word] += static_cast<double>(step.difference);
    ++count[step.word];
    before = key;
  }
  std::vector<unsigned> parameters;
  for (std::size_t w = 0; w < form.key_words; ++w) {
    const double mean = sum[w] / std::max(1.0, count[w]);
    const double wanted = std::max(0.0, std::ceil(std::log2(std::max(1.0, 0.69 * mean))));
    parameters.push_back(static_cast<unsigned>(std::min(wanted, 63.0)));
  }
  return parameters;
}

void put_keys(const RowForm& form, const RowBlock& block, const std::vector<std::uint32_t>& order, BitWriter& out) {
  const std::vector<unsigned> parameters = parameters_for(form, block, order);
  for (const unsigned parameter : parameters) out.put(parameter, parameter_bits);
  const unsigned word_bits = bits_for_number_below(form.key_words);
  const std::vector<std::uint64_t> none(form.key_words, 0);
  const std::uint64_t* before = none.data();
  for (const std::uint32_t row : order) {
    const std::uint64_t* const key = block.keys.data() + row * form.key_words;
    const Step step = step_between(before, key, form.key_words);
    out.put(step.word, word_bits);
    put_difference(out, step.difference, parameters[step.word]);
    for (std::size_t w = step.word + 1; w < form.key_words; ++w) out.put(key[w], form.bits_of_word(w));
    before = key;
  }
}

void take_keys(const RowForm& form, BitReader& in, RowBlock& block) {
  std::vector<unsigned> parameters;
  for (std::size_t w = 0; w < form.key_words; ++w) parameters.push_back(static_cast<unsigned>(in.take(parameter_bits)));
  const unsigned word_bits = bits_for_number_below(form.key_words);
  block.keys.resize(block.rows * form.key_words);
  const std::vector<std::uint64_t> none(form.key_words, 0);
  const std::uint64_t* before = none.data();
  for (std::size_t row = 0; row < block.rows; ++row) {
    std::uint64_t* const key = block.keys.data() + row * form.key_words;
    const std::size_t first = in.take(word_bits);
    if (first >= form.key_words) throw InputError("a key in it has too many words");
    std::copy_n(before, first, key);
    key[first] = before[first] + take_difference(in, parameters[first]);
    for (std::size_t w = first + 1; w < form.key_words; ++w) key[w] = in.take(form.bits_of_word(w));
    before = key;
  }
}

/// A column's masks, each different one once, then for each row which of them it has. Number 0 is the empty one.
void put_column(const RowForm& form, const RowBlock& block, std::size_t column, const std::vector<std::uint32_t>& order,
                BitWriter& out) {
  const auto mask = [&](std::uint32_t row) {
    return block.masks.data() + row * form.words_of_masks() + column * form.mask_words;
  };
  MaskNumbers masks(form.mask_words);
  masks.reserve(narrow<std::uint32_t>(block.rows + 1));
  std::vector<std::uint32_t> numbers;
  numbers.reserve(block.rows);
  for (const std::uint32_t row : order) numbers.push_back(masks.number_of(mask(row)));
  out.put(masks.size(), 32);
  for (std::uint32_t i = 1; i < masks.size(); ++i)
    for (std::size_t w = 0; w < form.mask_words; ++w) out.put(masks[i][w], 64);
  const bool is_uniform = std::ranges::all_of(numbers, [&](std::uint32_t number) { return number == numbers[0]; });
  out.put(is_uniform ? 1 : 0, 1);
  const unsigned bits = bits_for_number_below(masks.size());
  if (is_uniform) return out.put(numbers.empty() ? 0 : numbers[0], 32);
  for (const std::uint32_t number : numbers) out.put(number, bits);
}

void take_column(const RowForm& form, BitReader& in, std::size_t column, RowBlock& block) {
  const auto count = static_cast<std::uint32_t>(in.take(32));
  if (count > block.rows + 1) throw InputError("a block in it has too many masks");
  std::vector<std::uint64_t> masks(count * form.mask_words, 0);
  for (std::size_t i = form.mask_words; i < masks.size(); ++i) masks[i] = in.take(64);
  const bool is_uniform = in.take(1) != 0;
  const std::uint64_t common = is_uniform ? in.take(32) : 0;
  const unsigned bits = bits_for_number_below(count);
  for (std::size_t row = 0; row < block.rows; ++row) {
    const std::uint64_t number = is_uniform ? common : in.take(bits);
    if (number >= count) throw InputError("a mask in it is missing");
    std::copy_n(masks.data() + number * form.mask_words, form.mask_words,
                block.masks.data() + row * form.words_of_masks() + column * form.mask_words);
  }
}

}  // namespace

std::string dense_bytes(const RowForm& form, const RowBlock& block) {
  std::string bytes;
  BitWriter out(bytes);
  out.put(block.rows, 32);
  out.put(static_cast<std::uint64_t>(block.group), 8);
  const std::vector<std::uint32_t> order = order_by_key(form, block);
  put_keys(form, block, order, out);
  for (std::size_t column = 0; column < form.columns.size(); ++column) put_column(form, block, column, order, out);
  out.finish();
  return bytes;
}

RowBlock rows_of_dense_bytes(const RowForm& form, std::string_view bytes) {
  constexpr std::size_t most_rows = std::size_t{1} << 24;
  BitReader in(bytes);
  RowBlock block;
  block.rows = in.take(32);
  const std::uint64_t group = in.take(8);
  if (block.rows > most_rows || group >= row_groups) throw InputError("a block in it has no head");
  block.group = static_cast<RowGroup>(group);
  take_keys(form, in, block);
  block.masks.resize(block.rows * form.words_of_masks());
  for (std::size_t column = 0; column < form.columns.size(); ++column) take_column(form, in, column, block);
  return block;
}

}  // namespace dcheck
