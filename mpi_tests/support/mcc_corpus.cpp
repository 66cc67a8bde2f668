#include "support/mcc_corpus.hpp"

#include <algorithm>
#include <fstream>

#include "support/run_dcheck.hpp"

namespace dcheck::test {

std::vector<ContestNet> contest_nets(std::uint64_t most_states) {
  std::vector<ContestNet> nets;
  const std::filesystem::path corpus = shared_dir() / "mcc";
  if (!std::filesystem::is_directory(corpus)) return nets;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    ContestNet net{entry.path().filename().string(), entry.path(), {}};
    if (net.name.find("-PT-") == std::string::npos || !std::filesystem::exists(net.model())) continue;
    net.expected = nlohmann::json::parse(std::ifstream(net.directory / "expected.json"));
    if (net.states() <= most_states) nets.push_back(std::move(net));
  }
  std::sort(nets.begin(), nets.end(), [](const ContestNet& a, const ContestNet& b) { return a.name < b.name; });
  return nets;
}

const std::vector<std::string>& verdict_examinations() {
  static const std::vector<std::string> examinations{"CTLCardinality", "CTLFireability", "ReachabilityCardinality",
                                                     "ReachabilityFireability"};
  return examinations;
}

}  // namespace dcheck::test
