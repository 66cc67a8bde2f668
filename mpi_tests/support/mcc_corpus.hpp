#pragma once
// The nets, formulas and agreed answers of the Model Checking Contest beside the project.

#include <gtest/gtest.h>

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

/// A test of the contest's nets: skipped, with where to put them, where they are not there.
class ContestTest : public testing::Test {
 protected:
  void SetUp() override;
};

/// The folder they are in: a folder each.
std::filesystem::path contest_folder();

/// The P/T nets with at most so many states, by name.
std::vector<ContestNet> contest_nets(std::uint64_t most_states = ~std::uint64_t{0});

/// The coloured nets, by name.
std::vector<ContestNet> coloured_contest_nets();

/// The examinations that ask for verdicts: CTL first, then reachability.
const std::vector<std::string>& verdict_examinations();

}  // namespace dcheck::test
