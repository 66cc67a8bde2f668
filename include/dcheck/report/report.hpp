#pragma once
// What one run of dcheck tells: the same facts as text for people and as JSON for programs.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dcheck/check/check.hpp"
#include "dcheck/net/net.hpp"

namespace dcheck {

/// The net must outlive the report.
struct RunReport {
  std::string version;
  const Net* net = nullptr;
  std::string model_sha256;
  std::vector<std::pair<std::string, Tokens>> parameters = {};
  Exploration exploration = {};
  std::vector<PropertyResult> properties = {};
  std::optional<TestResult> test = {};
  LabelFigures labels = {};
  std::string resumed_from = {};  // a file; empty: the run began anew
  std::size_t checkpoints = 0;    // that were written
  double keeping_seconds = 0;     // to write these, and to save the states
  double parse_seconds = 0;
  double check_seconds = 0;
  double total_seconds = 0;
  std::vector<std::uint64_t> peak_rss_bytes = {};  // of each rank: one entry where there is one rank only
  std::vector<RankFigures> ranks = {};             // of each rank; empty where there is one only, or where not known

  std::string simulated_network = {};  // ranks and times are simulated, on this network; empty: they are real

  std::size_t rank_count() const { return peak_rss_bytes.empty() ? 1 : peak_rss_bytes.size(); }
};

/// The condensed graph of a run with --store condensed, all ranks together.
struct CondensedSize {
  std::uint64_t bytes = 0;        // all of it
  std::uint64_t row_bytes = 0;    // of that: links, keys of rows that have none, lanes
  std::uint64_t paper_bytes = 0;  // what the formula of Mailund and Westergaard gives, 2wR + |E|(log|T| + log R) bits
};
/// Nothing where there is none.
std::optional<CondensedSize> condensed_size(const RunReport& report);

/// How much of it people get to see: what was found, or also how.
enum class Detail : std::uint8_t { brief, full };

/// For people: the verdicts first, with what shows them, then the figures; aligned columns, thousands separators.
std::string text_report(const RunReport& report, Detail detail = Detail::brief);

/// For programs: one JSON object, fields as in docs/json.md; counts are exact integers.
std::string json_report(const RunReport& report);

}  // namespace dcheck
