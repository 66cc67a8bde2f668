#pragma once
// What a run would take, found in a second or two: how many states and rows there are, how much memory each store needs
// for them, how long exploring lasts. Numbers are given as ranges, with a line that says how they were found: an
// estimate proves nothing.
//
// In this order, until one gives the number of states:
// 1. A part of the time is spent on exploring; small nets are done by then, and the numbers are exact.
// 2. The reachable markings are counted with a decision diagram, without visiting each. Exact as well.
// 3. What the diagram had counted when its time was over is continued.

#include <cstdint>
#include <string>
#include <vector>

#include "dcheck/explore/explore.hpp"

namespace dcheck {

/// A number that is known to be between two others, or likely to be.
struct Amount {
  double low = 0, likely = 0, high = 0;
  bool is_exact = false;

  static Amount exactly(double value) { return {value, value, value, true}; }
  Amount operator*(const Amount& other) const {
    return {low * other.low, likely * other.likely, high * other.high, is_exact && other.is_exact};
  }
};

struct EstimateOptions {
  /// As the run would have them; its limits hold here too.
  ExploreOptions explore;
  int ranks = 1;
  double seconds = 1.7;  // that it may take
  /// What is known of the number of states from elsewhere.
  std::optional<std::uint64_t> states = {};
};

/// What a store would take for all rows together, with their masks.
struct StoreEstimate {
  StoreChoice::Kind kind{};
  Amount bytes;
};

struct Estimate {
  Amount states, rows;
  std::string how;  // the number of states was found
  std::uint64_t lanes = 1, key_bits = 0;
  std::vector<StoreEstimate> stores;  // the one asked for first
  Amount rank_bytes;                  // that a rank's process takes at its peak while exploring
  Amount seconds;                     // to explore
  std::uint64_t explored_states = 0, explored_rows = 0;
  double explored_seconds = 0;
  int ranks = 1;
  double took = 0;  // seconds, all of this
};

/// Deterministic but for what the clock decides. Throws as explore() does.
Estimate estimate(const Net& net, const EstimateOptions& options);

}  // namespace dcheck
