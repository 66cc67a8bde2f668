#include "parse/excerpt.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "dcheck/base/utf8.hpp"

namespace dcheck::parse {
namespace {

constexpr std::size_t widest_line = 100;   // columns
constexpr std::size_t shown_before = 60;   // columns before the place, where the line is longer
constexpr std::size_t longest_read = 800;  // bytes to either side of the place: enough for the widest line

struct Character {
  std::string_view text;
  std::size_t width;
};

struct CodeRange {
  char32_t first, last;
};

// Scripts whose characters take two columns, and marks that take none: the large blocks only.
constexpr std::array<CodeRange, 9> wide{{{0x1100, 0x115F},
                                         {0x2E80, 0xA4CF},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF00, 0xFF60},
                                         {0x1F300, 0x1F64F},
                                         {0x1F900, 0x1F9FF},
                                         {0x20000, 0x3FFFD}}};
constexpr std::array<CodeRange, 4> marks{{{0x0300, 0x036F}, {0x200B, 0x200F}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}}};

template <std::size_t Count>
bool is_in(char32_t code, const std::array<CodeRange, Count>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const CodeRange& range) { return range.first <= code && code <= range.last; });
}

char32_t code_of(std::string_view sequence) {
  constexpr std::array<unsigned, 5> lead_bits{0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = static_cast<unsigned char>(sequence[0]) & lead_bits[sequence.size()];
  for (const char c : sequence.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

Character next_character(std::string_view text) {
  const std::size_t length = utf8_length(text);
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte == '\t') return {" ", 1};
  if (length == 0 || byte < 0x20 || byte == 0x7F) return {"?", 1};
  const std::string_view sequence = text.substr(0, length);
  const char32_t code = code_of(sequence);
  return {sequence, is_in(code, marks) ? 0U : is_in(code, wide) ? 2U : 1U};
}

std::vector<Character> characters_of(std::string_view text) {
  std::vector<Character> characters;
  while (!text.empty()) {
    characters.push_back(next_character(text));
    text.remove_prefix(std::max<std::size_t>(utf8_length(text), 1));
  }
  return characters;
}

/// A stretch of text as it is shown, and how wide that is.
struct Shown {
  std::string text;
  std::size_t width = 0;
};

/// As much of the start as fits.
Shown fitting_start(const std::vector<Character>& characters, std::size_t width) {
  Shown shown;
  for (const Character& character : characters) {
    if (shown.width + character.width > width) break;
    shown.text += character.text;
    shown.width += character.width;
  }
  return shown;
}

/// As much of the end as fits.
Shown fitting_end(const std::vector<Character>& characters, std::size_t width) {
  Shown shown;
  auto first = characters.end();
  while (first != characters.begin() && shown.width + std::prev(first)->width <= width) {
    --first;
    shown.width += first->width;
  }
  for (; first != characters.end(); ++first) shown.text += first->text;
  return shown;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

std::string excerpt(std::string_view text, Offset at) {
  const std::size_t place = std::min<std::size_t>(at, text.size());
  const std::size_t newline = place == 0 ? std::string_view::npos : text.rfind('\n', place - 1);
  std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  std::size_t end = std::min(text.find('\n', place), text.size());
  if (end > place && text[end - 1] == '\r') --end;

  bool is_cut_before = place - begin > longest_read, is_cut_after = end - place > longest_read;
  if (is_cut_before) {
    begin = place - longest_read;
    while (begin < place && is_continuation(text[begin])) ++begin;
  }
  if (is_cut_after) end = place + longest_read;

  const auto before = characters_of(text.substr(begin, place - begin));
  const auto after = characters_of(text.substr(place, end - place));
  const Shown all_after = fitting_start(after, widest_line);
  const Shown start = fitting_end(before, std::max(shown_before, widest_line - all_after.width));
  const Shown rest = fitting_start(after, widest_line - start.width);
  is_cut_before = is_cut_before || start.text.size() < place - begin;
  is_cut_after = is_cut_after || rest.text.size() < end - place;

  const std::string margin = is_cut_before ? "  ..." : "  ";
  return margin + start.text + rest.text + (is_cut_after ? "..." : "") + '\n' +
         std::string(margin.size() + start.width, ' ') + '^';
}

}  // namespace dcheck::parse
