#pragma once
// What the tests of the parsers share.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <string_view>

#include "dcheck/base/error.hpp"
#include "dcheck/parse/formula.hpp"
#include "dcheck/parse/model.hpp"

namespace dcheck::test {

/// The message of the InputError that `action` throws; empty where it throws none. Other exceptions pass.
inline std::string input_error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

inline Model spn(std::string_view text, const ParameterTexts& parameters = {}) {
  return parse_spn(text, "m.spn", parameters);
}

inline std::string spn_error(std::string_view text, const ParameterTexts& parameters = {}) {
  return input_error_of([&] { spn(text, parameters); });
}

/// One random edit: delete, double, overwrite or swap a short stretch.
inline void mutate(std::string& text, std::mt19937& random) {
  if (text.empty()) return;
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::size_t at = below(text.size()), length = 1 + below(std::min<std::size_t>(8, text.size() - at));
  switch (below(5)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, text.substr(at, length));
      break;
    case 2:
      text[at] = static_cast<char>(below(256));
      break;
    case 3:
      text.insert(below(text.size()), text.substr(at, length));
      break;
    default:
      text[at] = "0123456789[](){}<>=-+*/%!&|:;,.\"N"[below(32)];
  }
}

/// Damages a text that is right in thousands of ways: error(text) is one line or, where it can be read, empty.
inline void expect_read_or_refused(const std::string& whole, std::uint32_t seed,
                                   const std::function<std::string(const std::string&)>& error) {
  std::mt19937 random(seed);
  std::size_t read = 0, refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = whole;
    for (int edits = 1 + round % 3; edits > 0; --edits) mutate(text, random);
    const std::string message = error(text);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    ++(message.empty() ? read : refused);
  }
  EXPECT_GT(read, 0U);
  EXPECT_GT(refused, 0U);
}

}  // namespace dcheck::test
