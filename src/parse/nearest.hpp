#pragma once
// "Did you mean ...?": the known name nearest to an unknown one.

#include <string>
#include <string_view>

namespace dcheck::parse {

/// Feed it every known name; it keeps the nearest. Distance: insertions, deletions, replacements and swaps of
/// neighbours, upper and lower case counting as the same letter at half price.
class NearestName {
 public:
  explicit NearestName(std::string_view wanted);

  void consider(std::string_view known);

  /// `; did you mean 'x'?`, or nothing where no name is near enough to be meant.
  std::string suggestion() const;

 private:
  std::string _wanted;
  std::string _best;
  std::size_t _distance;  // in halves; names farther away are not taken
};

}  // namespace dcheck::parse
