// The termination protocol as a model: what dcheck says of it, that the reference agrees, and that every rule is
// needed, since without it a property fails on a path that replays.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "dcheck/check/check.hpp"
#include "dcheck/parse/formula.hpp"
#include "support/reference_checker.hpp"
#include "support/replayer.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;
using Names = std::set<std::string>;

struct Ring {
  std::string model;
  int n, m;
  std::uint64_t states, arcs, deadlocks;
  Names failing = {};

  ParameterTexts parameters() const { return {{"N", std::to_string(n)}, {"M", std::to_string(m)}}; }
  Model read() const { return read_model(model_path(model), parameters()); }
};

const std::string right = "token_ring.spn", broken = "token_ring_broken.spn";

const std::vector<Ring> rings{
    {right, 1, 2, 4, 3, 1},
    {right, 2, 1, 48, 77, 3},
    {right, 2, 2, 179, 349, 6},
    {right, 2, 4, 1'297, 3'177, 15},
    {right, 3, 1, 258, 533, 7},
    {right, 3, 2, 2'277, 5'580, 26},
    {right, 3, 3, 13'532, 38'066, 63},
    {right, 4, 2, 14'417, 42'663, 68},
    {broken, 2, 1, 43, 72, 3},
    {broken, 2, 2, 144, 299, 6, {"safe"}},
    {broken, 3, 2, 1'725, 4'639, 26, {"safe"}},
    {broken, 4, 2, 10'648, 34'761, 68, {"safe"}},
    {right, 2, 10, 47'157, 153'629, 66},
    {right, 3, 4, 60'245, 191'094, 124},
    {right, 4, 3, 131'462, 443'240, 215},
    {broken, 4, 3, 74'468, 288'635, 226, {"safe"}},
};

std::string name_of(const testing::TestParamInfo<Ring>& info) {
  const Ring& ring = info.param;
  return ring.model.substr(0, ring.model.find('.')) + "_" + std::to_string(ring.n) + "_ranks_" +
         std::to_string(ring.m) + "_messages";
}

class TokenRing : public testing::TestWithParam<Ring> {};

TEST_P(TokenRing, HasTheKnownCountsAndVerdictsWithAnyLanes) {
  const Ring& ring = GetParam();
  for (const std::string lanes : {"auto", "off", "active[0],in_flight[0],balance[0]"}) {
    std::vector<std::string> arguments{model_path(ring.model), "--lanes", lanes, "--full", "--quiet", "--json", "-"};
    for (const auto& [name, value] : ring.parameters()) arguments.insert(arguments.end(), {"-D", name + "=" + value});
    SCOPED_TRACE(command_line(arguments));
    const Outcome run = run_dcheck(arguments, 120);
    ASSERT_EQ(run.exit_code, ring.failing.empty() ? 0 : 1) << run.err;
    const Json report = Json::parse(run.out);
    EXPECT_EQ(report.at("complete"), true);
    EXPECT_EQ(report.at("states"), ring.states);
    EXPECT_EQ(report.at("arcs"), ring.arcs);
    EXPECT_EQ(report.at("deadlocks"), ring.deadlocks);
    EXPECT_EQ(report.at("properties").size(), ring.model == right ? 9U : 6U);
    for (const Json& property : report.at("properties")) {
      EXPECT_EQ(property.at("verdict"), !ring.failing.contains(property.at("id"))) << property.at("id");
    }
  }
}

TEST_P(TokenRing, HasTheSameCountsAndVerdictsByTheReference) {
  const Ring& ring = GetParam();
  const Model model = ring.read();
  const NaiveGraph graph = explore_naively(model.net, {.states = 200'000});
  ASSERT_TRUE(graph.is_complete());
  EXPECT_EQ(graph.states(), ring.states);
  EXPECT_EQ(graph.arcs, ring.arcs);
  EXPECT_EQ(graph.deadlocks, ring.deadlocks);
  for (const Property& property : model.checks) {
    EXPECT_EQ(satisfying_states(property.formula, model.net, graph).front(), !ring.failing.contains(property.id))
        << property.id;
  }
}

INSTANTIATE_TEST_SUITE_P(Rings, TokenRing, testing::ValuesIn(rings), name_of);

/// The markings along a path; it must be fireable.
std::vector<std::vector<Tokens>> markings_along(const Net& net, const std::vector<Transition>& path) {
  std::vector<std::vector<Tokens>> markings{{net.initial().begin(), net.initial().end()}};
  for (const Transition t : path) {
    if (!is_naively_enabled(net, t, markings.back())) throw std::runtime_error("cannot fire " + net.name(t));
    markings.push_back(fire_naively(net, t, markings.back()));
  }
  return markings;
}

Tokens sum_of(const Net& net, const std::string& family, int n, const std::vector<Tokens>& marking) {
  Tokens sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += marking.at(index(net.find_place(family + "[" + std::to_string(i) + "]").value()));
  }
  return sum;
}

/// Decides one formula by the engine and has the replayer judge its witness, which must be there where it fails.
PropertyResult decided(const Model& model, const Property& property) {
  CheckOptions options;
  options.witness = true;
  options.explore.levels = true;
  const CheckOutcome outcome = check(model.net, {property}, options);
  PropertyResult result = outcome.properties.at(0);
  if (result.verdict != Verdict::fails) return result;
  EXPECT_TRUE(result.witness && !result.witness->path.empty()) << property.id;
  const NaiveGraph graph = explore_naively(model.net);
  EXPECT_TRUE(graph.is_complete());
  const auto reason = refutes(model.net, property.formula, false, result.witness.value(), &graph);
  EXPECT_EQ(reason, std::nullopt) << property.id << ": " << *reason;
  return result;
}

const Property& check_of(const Model& model, const std::string& id) {
  return *std::ranges::find(model.checks, id, &Property::id);
}

/// The last step of the path is the conclusion, and then some rank is active or some message in flight.
void expect_premature_conclusion(const Net& net, int n, const Evidence& evidence) {
  ASSERT_EQ(evidence.kind, Evidence::Kind::path);
  ASSERT_FALSE(evidence.path.empty());
  EXPECT_EQ(net.name(evidence.path.back()), "conclude");
  const auto markings = markings_along(net, evidence.path);
  const std::size_t concluded = index(net.find_place("concluded").value());
  EXPECT_EQ(markings.at(markings.size() - 2).at(concluded), 0);
  EXPECT_EQ(markings.back().at(concluded), 1);
  EXPECT_GT(sum_of(net, "active", n, markings.back()) + sum_of(net, "in_flight", n, markings.back()), 0);
}

TEST(BrokenTokenRing, IsRefutedByAShortestPathToAPrematureConclusion) {
  const std::vector<std::size_t> steps{10, 11, 13};
  for (const int n : {2, 3, 4}) {
    const Ring ring{broken, n, 2, 0, 0, 0};
    const Model model = ring.read();
    const PropertyResult result = decided(model, check_of(model, "safe"));
    ASSERT_EQ(result.verdict, Verdict::fails) << n;
    expect_premature_conclusion(model.net, n, *result.witness);
    EXPECT_EQ(result.witness->path.size(), steps.at(static_cast<std::size_t>(n - 2))) << n;
  }
}

TEST(BrokenTokenRing, IsRefutedOnTheCommandLineWithThePathInTheReport) {
  const Outcome run = run_dcheck({model_path(broken), "--witness", "--levels", "--quiet", "--json", "-"}, 60);
  ASSERT_EQ(run.exit_code, 1) << run.err;
  const Json report = Json::parse(run.out);
  const Json& safe = report.at("properties").at(0);
  EXPECT_EQ(safe.at("id"), "safe");
  EXPECT_EQ(safe.at("verdict"), false);
  EXPECT_EQ(safe.at("witness").at("path").size(), 11U);
  EXPECT_EQ(safe.at("witness").at("path").back().at("transition"), "conclude");
}

TEST(TokenRingWithoutFairness, MayGoRoundForEverWithAMessageInFlight) {
  const Model model = Ring{right, 3, 2, 0, 0, 0}.read();
  const PropertyResult result = decided(model, parse_property("AF concluded == 1", "ends", model));
  ASSERT_EQ(result.verdict, Verdict::fails);
  ASSERT_EQ(result.witness->kind, Evidence::Kind::lasso);
  const auto markings = markings_along(model.net, result.witness->path);
  for (std::size_t at = result.witness->loop; at < markings.size(); ++at) {
    EXPECT_GT(sum_of(model.net, "in_flight", 3, markings[at]), 0) << at;
    EXPECT_EQ(sum_of(model.net, "active", 3, markings[at]), 0) << at;
  }
}

/// The right protocol with one rule changed.
struct Slip {
  std::string name, from, to, failing;
};

class TokenRingWith : public testing::TestWithParam<Slip> {};

TEST_P(TokenRingWith, IsRefutedByAPathThatReplays) {
  const Slip& slip = GetParam();
  std::ifstream file(model_path(right));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::size_t changes = 0;
  for (std::size_t at = 0; (at = text.find(slip.from, at)) != std::string::npos; at += slip.to.size(), ++changes) {
    text.replace(at, slip.from.size(), slip.to);
  }
  ASSERT_GT(changes, 0U) << "the model has no such text any more: " << slip.from;
  const Model model = parse_spn(text, "slip.spn", {{"N", "3"}, {"M", "2"}});
  const PropertyResult result = decided(model, check_of(model, slip.failing));
  ASSERT_EQ(result.verdict, Verdict::fails);
  if (slip.failing == "safe") expect_premature_conclusion(model.net, 3, *result.witness);
}

const std::vector<Slip> slips{
    {"messages_that_do_not_blacken", "balance[i] -> active[i] + colour[i, black]",
     "balance[i] -> active[i] + colour[i, c]", "safe"},
    {"black_ranks_that_leave_the_token_white", "token_colour[c == black ? black : t]", "token_colour[t]", "safe"},
    {"rank_0_blind_to_its_own_colour", "may_conclude = colour[0, white] == 1 &&", "may_conclude =", "safe"},
    {"rank_0_blind_to_the_tokens_colour", "&& token_colour[white] == 1 &&", "&&", "safe"},
    {"rank_0_blind_to_the_count", "&& count + balance[0] == 2*M", "", "safe"},
    {"rank_0_blind_to_its_own_balance", "&& count + balance[0] == 2*M", "&& count == M", "safe"},
    {"active_ranks_that_pass_the_token", "let may_conclude",
     "for i in 1..N-1 { trans hasty[i] when balance[i] == M && colour[i, white] == 1 : token[i] + active[i] -> "
     "token[(i + 1) % N] + active[i]; } let may_conclude",
     "safe"},
    {"ranks_that_stay_black", "+ passive[i] + colour[i, white]", "+ passive[i] + colour[i, c]", "concludes"},
    {"a_token_that_stays_black", "+ token_colour[white] + M * count", "+ token_colour[t] + M * count", "concludes"},
    {"counts_that_run_on", "+ token_colour[white] + M * count", "+ token_colour[white] + s * count", "concludes"},
};

INSTANTIATE_TEST_SUITE_P(Slips, TokenRingWith, testing::ValuesIn(slips),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace dcheck::test
