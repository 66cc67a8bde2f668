#include "parse/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "dcheck/base/error.hpp"
#include "parse/nearest.hpp"
#include "parse/source_text.hpp"

namespace dcheck::parse {
namespace {

Tokens integer_of(const std::string& name, const std::string& text) {
  Tokens value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop == end && error == std::errc{}) return value;
  const bool too_large = stop == end && error == std::errc::result_out_of_range;
  throw InputError(fmt::format("-D {}={}: expected an integer{}", shown(name), shown(text),
                               too_large ? " of at most 9223372036854775807" : ""));
}

}  // namespace

GivenParameters::GivenParameters(const ParameterTexts& texts, std::span<const std::string> declared) {
  for (const auto& [name, text] : texts) {
    if (std::find(declared.begin(), declared.end(), name) == declared.end()) {
      NearestName nearest(name);
      for (const std::string& candidate : declared) nearest.consider(candidate);
      std::string hint = nearest.suggestion();
      if (hint.empty() && !declared.empty()) hint = "; it has " + shown(fmt::format("{}", fmt::join(declared, ", ")));
      throw InputError(fmt::format("-D {0}={1}: the model has no parameter '{0}'{2}", shown(name), shown(text), hint));
    }
    if (value(name)) throw InputError(fmt::format("-D {}={}: the parameter is given twice", shown(name), shown(text)));
    _given.push_back({name, integer_of(name, text)});
  }
}

std::optional<Tokens> GivenParameters::value(const std::string& name) const {
  for (const Parameter& parameter : _given) {
    if (parameter.name == name) return parameter.value;
  }
  return std::nullopt;
}

}  // namespace dcheck::parse
