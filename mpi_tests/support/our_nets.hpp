#pragma once
// Models of ours that are given as .spn and as .pnml, with formulas and answers that do not come from dcheck
// (scripts/make-models).

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dcheck/parse/model.hpp"

namespace dcheck::test {

struct OurNet {
  std::string name;
  nlohmann::json expected;  // as in models/expected.json

  std::filesystem::path pnml() const;
  std::filesystem::path formulas() const;
  std::filesystem::path spn() const;
  ParameterTexts parameters() const;  // of the .spn, for the same net
};

/// All of them, by name.
std::vector<OurNet> our_nets();

}  // namespace dcheck::test
