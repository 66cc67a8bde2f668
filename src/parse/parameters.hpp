#pragma once
// Values that the command line gives to a model's parameters.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dcheck/parse/model.hpp"

namespace dcheck::parse {

/// Checks -D texts against the declared names: integers only, no unknown name, no name twice.
/// Throws InputError that starts with the option as it was given.
class GivenParameters {
 public:
  GivenParameters(const ParameterTexts& texts, std::span<const std::string> declared);

  std::optional<Tokens> value(const std::string& name) const;

 private:
  std::vector<Parameter> _given;
};

}  // namespace dcheck::parse
