#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dcheck/ctl/text.hpp"
#include "dcheck/net/net_builder.hpp"
#include "dcheck/report/report.hpp"
#include "report/printable.hpp"

namespace dcheck {
namespace {

using Json = nlohmann::json;
using Kind = Formula::Kind;

constexpr Transition go{0}, back{1}, stop{2}, wait{3};

/// idle (2 tokens) <--go, back--> busy ; stop: 2 busy -> done ; wait: busy -> busy
Net work_net() {
  NetBuilder builder("work");
  const Place idle = builder.add_place("idle", 2);
  const Place busy = builder.add_place("busy");
  const Place done = builder.add_place("done");
  builder.add_place("bell", 1);
  const auto add = [&builder](const char* name, Place from, Tokens taken, Place to) {
    const Transition t = builder.add_transition(name);
    builder.add_input(t, from, taken);
    builder.add_output(t, to, 1);
  };
  add("go", idle, 1, busy);
  add("back", busy, 1, idle);
  add("stop", busy, 2, done);
  add("wait", busy, 1, busy);
  return builder.build();
}

Formula has_tokens(std::uint32_t place, Tokens tokens) {
  return Formula::atom_of(Expression::of(
      Expression::Kind::equal, {Expression::tokens_in(static_cast<Place>(place)), Expression::constant_of(tokens)}));
}

Formula is_dead() {
  return Formula::atom_of(Expression::of(Expression::Kind::deadlock));
}

Evidence shown_by_marking(Formula atom, bool holds = true) {
  return {.claim = std::move(atom), .holds = holds};
}

/// EF deadlock, by go, go, stop.
Evidence path_to_deadlock() {
  return {.claim = Formula::of(Kind::ef, {is_dead()}),
          .kind = Evidence::Kind::path,
          .path = {go, go, stop},
          .parts = {{3, 0, shown_by_marking(is_dead())}}};
}

/// A[true U done == 1] fails: go, then go and back for ever.
Evidence lasso_beside_done() {
  return {.claim = Formula::of(Kind::af, {has_tokens(2, 1)}),
          .holds = false,
          .kind = Evidence::Kind::lasso,
          .path = {go, go, back},
          .loop = 1};
}

/// AG !(busy == 1 && EG busy == 1 && AF done == 1) fails, in words: after one step there is a state with
/// all three. (The last is not so, but nobody can see it from the evidence.)
Evidence nested_tree() {
  const Formula busy = has_tokens(1, 1);
  const Formula stays = Formula::of(Kind::eg, {busy});
  const Formula ends = Formula::of(Kind::af, {has_tokens(2, 1)});
  const Formula all = Formula::of(Kind::conjunction, {busy, stays, ends});
  const Formula none = Formula::of(Kind::negation, {all});
  const Evidence lasso{
      .claim = stays, .kind = Evidence::Kind::lasso, .path = {wait}, .parts = {{0, 0, shown_by_marking(busy)}}};
  const Evidence unseen{.claim = ends, .kind = Evidence::Kind::all_paths};
  const Evidence both{.claim = all,
                      .kind = Evidence::Kind::parts,
                      .parts = {{0, 0, shown_by_marking(busy)}, {0, 1, lasso}, {0, 2, unseen}}};
  const Evidence other_way_round{.claim = none, .holds = false, .kind = Evidence::Kind::parts, .parts = {{0, 0, both}}};
  return {.claim = Formula::of(Kind::ag, {none}),
          .holds = false,
          .kind = Evidence::Kind::path,
          .path = {go},
          .parts = {{1, 0, other_way_round}}};
}

RunReport report_with(const Net& net, Evidence witness) {
  RunReport report;
  report.net = &net;
  report.exploration.complete = true;
  report.properties = {{.id = "it",
                        .formula = text_of(witness.claim, net),
                        .verdict = witness.holds ? Verdict::holds : Verdict::fails,
                        .seconds = 0.0125,
                        .witness = std::move(witness)}};
  return report;
}

/// What stands between the property's own line and the figures.
std::string witness_text(const Net& net, Evidence witness) {
  std::string text = text_report(report_with(net, std::move(witness)));
  const std::size_t line = text.find("12.5 ms\n");
  if (line == std::string::npos) return text;
  const std::size_t begin = line + 8;
  return text.substr(begin, text.rfind("\n\n") + 1 - begin);
}

Json witness_json(const Net& net, Evidence witness) {
  return Json::parse(json_report(report_with(net, std::move(witness)))).at("properties").at(0).at("witness");
}

TEST(WitnessText, NumbersTheStepsOfAPathAndGivesOnlyThePlacesThatChange) {
  EXPECT_EQ(witness_text(work_net(), path_to_deadlock()), R"(      starts in: idle=2 bell=1
      1  go    idle 2 -> 1, busy 0 -> 1
      2  go    idle 1 -> 0, busy 1 -> 2
      3  stop  busy 2 -> 0, done 0 -> 1
         holds here: deadlock
)");
}

TEST(WitnessText, MarksWhereALassoRepeats) {
  EXPECT_EQ(witness_text(work_net(), lasso_beside_done()), R"(      starts in: idle=2 bell=1
      1  go    idle 2 -> 1, busy 0 -> 1
         from here on the path repeats
      2  go    idle 1 -> 0, busy 1 -> 2
      3  back  idle 0 -> 1, busy 2 -> 1
         back at 1
)");
}

TEST(WitnessText, IndentsNestedPartsAtTheirPositionWithTheClaimInWords) {
  EXPECT_EQ(witness_text(work_net(), nested_tree()), R"(      starts in: idle=2 bell=1
      1  go  idle 2 -> 1, busy 0 -> 1
         fails here: !(busy == 1 && EG busy == 1 && AF done == 1)
           holds here: busy == 1 && EG busy == 1 && AF done == 1
             holds here: busy == 1
             holds here: EG busy == 1
                  from here on the path repeats
                  holds here: busy == 1
               1  wait  nothing changes
                  back at 0
             holds here: AF done == 1  (on every path: nothing to show)
)");
}

TEST(WitnessText, SaysThatAPathCanGoNoFurther) {
  Evidence evidence = path_to_deadlock();
  evidence.claim = Formula::of(Kind::af, {has_tokens(2, 5)});
  evidence.holds = false;
  evidence.parts.clear();
  evidence.parts_left_out = 1200;
  const std::string text = witness_text(work_net(), evidence);
  EXPECT_TRUE(text.ends_with(R"(      3  stop  busy 2 -> 0, done 0 -> 1
         deadlock: no transition is fireable
         1,200 more parts are left out
)")) << text;
  evidence.path.pop_back();
  EXPECT_EQ(witness_text(work_net(), evidence).find("deadlock"), std::string::npos);
}

TEST(WitnessText, ShowsAClaimThatIsTrueAtOnceWithoutAStep) {
  const Evidence evidence{.claim = Formula::of(Kind::ef, {has_tokens(3, 1)}),
                          .kind = Evidence::Kind::path,
                          .parts = {{0, 0, shown_by_marking(has_tokens(3, 1))}}};
  EXPECT_EQ(witness_text(work_net(), evidence), R"(      starts in: idle=2 bell=1
      holds here: bell == 1
)");
}

TEST(WitnessText, CutsALongInitialMarkingAndSaysByHowMuch) {
  NetBuilder builder("wide");
  for (int i = 0; i < 1000; ++i) builder.add_place("place_" + std::to_string(i), i % 2);
  const Net net = builder.build();
  const std::string text = witness_text(net, {.claim = is_dead()});
  EXPECT_LE(width_of(text), 100U) << text;
  EXPECT_TRUE(text.starts_with("      starts in: place_1=1 place_3=1 ")) << text;
  EXPECT_TRUE(text.ends_with(" … 493 more\n")) << text;
}

TEST(WitnessText, PrintsALongPathWhole) {
  Evidence evidence = lasso_beside_done();
  evidence.path.clear();
  for (int i = 0; i < 100'000; ++i) evidence.path.insert(evidence.path.end(), {go, back});
  evidence.loop = 0;
  const std::string text = witness_text(work_net(), evidence);
  EXPECT_TRUE(text.find("\n      200000  back  idle 1 -> 2, busy 1 -> 0\n") != std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 200'003);
}

TEST(WitnessJson, HasEveryFieldOfTheContract) {
  const Json json = witness_json(work_net(), lasso_beside_done());
  EXPECT_EQ(json, Json::parse(R"({
    "claim": "AF done == 1", "holds": false, "kind": "lasso", "loop": 1, "parts": [], "parts_left_out": 0,
    "path": [{"transition": "go", "changes": {"idle": [2, 1], "busy": [0, 1]}},
             {"transition": "go", "changes": {"idle": [1, 0], "busy": [1, 2]}},
             {"transition": "back", "changes": {"idle": [0, 1], "busy": [2, 1]}}]})"));
}

TEST(WitnessJson, IsNullWithoutAWitnessAndALoopIsNullWithoutALasso) {
  const Net net = work_net();
  RunReport report = report_with(net, path_to_deadlock());
  EXPECT_TRUE(Json::parse(json_report(report)).at("properties").at(0).at("witness").at("loop").is_null());
  report.properties[0].witness.reset();
  EXPECT_TRUE(Json::parse(json_report(report)).at("properties").at(0).at("witness").is_null());
}

TEST(WitnessJson, NestedPartsStartAtTheMarkingOfTheirPosition) {
  Evidence evidence = path_to_deadlock();
  evidence.claim = Formula::of(Kind::eu, {Formula::of(Kind::ex, {has_tokens(1, 2)}), is_dead()});
  const auto one_step = [](Transition t, Tokens idle_after) {
    return Evidence{.claim = Formula::of(Kind::ex, {has_tokens(0, idle_after)}),
                    .kind = Evidence::Kind::path,
                    .path = {t},
                    .parts = {{1, 0, shown_by_marking(has_tokens(0, idle_after))}}};
  };
  evidence.parts.push_back({2, 0, one_step(back, 1)});
  evidence.parts.push_back({1, 0, one_step(go, 0)});
  const Json json = witness_json(work_net(), evidence);
  const Json& parts = json.at("parts");
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts.at(0).at("at"), 1);
  EXPECT_EQ(parts.at(0).at("evidence").at("path").at(0).at("changes").at("busy"), Json::array({1, 2}));
  EXPECT_EQ(parts.at(0).at("evidence").at("parts").at(0).at("evidence").at("kind"), "marking");
  EXPECT_EQ(parts.at(1).at("at"), 2);
  EXPECT_EQ(parts.at(1).at("evidence").at("path").at(0).at("changes").at("idle"), Json::array({0, 1}));
  EXPECT_EQ(parts.at(2).at("at"), 3);
  EXPECT_EQ(json.at("path").at(2).at("changes").at("busy"), Json::array({2, 0}));
}

TEST(WitnessJson, NamesEveryKind) {
  const Json all = witness_json(work_net(), nested_tree()).at("parts").at(0).at("evidence").at("parts").at(0);
  EXPECT_EQ(all.at("evidence").at("kind"), "parts");
  EXPECT_EQ(all.at("evidence").at("parts").at(0).at("evidence").at("kind"), "marking");
  EXPECT_EQ(all.at("evidence").at("parts").at(1).at("evidence").at("kind"), "lasso");
  EXPECT_EQ(all.at("evidence").at("parts").at(2).at("evidence").at("kind"), "all_paths");
  EXPECT_EQ(all.at("evidence").at("parts").at(2).at("child"), 2);
}

TEST(WitnessJson, EveryPropertyGetsItsOwnEvidence) {
  const Net net = work_net();
  RunReport report = report_with(net, path_to_deadlock());
  report.properties.push_back({.id = "\"witness\": true", .formula = "\"witness\": true"});
  report.properties.push_back(report_with(net, lasso_beside_done()).properties[0]);
  report.parameters = {{"witness", 1}, {"unbounded", 1}};
  report.exploration.unbounded = UnboundedEvidence{Place{0}, {go}, {back}};
  const Json json = Json::parse(json_report(report));
  EXPECT_EQ(json.at("unbounded").at("pump").at(0).at("transition"), "back");
  const Json& properties = json.at("properties");
  EXPECT_EQ(properties.at(0).at("witness").at("kind"), "path");
  EXPECT_TRUE(properties.at(1).at("witness").is_null());
  EXPECT_EQ(properties.at(2).at("witness").at("kind"), "lasso");
}

void expect_refused(const Evidence& evidence) {
  const Net net = work_net();
  EXPECT_THROW(text_report(report_with(net, evidence)), std::logic_error);
  EXPECT_THROW(json_report(report_with(net, evidence)), std::logic_error);
}

TEST(WitnessReport, RefusesEvidenceThatDoesNotReplay) {
  Evidence not_enabled = path_to_deadlock();
  not_enabled.path[1] = stop;
  expect_refused(not_enabled);

  Evidence below = nested_tree();
  below.path = {go, back};
  below.parts[0].at = 2;  // where `wait` of the lasso inside is not enabled
  expect_refused(below);

  Evidence beyond_the_end = path_to_deadlock();
  beyond_the_end.parts[0].at = 4;
  expect_refused(beyond_the_end);
}

TEST(WitnessReport, RefusesALassoThatDoesNotReturn) {
  Evidence open = lasso_beside_done();
  open.loop = 0;
  expect_refused(open);
  open.loop = 3;
  expect_refused(open);
}

TEST(WitnessReport, NamesCannotForgeLinesOrBreakTheJson) {
  NetBuilder builder("n");
  const Place place = builder.add_place("p\n  holds  it\x1b[2J", 1);
  const Transition t = builder.add_transition("caf\xE9 \"é\"");
  builder.add_input(t, place, 1);
  const Net net = builder.build();
  const Evidence evidence{.claim = Formula::of(Kind::ef, {is_dead()}), .kind = Evidence::Kind::path, .path = {t}};
  EXPECT_EQ(witness_text(net, evidence), R"(      starts in: p\x0a  holds  it\x1b[2J=1
      1  caf\xe9 "é"  p\x0a  holds  it\x1b[2J 1 -> 0
)");
  const Json step = witness_json(net, evidence).at("path").at(0);
  EXPECT_EQ(step.at("transition"), "caf\uFFFD \"é\"");
  EXPECT_EQ(step.at("changes").at("p\n  holds  it\x1b[2J"), Json::array({1, 0}));
}

TEST(Printable, EscapesWhatIsNoCharacterAndKeepsTheRest) {
  EXPECT_EQ(printable("aé€😀"), "aé€😀");
  EXPECT_EQ(printable(std::string("\0\x7F", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"), "\\u009b");
  EXPECT_EQ(printable("\xC0\x80 \xED\xA0\x80 \xE2\x82"), "\\xc0\\x80 \\xed\\xa0\\x80 \\xe2\\x82");
  EXPECT_EQ(printable("\xF4\x90\x80\x80\xFF"), "\\xf4\\x90\\x80\\x80\\xff");
  EXPECT_EQ(printable_line("  AG\n\t(a  && b)\r\n"), "AG (a && b)");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(cut_to("äöü", 3), "äöü");
  EXPECT_EQ(cut_to("äöüß", 3), "äö…");
  EXPECT_EQ(cut_to("äöüß", 1), "…");
  EXPECT_EQ(cut_to("äöüß", 0), "");
  EXPECT_EQ(width_of("äöüß"), 4U);
}

}  // namespace
}  // namespace dcheck
