#include "parse/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "parse/source_text.hpp"

namespace dcheck::parse {
namespace {

// Longer names are not compared: nobody mistypes them, and the time is quadratic in the length.
constexpr std::size_t longest_compared = 200;

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::size_t replacement_cost(char a, char b) {
  if (a == b) return 0;
  return lower(a) == lower(b) ? 1 : 2;
}

/// In halves. Returns `limit` as soon as the distance cannot be below it.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = 2 * j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = 2 * i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 2, row[j - 1] + 2, last[j - 1] + replacement_cost(a[i - 1], b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 2);
    }
    if (*std::min_element(row.begin(), row.end()) >= limit) return limit;
    before_last = last;
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

NearestName::NearestName(std::string_view wanted) : _wanted(wanted), _distance(2 * (wanted.size() / 3 + 1)) {}

void NearestName::consider(std::string_view known) {
  if (_wanted.size() > longest_compared || known.size() > longest_compared) return;
  const std::size_t longer = std::max(known.size(), _wanted.size()), shorter = std::min(known.size(), _wanted.size());
  if (2 * (longer - shorter) > _distance) return;
  const std::size_t found = distance(_wanted, known, _distance + 1);
  // A name of which nothing is left is no suggestion. Of equals the last wins: p[9] for p[10].
  if (found > _distance || found >= 2 * longer) return;
  _distance = found;
  _best = known;
}

std::string NearestName::suggestion() const {
  return _best.empty() ? "" : fmt::format("; did you mean '{}'?", shown(_best));
}

}  // namespace dcheck::parse
