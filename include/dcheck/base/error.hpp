#pragma once
// The three kinds of failure and what each one means to the user.
//
//   InputError     the user's model, formula or option is wrong          exit 2
//   ResourceError  a limit was reached, or the machine ran out           exit 3
//                  or a signal asked the run to stop                     exit 128 + the signal
//   anything else  we are wrong (std::logic_error, std::range_error...)  exit 70

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace dcheck {

/// Where in a text something stands. Lines and columns count from 1; 0 means "not known".
struct SourcePosition {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// what() is one line: `file:line:column: what is wrong and what was expected`.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
  InputError(const std::string& file, SourcePosition at, const std::string& message, std::string excerpt = {})
      : std::runtime_error(prefix(file, at) + message), _excerpt(std::move(excerpt)) {}

  /// The line of the user's text that is wrong and, below it, a line with a caret under the place; without
  /// a newline at the end. Empty where there is nothing to show.
  const std::string& excerpt() const { return _excerpt; }

 private:
  static std::string prefix(const std::string& file, SourcePosition at) {
    std::string text = file;
    if (at.line != 0) text += ":" + std::to_string(at.line);
    if (at.line != 0 && at.column != 0) text += ":" + std::to_string(at.column);
    return text + ": ";
  }

  std::string _excerpt;
};

/// what() is one line that names the limit and what was reached.
class ResourceError : public std::runtime_error {
 public:
  explicit ResourceError(const std::string& message, int signal = 0) : std::runtime_error(message), _signal(signal) {}

  /// The one that asked for it (stop_request.hpp); 0: none, something ran out.
  int signal() const { return _signal; }

 private:
  int _signal;
};

}  // namespace dcheck
