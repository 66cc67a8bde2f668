// Nets of papers one and two have the states that their tables print, at the sizes that are measured there.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

struct Measured {
  std::string name, model;
  std::vector<std::string> parameters;
  std::uint64_t states, arcs;
};

class PaperModels : public testing::TestWithParam<Measured> {};

TEST_P(PaperModels, StatesAreThoseOfTheTable) {
  const Measured& measured = GetParam();
  std::vector<std::string> arguments{model_path(measured.model), "--no-checks", "--quiet", "--json", "-"};
  for (const std::string& parameter : measured.parameters) arguments.insert(arguments.end(), {"-D", parameter});
  const Outcome run = run_dcheck(arguments);
  ASSERT_EQ(run.exit_code, 0) << command_line(arguments) << "\n" << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json.at("states"), measured.states);
  EXPECT_EQ(json.at("arcs"), measured.arcs);
}

std::string name_of(const testing::TestParamInfo<Measured>& info) {
  return info.param.name;
}

// Paper one prints no arcs: those are ours. Three processes are in the Model Checking Contest.
INSTANTIATE_TEST_SUITE_P(DeltaMarkings, PaperModels,
                         testing::Values(Measured{"Dbm12", "database.spn", {"N=12"}, 2'125'765, 15'588'960},
                                         Measured{"Peterson3", "peterson_flags.spn", {"N=3"}, 20'754, 62'262},
                                         Measured{"Peterson4", "peterson_flags.spn", {"N=4"}, 3'407'946, 13'631'784},
                                         Measured{"Leader16", "leader_silent.spn", {"N=16"}, 10'475'430, 117'722'093},
                                         Measured{"Dining13", "dining_chairs.spn", {"N=13"}, 14'741'195, 157'812'343}),
                         name_of);

// SW7,4: the paper has 1 242 386 arcs; see the model for the difference.
INSTANTIATE_TEST_SUITE_P(
    ComBack, PaperModels,
    testing::Values(Measured{"DP22", "dining.spn", {"N=22", "STEP=1"}, 39'604, 481'625},
                    Measured{"DB9", "database.spn", {"N=9", "STEP=1"}, 59'051, 314'947},
                    Measured{"DB10", "database.spn", {"N=10", "STEP=1"}, 196'832, 1'181'001},
                    Measured{"SW7_4", "simple_protocol.spn", {"N=7", "C=4", "STEP=1"}, 215'196, 1'133'846}),
    name_of);

}  // namespace
}  // namespace dcheck::test
