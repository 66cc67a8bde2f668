#pragma once
// The nets, formulas and agreed answers of the Model Checking Contest beside the project.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dcheck::test {

struct ContestNet {
  std::string name;
  std::filesystem::path directory;
  nlohmann::json expected;  // as in expected.json

  std::filesystem::path model() const { return directory / "model.pnml"; }
  std::filesystem::path formulas(const std::string& examination) const { return directory / (examination + ".xml"); }
  std::uint64_t states() const { return expected.at("states"); }
};

/// The P/T nets with at most so many states, by name; empty where the corpus is not there.
std::vector<ContestNet> contest_nets(std::uint64_t most_states = ~std::uint64_t{0});

/// The examinations that ask for verdicts: CTL first, then reachability.
const std::vector<std::string>& verdict_examinations();

}  // namespace dcheck::test
