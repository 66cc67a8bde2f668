#include "dcheck/report/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dcheck/net/net_builder.hpp"
#include "report/format.hpp"
#include "report/path.hpp"
#include "report/printable.hpp"
#include "unit/report_test_support.hpp"

namespace dcheck {
namespace {

RunReport report_of_chains(const Net& net) {
  RunReport report = complete_report(net);
  report.exploration.key_bits = 316;
  report.exploration.rows = 1'000'000;
  report.exploration.store_bytes = 8'000'000;
  report.exploration.store.kind = StoreChoice::Kind::delta;
  report.exploration.store.k = 20;
  StoreFigures& figures = report.exploration.store_figures;
  figures.index_bytes = 4'000'000;
  figures.link_bytes = 3'000'000;
  figures.key_bytes = 900'000;
  figures.cache_bytes = 100'000;
  figures.explicit_rows = 60'000;
  figures.explicit_by_k = 50'000;
  figures.explicit_without_parent = 9'000;
  figures.explicit_by_label = 1'000;
  figures.chain_links = 9'500'000;
  figures.longest_chain = 19;
  return report;
}

RunReport unbounded_report(const Net& net) {
  RunReport report;
  report.net = &net;
  report.exploration.stop_reason = "c is unbounded";
  report.exploration.unbounded = UnboundedEvidence{Place{2}, {Transition{0}}, {Transition{1}}};
  return report;
}

TEST(Format, SeparatesThousands) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(384'392'800), "384,392,800");
  EXPECT_EQ(with_separators(18'446'744'073'709'551'615U), "18,446,744,073,709,551,615");
}

TEST(Format, ChoosesUnitsThatKeepThreeDigits) {
  EXPECT_EQ(as_bytes(1023), "1023 bytes");
  EXPECT_EQ(as_bytes(1024), "1.00 KiB");
  EXPECT_EQ(as_bytes(std::uint64_t{300} << 20), "300 MiB");
  EXPECT_EQ(as_bytes(std::uint64_t{1023} << 20), "1.00 GiB");
  EXPECT_EQ(as_si(17), "17.0");
  EXPECT_EQ(as_si(292e6), "292 M");
  EXPECT_EQ(as_si(999.7), "1.00 k");
  EXPECT_EQ(as_duration(0.0125), "12.5 ms");
  EXPECT_EQ(as_duration(1.3), "1.30 s");
  EXPECT_EQ(as_duration(250), "4 min 10 s");
  EXPECT_EQ(as_duration(7380), "2 h 03 min");
  EXPECT_EQ(as_ratio(5, 0), "-");
  EXPECT_EQ(as_ratio(1, 2), "0.50");
}

TEST(TextReport, IsTheNetTheVerdictsAndAFewFigures) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.peak_rss_bytes = {std::uint64_t{249} << 20};
  report.check_seconds = 2.43;
  report.total_seconds = 4.04;
  report.properties = {{.id = "home", .formula = "AG EF initial", .verdict = Verdict::holds, .seconds = 2.43}};
  EXPECT_EQ(text_report(report), R"(growing: 3 places, 2 transitions, N = 9

  holds  home  AG EF initial  2.43 s

  states                    384,392,800
  arcs       18,446,744,073,709,551,615
  deadlocks                           0
  tokens                              7   at most in one place (b), 8 in one marking
  memory                        249 MiB   states take 1.00 bytes each
  time                           4.04 s   explore 1.30 s, 296 M states/s; check 2.43 s
)");
}

TEST(TextReport, WithDetailsTellsAlsoHowItWasDone) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.exploration.plan = "3 places: 1 in the key\nleaf: none";
  report.exploration.worklist_bytes = 1 << 20;
  report.parse_seconds = 0.5;
  const std::string brief = text_report(report), full = text_report(report, Detail::full);
  for (const char* detail :
       {"\n  rows                     1,747,240   220 states a row, 220 lanes\n", "\n  row visits ",
        "\n  row operations ", "\n    3 places: 1 in the key\n    leaf: none\n", "\n  store ", "packed, 0 bits a key",
        "\n  payload ", "\n  worklist, plan            1.00 MiB\n", "\n  parse                       500 ms\n",
        "\n  plan ", "\n  explore                     1.30 s   296 M states/s, "}) {
    EXPECT_TRUE(has(full, detail)) << detail << full;
    EXPECT_FALSE(has(brief, detail)) << detail << brief;
  }
  for (const char* figure : {"384,392,800", "18,446,744,073,709,551,615", "\n  deadlocks ", "in one place (b)",
                             "\n  memory ", "\n  time "}) {
    EXPECT_TRUE(has(full, figure)) << figure << full;
    EXPECT_TRUE(has(brief, figure)) << figure << brief;
  }
}

TEST(TextReport, CountsOfAPartAreLowerBounds) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.exploration.complete = false;
  report.exploration.stop_reason = "it was enough";
  report.exploration.states = 1000;
  report.exploration.arcs = 2000;
  std::string text = text_report(report);
  EXPECT_TRUE(has(text, "\nstopped: it was enough\n")) << text;
  EXPECT_TRUE(has(text, R"(
  states     at least 1,000   not all were reached
  arcs       at least 2,000
  deadlocks     none so far
  tokens         at least 7   in one place (b), at least 8 in one marking
)")) << text;
  report.exploration.deadlocks = 1;
  EXPECT_TRUE(has(text_report(report), "\n  deadlocks      at least 1\n")) << text_report(report);
  report.exploration.is_enough = true;
  text = text_report(report);
  EXPECT_FALSE(has(text, "stopped")) << text;
  EXPECT_TRUE(has(text, "at least 1,000   all that was asked is decided; --full explores the rest\n")) << text;
}

TEST(TextReport, OnlyACompleteCountMaySayThatNoPlaceIsEverMarked) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.exploration.max_tokens = {0, 0, 0};
  EXPECT_TRUE(has(text_report(report), "no place is ever marked"));
  report.exploration.complete = false;
  EXPECT_FALSE(has(text_report(report), "ever marked")) << text_report(report);
  report.exploration = {};
  report.exploration.stop_reason = "too little memory";
  const std::string text = text_report(report);
  EXPECT_FALSE(has(text, "tokens") || has(text, "arcs")) << text;
  EXPECT_TRUE(has(text, "  states     none   nothing was explored\n")) << text;
  EXPECT_TRUE(has(text, "\nstopped: too little memory\n")) << text;
}

TEST(TextReport, SaysWhatWasAskedForInVain) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.exploration.remark = "--lanes: a follows from b";
  EXPECT_TRUE(has(text_report(report), "\n\n--lanes: a follows from b\n\n")) << text_report(report);
}

TEST(TextReport, ShowsTheUnboundedPlaceAndThePathWithItsChanges) {
  const Net net = growing_net();
  const std::string text = text_report(unbounded_report(net));
  EXPECT_TRUE(has(text, "unbounded: c ")) << text;
  EXPECT_TRUE(has(text, "a 1 -> 0, b 0 -> 1")) << text;
  EXPECT_TRUE(has(text, "c 0 -> 2")) << text;
  EXPECT_TRUE(has(text, "stopped: c is unbounded")) << text;
}

TEST(TextReport, CutsALongPathInTheMiddleAndSaysByHowMuch) {
  const Net net = growing_net();
  RunReport report = unbounded_report(net);
  report.exploration.unbounded->pump.assign(1000, Transition{1});
  const std::string text = text_report(report);
  EXPECT_TRUE(has(text, "940 more steps")) << text;
  EXPECT_TRUE(has(text, "c 1998 -> 2000")) << text;
}

/// The lines between the heading and the figures.
std::string verdict_lines(const Net& net, std::vector<PropertyResult> properties) {
  RunReport report = complete_report(net);
  report.properties = std::move(properties);
  const std::string text = text_report(report);
  const std::size_t begin = text.find("\n\n") + 2;
  return text.substr(begin, text.rfind("\n\n") + 1 - begin);
}

TEST(TextReport, BeginsWithAlignedVerdictsReasonsAndBounds) {
  const std::vector<PropertyResult> properties{
      {.id = "home", .formula = "AG EF initial", .reason = "it is too early", .seconds = 1.5},
      {.id = "dead", .formula = "EF deadlock", .verdict = Verdict::fails, .sat_states = 59'049, .seconds = 0.0125},
      {.id = "a", .formula = "E[\n  a == 1\n  U b == 1]", .verdict = Verdict::holds, .seconds = 0.25},
      {.id = "most", .formula = "a + b", .is_upper_bound = true, .bound = 5, .seconds = 0.25},
      {.id = "least", .formula = "c", .reason = "c is unbounded", .is_upper_bound = true}};
  EXPECT_EQ(verdict_lines(growing_net(), properties), R"(  unknown  home   AG EF initial         1.50 s
      because it is too early
  fails    dead   EF deadlock          12.5 ms  holds in 59,049 states
  holds    a      E[ a == 1 U b == 1]   250 ms
  bound 5  most   a + b                 250 ms
  unknown  least  c                    0.00 ms
      because c is unbounded

  1 holds, 1 fails, 1 bound, 2 unknown
)");
}

TEST(TextReport, OfManyPropertiesTellsHowManyHoldAndFailAndASharedReasonOnce) {
  std::vector<PropertyResult> properties;
  for (int i = 0; i < 16; ++i)
    properties.push_back({.id = "f" + std::to_string(i),
                          .formula = "EF a == " + std::to_string(i),
                          .verdict = i < 12   ? Verdict::holds
                                     : i < 14 ? Verdict::fails
                                              : Verdict::unknown,
                          .reason = i < 14 ? "" : "it is too early"});
  const std::string lines = verdict_lines(growing_net(), properties);
  EXPECT_TRUE(lines.ends_with(R"(
  unknown  f15  EF a == 15  0.00 ms

  12 hold, 2 fail, 2 unknown
  unknown because it is too early
)")) << lines;
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 16 + 3) << lines;
  properties.resize(3);
  EXPECT_FALSE(has(verdict_lines(growing_net(), properties), "3 hold"));
}

TEST(TextReport, AReasonThatAPropertyHasGivenIsNotGivenAgain) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.exploration.complete = false;
  report.exploration.stop_reason = "the time is over";
  report.properties = {{.id = "p", .formula = "AF a == 0", .reason = "not all was seen: the time is over"}};
  const std::string text = text_report(report);
  EXPECT_TRUE(has(text, "because not all was seen: the time is over\n")) << text;
  EXPECT_FALSE(has(text, "stopped")) << text;
}

TEST(TextReport, CutsALongFormulaToTheWidthOfTheReport) {
  std::string formula = "AG (a == 1";
  for (int i = 0; i < 1000; ++i) formula += " && a == 1";
  const PropertyResult property{.id = std::string(38, 'i'), .formula = formula + ")", .verdict = Verdict::holds};
  const std::string line = verdict_lines(growing_net(), {property});
  EXPECT_EQ(width_of(line), 101U) << line;  // with the line end
  EXPECT_TRUE(has(line, " a…  0.00 ms\n") || has(line, "…  0.00 ms\n")) << line;
}

TEST(TextReport, OfChainsTellsWhereBytesAreAndWhichRowsHaveTheirKeys) {
  const Net net = growing_net();
  const std::string text = text_report(report_of_chains(net), Detail::full);
  EXPECT_TRUE(has(text, "delta with k = 20, 316 bits a key, 8.00 bytes a row\n")) << text;
  EXPECT_TRUE(has(text, "index 4.00, links 3.00, keys 0.90, cache 0.10 bytes a row")) << text;
  EXPECT_TRUE(has(text, "chains have 9.50 links, 19 at most\n")) << text;
  EXPECT_TRUE(has(text, "60,000   with their keys: 50,000 by k, 9,000 for want of a parent, 1,000 by label\n")) << text;
}

TEST(JsonReport, OfChainsHasTheirFigures) {
  const Net net = growing_net();
  const auto packed = nlohmann::json::parse(json_report(complete_report(net))).at("store");
  EXPECT_EQ(packed.at("kind"), "packed");
  EXPECT_FALSE(packed.contains("k"));
  const auto store = nlohmann::json::parse(json_report(report_of_chains(net))).at("store");
  EXPECT_EQ(store.at("kind"), "delta");
  EXPECT_EQ(store.at("k"), 20);
  EXPECT_EQ(store.at("bytes_per_row"), 8.0);
  EXPECT_EQ(store.at("mean_chain"), 9.5);
  EXPECT_EQ(store.at("longest_chain"), 19);
  EXPECT_EQ(store.at("explicit_by_k"), 50'000);
  for (const char* field : {"hash_bits", "index_bytes", "link_bytes", "key_bytes", "cache_bytes", "explicit_rows",
                            "explicit_without_parent", "explicit_by_label", "parents_found", "updated_predecessors",
                            "comparisons", "comparison_links", "reads", "read_links", "cache_hits"})
    EXPECT_TRUE(store.at(field).is_number_unsigned()) << field;
}

TEST(JsonReport, HasEveryFieldOfTheContract) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.properties = {{.id = "dead", .formula = "EF deadlock", .verdict = Verdict::holds}};
  const auto json = nlohmann::json::parse(json_report(report));
  for (const char* field :
       {"dcheck",    "model",   "ranks",      "complete",   "states",          "arcs",    "deadlocks",
        "rows",      "lanes",   "properties", "store",      "bytes_per_state", "payload", "max_tokens_in_place",
        "memory",    "traffic", "balance",    "row_visits", "row_operations",  "seconds", "max_tokens_in_marking",
        "unbounded", "levels",  "resumed"}) {
    EXPECT_TRUE(json.contains(field)) << field;
  }
  for (const char* field : {"id", "formula", "verdict", "sat_states", "seconds", "witness"}) {
    EXPECT_TRUE(json.at("properties").at(0).contains(field)) << field;
  }
  for (const char* field : {"parse", "plan", "explore", "check", "total"}) {
    EXPECT_TRUE(json.at("seconds").at(field).is_number()) << field;
  }
  EXPECT_EQ(json.at("model").at("parameters").at("N"), 9);
  EXPECT_EQ(json.at("max_tokens_in_place"), 7);
  EXPECT_DOUBLE_EQ(json.at("bytes_per_state"), 1.0);
}

TEST(JsonReport, KeepsCountsBeyondDoublePrecisionExact) {
  const Net net = growing_net();
  EXPECT_TRUE(has(json_report(complete_report(net)), "\"arcs\": 18446744073709551615"));
}

TEST(Report, GivesTheDeepestLevelOnlyWhereLevelsWereKept) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  EXPECT_TRUE(nlohmann::json::parse(json_report(report)).at("levels").is_null());
  EXPECT_FALSE(has(text_report(report), "levels"));
  report.exploration.levels = 1234;
  report.exploration.arcs = 5678;
  EXPECT_EQ(nlohmann::json::parse(json_report(report)).at("levels"), 1234);
  EXPECT_TRUE(
      has(text_report(report, Detail::full), "  levels                       1,234   steps to the farthest state\n"));
}

TEST(JsonReport, GivesNullVerdictsAReasonAndKnownOnesNone) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.properties = {{.id = "open", .formula = "AF a == 0", .reason = "too early"},
                       {.id = "done", .formula = "EF deadlock", .verdict = Verdict::fails},
                       {.id = "most", .formula = "bound a", .is_upper_bound = true, .bound = 5}};
  const auto properties = nlohmann::json::parse(json_report(report)).at("properties");
  EXPECT_TRUE(properties.at(0).at("verdict").is_null());
  EXPECT_EQ(properties.at(0).at("reason"), "too early");
  EXPECT_EQ(properties.at(1).at("verdict"), false);
  EXPECT_FALSE(properties.at(1).contains("reason"));
  EXPECT_EQ(properties.at(2).at("bound"), 5);
  EXPECT_FALSE(properties.at(2).contains("verdict"));
}

TEST(JsonReport, ShowsTheUnboundedEvidenceStepByStep) {
  const Net net = growing_net();
  const auto json = nlohmann::json::parse(json_report(unbounded_report(net)));
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_EQ(json.at("stop_reason"), "c is unbounded");
  const auto& evidence = json.at("unbounded");
  EXPECT_EQ(evidence.at("place"), "c");
  EXPECT_EQ(evidence.at("prefix").at(0).at("transition"), "move");
  EXPECT_EQ(evidence.at("pump").at(0).at("changes").at("c"), nlohmann::json::array({0, 2}));
}

TEST(JsonReport, SurvivesNamesThatAreNotUtf8) {
  NetBuilder builder("caf\xE9");
  builder.add_place("p", 1);
  const Net net = builder.build();
  RunReport report;
  report.net = &net;
  EXPECT_TRUE(nlohmann::json::accept(json_report(report)));
}

RunReport report_of_test(const Net& net) {
  RunReport report = complete_report(net);
  report.properties.clear();
  report.test = TestResult{.kind = PaperTest::au, .sat_states = 90'816, .eating_states = 66'048, .seconds = 1.5};
  return report;
}

TEST(TextReport, ATestIsOneLineWithWhatIsKnownOfIt) {
  const Net net = growing_net();
  RunReport report = report_of_test(net);
  EXPECT_TRUE(has(text_report(report), "\ntest AU: 90,816 states satisfy it, 66,048 eat, 1.50 s\n"))
      << text_report(report);
  report.test = TestResult{.kind = PaperTest::simple_eu, .sat_states = 160, .iterations = 19, .seconds = 1.5};
  EXPECT_TRUE(has(text_report(report), "\ntest S-EU: 160 states satisfy it, 19 iterations, 1.50 s\n"))
      << text_report(report);
  report.test = TestResult{.kind = PaperTest::ag, .reason = "the memory limit was reached"};
  EXPECT_TRUE(has(text_report(report), "\ntest AG: not finished: the memory limit was reached\n"))
      << text_report(report);
}

TEST(JsonReport, ATestHasNullForWhatIsNotKnownAndAReasonWhereItIsNotFinished) {
  const Net net = growing_net();
  RunReport report = report_of_test(net);
  EXPECT_EQ(nlohmann::json::parse(json_report(report)).at("test"), nlohmann::json::parse(R"({"name": "AU",
      "iterations": null, "sat_states": 90816, "eating_states": 66048, "seconds": 1.5})"));
  report.test = TestResult{.kind = PaperTest::backward_ex, .reason = "out of memory"};
  EXPECT_EQ(nlohmann::json::parse(json_report(report)).at("test"), nlohmann::json::parse(R"({"name": "B-EX",
      "iterations": null, "sat_states": null, "eating_states": null, "seconds": 0.0, "reason": "out of memory"})"));
  report.test.reset();
  EXPECT_TRUE(nlohmann::json::parse(json_report(report)).at("test").is_null());
}

TEST(Replay, RefusesAPathThatCannotFire) {
  const Net net = growing_net();
  std::vector<Tokens> marking(net.initial().begin(), net.initial().end());
  const std::vector<Transition> path{Transition{1}};
  EXPECT_THROW(replay(net, marking, path), std::logic_error);
}

}  // namespace
}  // namespace dcheck
