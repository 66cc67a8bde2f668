#pragma once
// check() on several ranks of a loopback, and whether all of them say the same.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcheck/check/check.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {

/// A rank gets a signal when it has looked for batches, or sent them, so often.
struct RankSignal {
  Rank rank{};
  int signal = 0;
  std::uint64_t after_calls = 1;
};

struct RankChoice {
  int ranks = 1;
  std::uint64_t seed = 1;  // of the loopback: who runs when, and what is delivered late
  ExchangeOptions exchange;
  AllocationChoice allocation = {};
  std::optional<RankSignal> signal = {};
  /// Makes what a rank keeps states with; empty: nothing.
  std::function<std::unique_ptr<StateKeeper>(Ranks&)> keeper = {};
};

/// 1 to 7 ranks, and everything else at will.
RankChoice random_ranks(Dice& dice);

std::string describe(const RankChoice& choice);

/// The outcome of each rank, in order. What check() throws on all ranks together is thrown here.
std::vector<CheckOutcome> check_on_ranks(const Net& net, const std::vector<Property>& properties,
                                         const CheckOptions& options, const RankChoice& choice);

/// In what two ranks' outcomes differ, a line each; seconds and the figures of single ranks may.
std::vector<std::string> differences(const CheckOutcome& one, const CheckOutcome& other);

/// What is wrong with rank 0's figures of the ranks, a line each.
std::vector<std::string> wrong_figures(const CheckOutcome& outcome, const RankChoice& choice);

}  // namespace dcheck::test
