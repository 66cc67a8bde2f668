// What reports tell about ranks.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/report_test_support.hpp"

namespace dcheck {
namespace {

/// Two ranks; the second has all the states, and did nothing else for half its time.
RunReport report_of_two(const Net& net) {
  RunReport report = complete_report(net);
  report.exploration.arcs = 4000;
  report.peak_rss_bytes = {std::uint64_t{10} << 20, std::uint64_t{30} << 20};
  report.ranks.resize(2);
  RankFigures& busy = report.ranks[1];
  busy.states = 1000;
  busy.arcs = 4000;
  busy.cross_arcs = 1000;
  busy.queries = 77;
  busy.peak_rss_bytes = report.peak_rss_bytes[1];
  busy.seconds = 2;
  busy.traffic = {.records = 60, .merged = 30, .suppressed = 10, .messages = 4, .bytes = 2048};
  busy.traffic.full_flushes = 1;
  busy.traffic.idle_flushes = 3;
  busy.traffic.sending_ns = 250'000'000;
  busy.traffic.receiving_ns = 250'000'000;
  busy.traffic.handling_ns = 123;
  busy.traffic.idle_ns = 500'000'000;
  return report;
}

TEST(TextReport, ShowsTheRanksAsSmallestMeanAndLargest) {
  const Net net = growing_net();
  const std::string text = text_report(report_of_two(net), Detail::full);
  EXPECT_TRUE(has(text, "N = 9, 2 ranks\n")) << text;
  EXPECT_TRUE(has(text, "memory                    40.0 MiB   all ranks, at most 30.0 MiB in one; states")) << text;
  EXPECT_FALSE(has(text_report(report_of_two(net)), "of each rank"));
  EXPECT_TRUE(has(text, R"(
  of each rank              min          mean           max
  states                      0           500         1,000   largest - smallest: 200.0 % of the mean
  rows                        0             0             0
  row visits                  0             0             0
  arcs                        0         2,000         4,000
  cross arcs                  0           500         1,000   25.0 % of the arcs
  records sent                0            30            60   60.0 % of the records made
  merged                      0            15            30   30.0 % of them
  suppressed                  0             5            10   10.0 % of them
  messages                    0             2             4
  bytes sent            0 bytes      1.00 KiB      2.00 KiB
  flushes: full               0             1             1   25.0 % of the messages
           timeout            0             0             0   0.0 % of them
           idle               0             2             3   75.0 % of them
  token rounds                0             0             0
  time: computing       0.00 ms        500 ms        1.00 s   50.0 % of the time
        sending         0.00 ms        125 ms        250 ms   12.5 % of it
        receiving       0.00 ms        125 ms        250 ms   12.5 % of it
        idle            0.00 ms        250 ms        500 ms   25.0 % of it
  peak memory           0 bytes      15.0 MiB      30.0 MiB
)")) << text;
}

TEST(TextReport, SaysNothingOfRanksWhereThereIsOneOnly) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.peak_rss_bytes = {1000};
  EXPECT_FALSE(has(text_report(report, Detail::full), "rank")) << text_report(report, Detail::full);
}

TEST(TextReport, ARunOfManyRanksThatStoppedEarlyHasNoTable) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.peak_rss_bytes = {1000, 2000};
  const std::string text = text_report(report, Detail::full);
  EXPECT_TRUE(has(text, "2 ranks")) << text;
  EXPECT_FALSE(has(text, "of each rank")) << text;
  EXPECT_EQ(nlohmann::json::parse(json_report(report)).at("ranks"), 2);
}

TEST(JsonReport, HasEveryFigureOfEveryRankAndTheirTotals) {
  const Net net = growing_net();
  const auto json = nlohmann::json::parse(json_report(report_of_two(net)));
  EXPECT_EQ(json.at("ranks"), 2);
  const auto& each = json.at("per_rank").at("each");
  ASSERT_EQ(each.size(), 2U);
  const auto has_field = [&](const char* name, const auto&) {
    EXPECT_TRUE(each.at(0).contains(name) && each.at(1).contains(name)) << name;
    for (const char* of : {"min", "mean", "max"}) EXPECT_TRUE(json.at("per_rank").at(of).contains(name)) << name;
  };
  RankFigures none;
  RankFigures::for_each(none, has_field);
  TrafficFigures::for_each(none.traffic, has_field);
  EXPECT_EQ(each.at(1).at("computing_ns"), 1'000'000'000);
  EXPECT_EQ(json.at("per_rank").at("min").at("states"), 0);
  EXPECT_EQ(json.at("per_rank").at("mean").at("states"), 500.0);
  EXPECT_EQ(json.at("per_rank").at("max").at("states"), 1000);
  EXPECT_EQ(json.at("traffic"),
            nlohmann::json::parse(R"({"messages":4, "records":60, "bytes":2048, "cross_arcs":1000, "queries":77})"));
  EXPECT_EQ(json.at("balance").at("states_per_rank"), nlohmann::json::array({0, 1000}));
  EXPECT_EQ(json.at("memory").at("peak_rss_bytes_per_rank"), nlohmann::json::array({10 << 20, 30 << 20}));
}

TEST(JsonReport, OneRankHasTotalsButNoFiguresOfRanks) {
  const Net net = growing_net();
  RunReport report = complete_report(net);
  report.peak_rss_bytes = {1000};
  const auto json = nlohmann::json::parse(json_report(report));
  EXPECT_EQ(json.at("ranks"), 1);
  EXPECT_TRUE(json.at("per_rank").is_null());
  EXPECT_EQ(json.at("balance").at("states_per_rank"), nlohmann::json::array({384'392'800}));
  EXPECT_EQ(json.at("memory").at("peak_rss_bytes_per_rank"), nlohmann::json::array({1000}));
}

TEST(JsonReport, FiguresOfRanksAreExactIntegersToo) {
  const Net net = growing_net();
  RunReport report = report_of_two(net);
  report.ranks[0].arcs = 18'446'744'073'709'551'615U;
  const auto json = nlohmann::json::parse(json_report(report));
  EXPECT_EQ(json.at("per_rank").at("max").at("arcs").get<std::uint64_t>(), 18'446'744'073'709'551'615U);
}

}  // namespace
}  // namespace dcheck
