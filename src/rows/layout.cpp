#include "dcheck/rows/layout.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "dcheck/base/narrow.hpp"

namespace dcheck {

namespace {

/// Above this the tables of decode_by_bytes() would push the net itself out of the first caches.
constexpr std::size_t byte_table_limit = std::size_t{96} << 10;

/// First fit, widest first: positions of items of given sizes in 64-bit words that no item crosses.
struct Slot {
  std::uint32_t word, shift;
};
std::vector<Slot> pack(const std::vector<unsigned>& sizes, std::size_t& words) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return sizes[a] > sizes[b]; });
  std::vector<Slot> slots(sizes.size());
  std::vector<unsigned> used;
  std::size_t word = 0;
  unsigned size = 0;
  for (const std::size_t item : order) {
    if (sizes[item] != std::exchange(size, sizes[item])) word = 0;
    // Where this item does not fit, no later one of its size does. An item without bits lies inside a word too.
    while (word < used.size() && used[word] + std::max(size, 1U) > 64) ++word;
    if (word == used.size()) used.push_back(0);
    slots[item] = {static_cast<std::uint32_t>(word), used[word]};
    used[word] += size;
  }
  words = used.size();
  return slots;
}

/// One entry per word, ascending, no zeros.
std::vector<WordDelta> added_up(std::vector<WordDelta> parts) {
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.word < b.word; });
  std::vector<WordDelta> sums;
  for (const WordDelta& part : parts) {
    if (sums.empty() || sums.back().word != part.word) sums.push_back({part.word, 0});
    sums.back().delta += part.delta;
  }
  std::erase_if(sums, [](const WordDelta& sum) { return sum.delta == 0; });
  return sums;
}

}  // namespace

Layout::Layout(const std::vector<FieldRequest>& requests, const std::vector<unsigned>& stored_widths,
               const FieldRequest& total) {
  place_stored(stored_widths);
  place_fields(requests);
  make_columns(requests, total);
  make_byte_tables();
}

void Layout::place_stored(const std::vector<unsigned>& widths) {
  const std::vector<Slot> slots = pack(widths, _stored_words);
  _stored_words = std::max<std::size_t>(_stored_words, 1);
  std::vector<unsigned> used(_stored_words, 0);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    _stored.push_back({slots[i].word, slots[i].shift, widths[i]});
    used[slots[i].word] = std::max(used[slots[i].word], slots[i].shift + widths[i]);
  }
  for (const unsigned bits : used) _word_bytes.push_back((bits + 7) / 8);
  _stored_bits = static_cast<unsigned>(64 * (_stored_words - 1)) + used.back();
  _stored_bytes = 8 * (_stored_words - 1) + std::max(1U, _word_bytes.back());
}

void Layout::place_fields(const std::vector<FieldRequest>& requests) {
  std::vector<unsigned> sizes;
  for (const FieldRequest& request : requests) sizes.push_back(request.width + 1);
  const std::vector<Slot> slots = pack(sizes, _working_words);
  _working_words = std::max<std::size_t>(_working_words, 1);
  _unproven_guards.assign(_working_words, 0);
  _all_guards.assign(_working_words, 0);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Field field{slots[i].word, slots[i].shift, requests[i].width, requests[i].proven, requests[i].bias};
    _fields.push_back(field);
    _all_guards[field.word] |= field.guard();
    if (!field.proven) _unproven_guards[field.word] |= field.guard();
  }
}

void Layout::make_columns(const std::vector<FieldRequest>& requests, const FieldRequest& total) {
  _key_columns.assign(_stored.size(), {});
  _base.assign(_working_words, 0);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Field& field = _fields[i];
    _base[field.word] += (static_cast<std::uint64_t>(requests[i].constant) + static_cast<std::uint64_t>(field.bias))
                         << field.shift;
    for (const auto& [key_place, coefficient] : requests[i].terms)
      _key_columns[key_place].push_back({field.word, static_cast<std::uint64_t>(coefficient) << field.shift});
  }
  for (auto& column : _key_columns) column = added_up(std::move(column));
  std::vector<std::uint64_t> totals(_stored.size(), 0);
  for (const auto& [key_place, coefficient] : total.terms) totals[key_place] += static_cast<std::uint64_t>(coefficient);
  _base_total = total.constant;

  _columns.assign(_stored_words * 64, {});
  for (std::size_t i = 0; i < _stored.size(); ++i)
    for (unsigned bit = 0; bit < _stored[i].width; ++bit) {
      Column& column = _columns[_stored[i].word * 64 + _stored[i].shift + bit];
      column.begin = narrow<std::uint32_t>(_column_words.size());
      for (const WordDelta& part : _key_columns[i]) _column_words.push_back({part.word, part.delta << bit});
      column.end = narrow<std::uint32_t>(_column_words.size());
      column.total = totals[i] << bit;
    }
}

void Layout::make_byte_tables() {
  const std::size_t stride = _working_words + 1;
  const std::size_t count = std::accumulate(_word_bytes.begin(), _word_bytes.end(), std::size_t{0});
  if (count == 0 || count * 256 * stride * 8 > byte_table_limit) return;
  _byte_tables.assign(count * 256 * stride, 0);
  std::uint64_t* row = _byte_tables.data();
  for (std::size_t s = 0; s < _stored_words; ++s)
    for (unsigned byte = 0; byte < _word_bytes[s]; ++byte)
      for (unsigned value = 0; value < 256; ++value, row += stride)
        for (unsigned bit = 0; bit < 8; ++bit) {
          if ((value >> bit & 1) == 0) continue;
          const Column& column = _columns[s * 64 + std::size_t{byte} * 8 + bit];
          for (std::uint32_t i = column.begin; i < column.end; ++i)
            row[_column_words[i].word] += _column_words[i].delta;
          row[_working_words] += column.total;
        }
}

std::vector<WordDelta> Layout::working_delta(const KeyChange& change) const {
  std::vector<WordDelta> delta;
  for (const auto& [key_place, tokens] : change)
    for (const WordDelta& part : _key_columns[key_place])
      delta.push_back({part.word, part.delta * static_cast<std::uint64_t>(tokens)});
  return added_up(std::move(delta));
}

std::vector<WordDelta> Layout::stored_delta(const KeyChange& change) const {
  std::vector<WordDelta> delta;
  for (const auto& [key_place, tokens] : change) {
    const StoredField& at = _stored[key_place];
    if (at.width != 0) delta.push_back({at.word, static_cast<std::uint64_t>(tokens) << at.shift});
  }
  return added_up(std::move(delta));
}

std::vector<std::uint64_t> Layout::encode(std::span<const Tokens> key_tokens) const {
  std::vector<std::uint64_t> stored(_stored_words, 0);
  for (std::size_t i = 0; i < key_tokens.size(); ++i) {
    const auto value = static_cast<std::uint64_t>(key_tokens[i]);
    if (value > low_bits(_stored[i].width)) throw std::logic_error("a token count does not fit its stored field");
    if (_stored[i].width != 0) stored[_stored[i].word] |= value << _stored[i].shift;
  }
  return stored;
}

Tokens Layout::stored_value(std::size_t key_place, const std::uint64_t* stored) const {
  const StoredField& at = _stored[key_place];
  if (at.width == 0) return 0;
  return static_cast<Tokens>((stored[at.word] >> at.shift) & low_bits(at.width));
}

std::size_t Layout::bytes() const {
  return _byte_tables.size() * 8 + _column_words.size() * sizeof(WordDelta) + _columns.size() * sizeof(Column);
}

}  // namespace dcheck
