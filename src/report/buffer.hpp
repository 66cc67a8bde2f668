#pragma once
// Text that grows at its end.

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace dcheck {

using Buffer = fmt::memory_buffer;

template <typename... Args>
void put(Buffer& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

}  // namespace dcheck
