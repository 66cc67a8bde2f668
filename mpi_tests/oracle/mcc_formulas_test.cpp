// Every answer the Model Checking Contest's tools agree on for its P/T nets, asked of the program.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "support/mcc_corpus.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

constexpr std::size_t known_answers = 3'483;  // 43 nets, 5 files of 16 formulas and the deadlock each
constexpr double patience_seconds = 120;

const std::vector<std::string>& examinations() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names = verdict_examinations();
    names.push_back("UpperBounds");
    return names;
  }();
  return all;
}

struct Answers {
  std::size_t checked = 0;  // compared with a known answer
  std::size_t wrong = 0;    // or missing
  double seconds = 0;
};

/// Every known answer of one examination, compared with what was found under its id.
void compare(const Json& known_by_id, const std::map<std::string, Json>& found, Answers& answers) {
  for (const auto& [id, known] : known_by_id.items()) {
    if (known.is_null()) continue;
    ++answers.checked;
    const auto answer = found.find(id);
    const Json value = answer == found.end() ? Json("no answer") : answer->second;
    if (value != known) ++answers.wrong;
    EXPECT_EQ(value, known) << id;
  }
}

Answers ask(const ContestNet& net, const std::string& lanes) {
  std::vector<std::string> arguments{net.model(), "--lanes", lanes, "--deadlock", "--quiet", "--json", "-"};
  for (const std::string& name : examinations()) arguments.insert(arguments.end(), {"--formulas", net.formulas(name)});
  SCOPED_TRACE(command_line(arguments));
  const Outcome run = run_dcheck(arguments, patience_seconds);
  EXPECT_FALSE(run.timed_out);
  EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1) << "exit " << run.exit_code << ": " << run.err;

  std::map<std::string, Json> found;
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << run.err;
  if (!report.is_discarded()) {
    for (const Json& property : report.at("properties"))
      found[property.at("id")] = property.contains("bound") ? property.at("bound") : property.at("verdict");
  }
  Answers answers{.seconds = run.cpu_seconds};
  for (const std::string& name : examinations()) compare(net.expected.at(name), found, answers);
  compare(net.expected.at("ReachabilityDeadlock"), found, answers);
  return answers;
}

Answers ask_all(const std::vector<ContestNet>& nets, const std::string& lanes) {
  Answers total;
  for (const ContestNet& net : nets) {
    const Answers answers = ask(net, lanes);
    std::cout << net.name << ": " << answers.checked << " answers, " << answers.wrong << " wrong or missing, "
              << answers.seconds << " s\n";
    total.checked += answers.checked;
    total.wrong += answers.wrong;
    total.seconds += answers.seconds;
  }
  std::cout << total.checked << " known answers on " << nets.size() << " nets checked, " << total.wrong
            << " wrong or missing, lanes " << lanes << ", " << total.seconds << " s\n";
  return total;
}

class ContestFormulas : public ContestTest {};

TEST_F(ContestFormulas, EveryKnownAnswerIsGivenInLanes) {
  const auto nets = contest_nets();
  EXPECT_EQ(nets.size(), 43U) << "the corpus in " << shared_dir() << " has 43 P/T nets";
  const Answers answers = ask_all(nets, "auto");
  EXPECT_GE(answers.checked, known_answers);
  EXPECT_EQ(answers.wrong, 0U);
}

TEST_F(ContestFormulas, EveryKnownAnswerForColouredNetsIsGivenWithLanesAndWithout) {
  const auto nets = coloured_contest_nets();
  EXPECT_EQ(nets.size(), 12U) << "the corpus in " << shared_dir() << " has 12 coloured nets";
  for (const std::string lanes : {"auto", "off"}) {
    const Answers answers = ask_all(nets, lanes);
    EXPECT_EQ(answers.checked, nets.size() * 81);
    EXPECT_EQ(answers.wrong, 0U);
  }
}

TEST_F(ContestFormulas, EveryKnownAnswerOfNetsUpTo50000StatesIsGivenWithoutLanes) {
  const auto nets = contest_nets(50'000);
  EXPECT_EQ(nets.size(), 33U);
  const Answers answers = ask_all(nets, "off");
  EXPECT_EQ(answers.checked, nets.size() * 81);
  EXPECT_EQ(answers.wrong, 0U);
}

TEST_F(ContestFormulas, CtlFireabilityTakesSecondsAtMostAndMostlyLessThanOne) {
  std::vector<double> seconds;
  for (const ContestNet& net : contest_nets()) {
    const Outcome run = run_dcheck({net.model(), "--formulas", net.formulas("CTLFireability"), "--quiet"}, 60);
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1) << net.name << ": exit " << run.exit_code << " " << run.err;
    EXPECT_LT(run.cpu_seconds, 10) << net.name;
    seconds.push_back(run.cpu_seconds);
  }
  ASSERT_FALSE(seconds.empty());
  std::sort(seconds.begin(), seconds.end());
  std::cout << "median " << seconds[seconds.size() / 2] << " s, slowest " << seconds.back() << " s\n";
  EXPECT_LT(seconds[seconds.size() / 2], 1);
}

}  // namespace
}  // namespace dcheck::test
