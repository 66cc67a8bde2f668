#pragma once
// Finds the number of a name in a list of different names, which lies elsewhere: 8 bytes or so a name, however long.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcheck {

class NameIndex {
 public:
  std::optional<std::uint32_t> find(std::string_view name, const std::vector<std::string>& names) const {
    if (_slots.empty()) return std::nullopt;
    const std::uint32_t number = _slots[slot_of(name, names)];
    if (number == none) return std::nullopt;
    return number;
  }

  /// Takes up the last of the names; false where another one is equal to it.
  bool add_last(const std::vector<std::string>& names) {
    if (names.size() * 2 > _slots.size()) grow(names);
    std::uint32_t& slot = _slots[slot_of(names.back(), names)];
    if (slot != none) return false;
    slot = static_cast<std::uint32_t>(names.size() - 1);
    return true;
  }

  /// The index of a list that is whole.
  explicit NameIndex(const std::vector<std::string>& names) {
    if (!names.empty()) place_all(names, names.size());
  }
  NameIndex() = default;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::size_t slot_of(std::string_view name, const std::vector<std::string>& names) const {
    std::size_t at = std::hash<std::string_view>{}(name) & (_slots.size() - 1);
    while (_slots[at] != none && names[_slots[at]] != name) at = (at + 1) & (_slots.size() - 1);
    return at;
  }
  /// All names but the last, which is not known yet.
  void grow(const std::vector<std::string>& names) { place_all(names, names.size() - 1); }
  void place_all(const std::vector<std::string>& names, std::size_t count) {
    std::size_t size = 16;
    while (size < names.size() * 2) size *= 2;
    _slots.assign(size * 2, none);
    for (std::uint32_t i = 0; i < count; ++i) _slots[slot_of(names[i], names)] = i;
  }

  std::vector<std::uint32_t> _slots;  // a power of two of them, at most half full
};

}  // namespace dcheck
