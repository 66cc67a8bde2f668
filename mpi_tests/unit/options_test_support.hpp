#pragma once
// Command lines as tests write them.

#include <string>
#include <vector>

#include "app/options.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

inline CommandLine read(std::vector<const char*> words) {
  words.insert(words.begin(), "dcheck");
  return read_command_line(static_cast<int>(words.size()), words.data());
}

/// The complaint about these words; empty where there is none.
inline std::string complaint(const std::vector<const char*>& words) {
  try {
    read(words);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace dcheck
