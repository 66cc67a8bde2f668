#include "app/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "dcheck/base/error.hpp"

namespace dcheck {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view expected) {
  throw InputError(fmt::format("'{}' is not {}", text, expected));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string without_quotes(std::string_view name) {
  const bool is_quoted = name.size() >= 2 && name.front() == '"' && name.back() == '"';
  return std::string(is_quoted ? name.substr(1, name.size() - 2) : name);
}

}  // namespace

double parse_seconds(std::string_view text) {
  constexpr std::string_view expected = "a time such as 90, 15m or 2h";
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value) || value < 0) refuse(text, expected);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  if (unit.empty() || unit == "s") return value;
  if (unit == "m") return value * 60;
  if (unit == "h") return value * 3600;
  refuse(text, expected);
}

std::uint64_t parse_bytes(std::string_view text) {
  constexpr std::string_view expected = "a size such as 4096, 800M or 2G";
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) refuse(text, "below 2^64 bytes");
  if (error != std::errc() || value == 0) refuse(text, expected);
  unsigned shift = 0;
  if (end - rest == 1) {
    constexpr std::string_view units = "KMGT";
    const std::size_t unit = units.find(*rest);
    if (unit == std::string_view::npos) refuse(text, expected);
    shift = 10 * (static_cast<unsigned>(unit) + 1);
  } else if (rest != end) {
    refuse(text, expected);
  }
  if (value > std::numeric_limits<std::uint64_t>::max() >> shift) refuse(text, "below 2^64 bytes");
  return value << shift;
}

std::uint64_t parse_count(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < least || value > most)
    refuse(text, fmt::format("a whole number from {} to {}", least,
                             most == std::numeric_limits<std::uint64_t>::max() ? "2^64 - 1" : std::to_string(most)));
  return value;
}

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  int open_brackets = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted && c == '[') ++open_brackets;
    if (!is_quoted && c == ']') --open_brackets;
    const bool is_separator = c == ',' && !is_quoted && open_brackets == 0;
    if (!is_separator && i < text.size()) continue;
    if (is_quoted || open_brackets != 0) refuse(text, "a list of names: a bracket or a quote is left open");
    if (i == begin) refuse(text, "a list of names: one of them is empty");
    names.push_back(without_quotes(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return names;
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 4) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) >= best_distance) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace dcheck
