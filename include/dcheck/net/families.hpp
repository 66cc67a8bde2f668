#pragma once
// What a model declares as one place or transition and a net has as several: the members of `pm[1..4]`, a coloured
// place and its colours, a coloured transition and its bindings. Whoever wants to know what belongs together asks here;
// names tell nothing.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dcheck/base/ids.hpp"

namespace dcheck {

struct Family {
  std::string name;
  /// The name alone stands for all members together: the sum of their tokens, or whether any can fire. Colours that
  /// are no members are never marked, bindings that are none never fire.
  bool is_coloured = false;
  bool operator==(const Family&) const = default;
};

/// Families of places or of transitions. A node is in one family at most.
template <typename Id>
class Families {
 public:
  /// The number of the new family.
  std::uint32_t add(Family family) {
    _families.push_back(std::move(family));
    _members.emplace_back();
    return static_cast<std::uint32_t>(_families.size() - 1);
  }
  /// Members come in ascending order, each once.
  void join(Id member, std::uint32_t family) {
    if (_family_of.size() <= index(member)) _family_of.resize(index(member) + 1, none);
    _family_of[index(member)] = family;
    _members[family].push_back(member);
  }

  std::size_t count() const { return _families.size(); }
  const Family& operator[](std::uint32_t family) const { return _families[family]; }
  std::span<const Id> members(std::uint32_t family) const { return _members[family]; }
  std::optional<std::uint32_t> of(Id id) const {
    if (index(id) >= _family_of.size() || _family_of[index(id)] == none) return std::nullopt;
    return _family_of[index(id)];
  }
  /// The members of the coloured family of this name.
  std::optional<std::span<const Id>> coloured_members(std::string_view name) const {
    const auto found = std::ranges::find_if(
        _families, [&](const Family& family) { return family.is_coloured && family.name == name; });
    if (found == _families.end()) return std::nullopt;
    return std::span<const Id>(_members[static_cast<std::size_t>(found - _families.begin())]);
  }
  std::size_t coloured_count() const {
    return static_cast<std::size_t>(std::ranges::count_if(_families, &Family::is_coloured));
  }

  /// The same families of nodes that have other numbers now: `number` per old id.
  Families renumbered(const std::vector<Id>& number) const {
    Families result;
    result._families = _families;
    result._members.resize(_families.size());
    std::vector<std::uint32_t> family_of(number.size(), none);
    for (std::size_t i = 0; i < _family_of.size(); ++i) family_of[index(number[i])] = _family_of[i];
    for (std::size_t i = 0; i < family_of.size(); ++i)
      if (family_of[i] != none) result.join(static_cast<Id>(i), family_of[i]);
    return result;
  }

  template <typename Archive>
  void serialize(Archive& archive, unsigned);  // serialize.hpp

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::vector<Family> _families;
  std::vector<std::vector<Id>> _members;
  std::vector<std::uint32_t> _family_of;  // per id; none beyond its end
};

}  // namespace dcheck
