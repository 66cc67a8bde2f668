// Evidence for every verdict on the contest's smaller nets, and on nets of ours, that has a path as evidence, replayed
// step by step.

#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "dcheck/check/check.hpp"
#include "dcheck/parse/formula.hpp"
#include "support/mcc_corpus.hpp"
#include "support/our_nets.hpp"
#include "support/reference_checker.hpp"
#include "support/replayer.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

struct Replayed {
  std::size_t verdicts = 0, witnesses = 0, steps = 0, left_out = 0;
};

/// The formula and, below boolean combinations, their children: each a property of its own, so that what
/// decides a combination is known.
void add_questions(const Formula& formula, const std::string& id, std::vector<Property>& questions,
                   std::map<const Formula*, std::size_t>& number_of) {
  number_of[&formula] = questions.size();
  questions.push_back({.id = id, .text = id, .formula = formula, .is_upper_bound = false, .bound_of = {}});
  if (formula.kind > Formula::Kind::disjunction) return;
  for (std::size_t c = 0; c < formula.children.size(); ++c)
    add_questions(formula.children[c], id + "." + std::to_string(c), questions, number_of);
}

std::size_t parts_left_out(const Evidence& evidence) {
  std::size_t count = evidence.parts_left_out;
  for (const EvidencePart& part : evidence.parts) count += parts_left_out(part.evidence);
  return count;
}

struct Question {
  std::filesystem::path model;
  std::vector<std::filesystem::path> formulas;
  std::size_t verdicts;  // that are asked for
};

Replayed replay_all(const Question& question) {
  const Model model = read_model(question.model, {});
  std::vector<Property> asked;
  for (const auto& path : question.formulas)
    for (Property& property : read_formulas(path, model))
      if (!property.is_upper_bound) asked.push_back(std::move(property));
  EXPECT_EQ(asked.size(), question.verdicts);
  std::vector<Property> questions;
  std::map<const Formula*, std::size_t> number_of;
  for (const Property& property : asked) add_questions(property.formula, property.id, questions, number_of);

  CheckOptions options;
  options.witness = true;
  const CheckOutcome outcome = check(model.net, questions, options);
  const auto holds = [&](const Formula& formula) {
    return outcome.properties.at(number_of.at(&formula)).verdict == Verdict::holds;
  };
  Replayed replayed;
  for (const auto& [formula, number] : number_of) {
    const PropertyResult& result = outcome.properties.at(number);
    EXPECT_NE(result.verdict, Verdict::unknown) << result.id << ": " << result.reason;
    ++replayed.verdicts;
    if (!result.witness) {
      EXPECT_FALSE(needs_path(*formula, holds)) << result.id << " has no witness";
      continue;
    }
    ++replayed.witnesses;
    replayed.steps += result.witness->path.size();
    replayed.left_out += parts_left_out(*result.witness);
    EXPECT_TRUE(result.witness->has_path()) << result.id;
    const auto reason = refutes(model.net, *formula, holds(*formula), *result.witness);
    EXPECT_EQ(reason, std::nullopt) << result.id << ": " << *reason;
  }
  return replayed;
}

Replayed replay_all(const std::vector<Question>& questions) {
  Replayed total;
  for (const Question& question : questions) {
    SCOPED_TRACE(question.model);
    const Replayed replayed = replay_all(question);
    total.verdicts += replayed.verdicts;
    total.witnesses += replayed.witnesses;
    total.steps += replayed.steps;
    total.left_out += replayed.left_out;
  }
  std::cout << total.witnesses << " witnesses for " << total.verdicts << " verdicts replayed, " << total.steps
            << " steps at the top, " << total.left_out << " parts left out\n";
  return total;
}

class ContestWitnesses : public ContestTest {};

/// All verdicts of these nets.
std::vector<Question> questions_about(const std::vector<ContestNet>& nets) {
  std::vector<Question> questions;
  for (const ContestNet& net : nets) {
    questions.push_back({net.model(), {}, 64});
    for (const std::string& examination : verdict_examinations())
      questions.back().formulas.push_back(net.formulas(examination));
  }
  return questions;
}

TEST_F(ContestWitnesses, EveryVerdictWithAPathAsEvidenceHasOneThatReplays) {
  const std::vector<Question> questions = questions_about(contest_nets(50'000));
  EXPECT_EQ(questions.size(), 33U) << "the corpus in " << shared_dir() << " has 33 P/T nets with at most 50 000 states";
  EXPECT_GT(replay_all(questions).witnesses, 500U);
}

TEST_F(ContestWitnesses, ThoseOfColouredNetsReplayOnTheUnfoldedNet) {
  const std::vector<Question> questions = questions_about(coloured_contest_nets());
  EXPECT_EQ(questions.size(), 12U);
  EXPECT_GT(replay_all(questions).witnesses, 150U);
}

TEST_F(ContestWitnesses, StepsOfColouredNetsNameBindings) {
  const auto model = contest_folder() / "Philosophers-COL-000005" / "model.pnml";
  const Outcome run = run_dcheck({model, "--ctl", "AG !deadlock", "--witness"}, 30);
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_NE(run.out.find("[x="), std::string::npos) << run.out;
}

TEST(WitnessesOnOurNets, EveryVerdictWithAPathAsEvidenceHasOneThatReplays) {
  std::vector<Question> questions;
  for (const OurNet& net : our_nets()) questions.push_back({net.pnml(), {net.formulas()}, 24});
  EXPECT_GE(questions.size(), 8U);
  EXPECT_GT(replay_all(questions).witnesses, 100U);
}

}  // namespace
}  // namespace dcheck::test
