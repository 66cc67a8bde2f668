#include "support/mcc_corpus.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "support/run_dcheck.hpp"

namespace dcheck::test {

void ContestTest::SetUp() {
  if (!std::filesystem::is_directory(contest_folder()))
    GTEST_SKIP() << "the nets of the Model Checking Contest are not there: put them in "
                 << contest_folder().lexically_normal().string()
                 << ", or in mcc/ of the folder that DCHECK_SHARED names";
}

std::filesystem::path contest_folder() {
  return shared_dir() / "mcc";
}

namespace {

/// Those with `kind` in their names.
std::vector<ContestNet> nets_of(std::string_view kind, std::uint64_t most_states) {
  std::vector<ContestNet> nets;
  for (const auto& entry : std::filesystem::directory_iterator(contest_folder())) {
    ContestNet net{entry.path().filename().string(), entry.path(), {}};
    if (net.name.find(kind) == std::string::npos || !std::filesystem::exists(net.model())) continue;
    net.expected = nlohmann::json::parse(std::ifstream(net.directory / "expected.json"));
    if (net.states() <= most_states) nets.push_back(std::move(net));
  }
  std::sort(nets.begin(), nets.end(), [](const ContestNet& a, const ContestNet& b) { return a.name < b.name; });
  return nets;
}

}  // namespace

std::vector<ContestNet> contest_nets(std::uint64_t most_states) {
  return nets_of("-PT-", most_states);
}

std::vector<ContestNet> coloured_contest_nets() {
  return nets_of("-COL-", ~std::uint64_t{0});
}

const std::vector<std::string>& verdict_examinations() {
  static const std::vector<std::string> examinations{"CTLCardinality", "CTLFireability", "ReachabilityCardinality",
                                                     "ReachabilityFireability"};
  return examinations;
}

}  // namespace dcheck::test
