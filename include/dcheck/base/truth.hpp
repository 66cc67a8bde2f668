#pragma once
// What is known of a question: yes, no, or neither.

#include <cstdint>

namespace dcheck {

enum class Truth : std::uint8_t { no, yes, unknown };

constexpr Truth truth_of(bool value) {
  return value ? Truth::yes : Truth::no;
}
constexpr Truth opposite(Truth truth) {
  return truth == Truth::unknown ? truth : truth_of(truth == Truth::no);
}

/// Whether some, or all, of the truths are yes. `truth(item)` tells that of each.
template <typename Items, typename TruthOf>
Truth any_of(const Items& items, TruthOf&& truth) {
  Truth joined = Truth::no;
  for (const auto& item : items) {
    const Truth next = truth(item);
    if (next == Truth::yes) return next;
    if (next == Truth::unknown) joined = next;
  }
  return joined;
}
template <typename Items, typename TruthOf>
Truth all_of(const Items& items, TruthOf&& truth) {
  return opposite(any_of(items, [&](const auto& item) { return opposite(truth(item)); }));
}

}  // namespace dcheck
