#pragma once
// What the text of an option means; complaints begin with the option's name.

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "dcheck/base/error.hpp"

namespace dcheck {

/// Runs a parser of one option's text and puts the option's name before what it complains about.
template <typename Parse>
auto value_of(const char* option, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("dcheck: {}: {}", option, error.what()));
  }
}

template <typename Value, std::size_t N>
using NamedValues = std::array<std::pair<std::string_view, Value>, N>;

/// The value that `names` gives to a word.
template <typename Value, std::size_t N>
Value value_named(const char* option, const std::string& word, const NamedValues<Value, N>& names) {
  std::string all;
  for (const auto& [name, value] : names) {
    if (word == name) return value;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
  }
  throw InputError(fmt::format("dcheck: {}: {} is none of {}", option, word, all));
}

}  // namespace dcheck
