#include "support/check_on_ranks.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "dcheck/comm/transport/loopback.hpp"
#include "support/asking_transport.hpp"

namespace dcheck::test {
namespace {

bool is_same(const Evidence& a, const Evidence& b) {
  const auto is_same_part = [](const EvidencePart& x, const EvidencePart& y) {
    return x.at == y.at && x.child == y.child && is_same(x.evidence, y.evidence);
  };
  return a.kind == b.kind && a.holds == b.holds && a.path == b.path && a.loop == b.loop &&
         a.parts_left_out == b.parts_left_out && std::ranges::equal(a.parts, b.parts, is_same_part);
}

bool is_same(const std::optional<Evidence>& a, const std::optional<Evidence>& b) {
  return a.has_value() == b.has_value() && (!a || is_same(*a, *b));
}

class Lines {
 public:
  void expect(bool is_so, const std::string& otherwise) {
    if (!is_so) _lines.push_back(otherwise);
  }
  std::vector<std::string> take() { return std::move(_lines); }

 private:
  std::vector<std::string> _lines;
};

/// Rows move early and often, in small nets too.
AllocationChoice random_allocation(Dice& dice) {
  using Kind = AllocationChoice::Kind;
  AllocationChoice choice;
  choice.kind =
      std::array{Kind::hash, Kind::local, Kind::local, Kind::places}[static_cast<std::size_t>(dice.between(0, 3))];
  for (int i = 0; i < 3; ++i) choice.places.push_back(static_cast<Place>(dice.between(0, 5)));
  choice.look_after_rows = static_cast<std::uint64_t>(dice.between(1, 30));
  choice.look_after_ns = 0;
  if (!dice.one_in(4)) choice.least_gain = -10;  // any classes will do
  choice.least_key_bits = 0;
  return choice;
}

}  // namespace

RankChoice random_ranks(Dice& dice) {
  RankChoice choice;
  choice.ranks = static_cast<int>(dice.between(1, 7));
  choice.seed = dice.next();
  choice.exchange.buffer_bytes = std::size_t{64} << dice.between(0, 9);
  choice.exchange.flush_after_ms = static_cast<std::uint64_t>(dice.between(0, 2));
  choice.exchange.cache_bytes = std::size_t{64} << dice.between(0, 12);
  if (dice.one_in(4)) choice.exchange.max_in_flight = static_cast<std::size_t>(dice.between(1, 3));
  choice.allocation = random_allocation(dice);
  return choice;
}

std::string describe(const RankChoice& choice) {
  return std::to_string(choice.ranks) + " ranks, loopback " + std::to_string(choice.seed) + ", buffer " +
         std::to_string(choice.exchange.buffer_bytes) + ", flush after " +
         std::to_string(choice.exchange.flush_after_ms) + ", cache " + std::to_string(choice.exchange.cache_bytes) +
         ", in flight " + std::to_string(choice.exchange.max_in_flight) + ", allocation " +
         std::to_string(static_cast<int>(choice.allocation.kind));
}

std::vector<CheckOutcome> check_on_ranks(const Net& net, const std::vector<Property>& properties,
                                         const CheckOptions& options, const RankChoice& choice) {
  std::vector<std::optional<CheckOutcome>> outcomes(static_cast<std::size_t>(choice.ranks));
  CheckOptions on_ranks = options;
  on_ranks.explore.allocation = choice.allocation;
  std::vector<std::string> stops;  // one thread at a time runs in the loopback
  int signal = 0;
  run_loopback({.ranks = choice.ranks, .seed = choice.seed}, [&](Transport& transport) {
    StopRequest request;
    const RankSignal asking = choice.signal.value_or(RankSignal{});
    const bool is_asked = choice.signal && asking.rank == transport.rank();
    AskingTransport disturbed(transport, request, asking.signal, is_asked ? asking.after_calls : 0);
    Cluster cluster(disturbed);
    cluster.notes().share(&request);
    CheckOptions own = on_ranks;
    own.explore.limits.stop = &request;
    Ranks ranks(cluster, choice.exchange);
    const std::unique_ptr<StateKeeper> keeper = choice.keeper ? choice.keeper(ranks) : nullptr;
    own.explore.limits.keeper = keeper.get();
    try {
      outcomes[index(cluster.rank())] = check(net, properties, own, ranks);
    } catch (const ResourceError& error) {
      if (!ranks.is_agreed(error)) throw;
      stops.emplace_back(error.what());
      signal = error.signal();
    }
    cluster.close();
  });
  if (!stops.empty()) {
    const bool all_know = stops.size() == outcomes.size() && std::ranges::count(stops, stops[0]) == choice.ranks;
    if (!all_know) throw std::logic_error("only some ranks stopped, or for different reasons: " + stops[0]);
    throw ResourceError(stops[0], signal);
  }
  std::vector<CheckOutcome> result;
  for (auto& outcome : outcomes) result.push_back(std::move(outcome.value()));
  return result;
}

std::vector<std::string> differences(const CheckOutcome& one, const CheckOutcome& other) {
  Lines lines;
  const Exploration& a = one.exploration;
  const Exploration& b = other.exploration;
  lines.expect(a.complete == b.complete && a.is_enough == b.is_enough, "how the exploration ended");
  lines.expect(a.stop_reason == b.stop_reason, "why it stopped: " + a.stop_reason + " / " + b.stop_reason);
  lines.expect(one.stop_signal == other.stop_signal, "by which signal it was stopped");
  lines.expect(one.stop_reason == other.stop_reason, "why checking was stopped");
  lines.expect(a.states == b.states && a.arcs == b.arcs && a.deadlocks == b.deadlocks, "states, arcs or deadlocks");
  lines.expect(a.rows == b.rows && a.lanes == b.lanes && a.row_visits == b.row_visits, "rows, lanes or visits");
  lines.expect(a.max_tokens == b.max_tokens && a.max_tokens_in_marking == b.max_tokens_in_marking, "most tokens");
  lines.expect(a.levels == b.levels, "levels");
  lines.expect(one.properties.size() == other.properties.size(), "number of properties");
  for (std::size_t i = 0; i < std::min(one.properties.size(), other.properties.size()); ++i) {
    const PropertyResult& x = one.properties[i];
    const PropertyResult& y = other.properties[i];
    lines.expect(x.id == y.id && x.verdict == y.verdict && x.bound == y.bound, x.formula + ": verdict or bound");
    lines.expect(x.reason == y.reason && x.witness_reason == y.witness_reason, x.formula + ": reason");
    lines.expect(x.sat_states == y.sat_states, x.formula + ": satisfying states");
    lines.expect(is_same(x.witness, y.witness), x.formula + ": witness");
  }
  return lines.take();
}

std::vector<std::string> wrong_figures(const CheckOutcome& outcome, const RankChoice& choice) {
  Lines lines;
  if (choice.ranks == 1) {
    lines.expect(outcome.ranks.empty(), "figures of one rank");
    return lines.take();
  }
  lines.expect(outcome.ranks.size() == static_cast<std::size_t>(choice.ranks), "not one set of figures a rank");
  const auto sum_of = [&](std::uint64_t RankFigures::*figure) {
    return std::accumulate(outcome.ranks.begin(), outcome.ranks.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, const RankFigures& rank) { return sum + rank.*figure; });
  };
  const Exploration& all = outcome.exploration;
  lines.expect(sum_of(&RankFigures::states) == all.states, "the ranks' states");
  lines.expect(sum_of(&RankFigures::rows) == all.rows, "the ranks' rows");
  lines.expect(sum_of(&RankFigures::arcs) == all.arcs, "the ranks' arcs");
  lines.expect(sum_of(&RankFigures::row_visits) == all.row_visits, "the ranks' visits");
  lines.expect(sum_of(&RankFigures::cross_arcs) <= all.arcs, "more arcs between ranks than arcs");
  const auto received = [](std::uint64_t sum, const RankFigures& rank) { return sum + rank.traffic.received_records; };
  const auto sent = [](std::uint64_t sum, const RankFigures& rank) { return sum + rank.traffic.records; };
  lines.expect(std::accumulate(outcome.ranks.begin(), outcome.ranks.end(), std::uint64_t{0}, received) ==
                   std::accumulate(outcome.ranks.begin(), outcome.ranks.end(), std::uint64_t{0}, sent),
               "records sent and received");
  return lines.take();
}

}  // namespace dcheck::test
