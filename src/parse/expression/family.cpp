#include "parse/expression/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dcheck::parse {
namespace {

/// The numbers in `1,2]`; none where it is anything else.
std::vector<Tokens> indices_in(std::string_view text) {
  std::vector<Tokens> indices;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    Tokens value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || stop == end) return {};
    indices.push_back(value);
    if (*stop == ']' && stop + 1 == end) return indices;
    if (*stop != ',') return {};
    at = stop + 1;
  }
  return {};
}

}  // namespace

void Family::consider(std::string_view name) {
  if (!name.starts_with(_begin)) return;
  const std::vector<Tokens> indices = indices_in(name.substr(_begin.size()));
  if (indices.empty()) return;
  Grid& grid = _grids[indices.size()];
  if (++grid.members == 1) grid.first = grid.last = indices;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    grid.first[i] = std::min(grid.first[i], indices[i]);
    grid.last[i] = std::max(grid.last[i], indices[i]);
  }
}

std::string Family::range() const {
  std::string text;
  for (const auto& [dimensions, grid] : _grids) {
    if (!text.empty()) text += " or ";
    text += _begin;
    double cells = 1;
    for (std::size_t i = 0; i < dimensions; ++i) {
      if (i > 0) text += ',';
      text += std::to_string(grid.first[i]);
      if (grid.first[i] != grid.last[i]) text += fmt::format("..{}", grid.last[i]);
      cells *= static_cast<double>(grid.last[i]) - static_cast<double>(grid.first[i]) + 1;
    }
    text += ']';
    if (cells != static_cast<double>(grid.members)) text += fmt::format(" with gaps, {} members", grid.members);
  }
  return text;
}

}  // namespace dcheck::parse
