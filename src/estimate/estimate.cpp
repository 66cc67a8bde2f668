#include "dcheck/estimate/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dcheck/base/error.hpp"
#include "dcheck/base/readable.hpp"
#include "dcheck/base/stopwatch.hpp"
#include "dcheck/explore/limit_check.hpp"
#include "dcheck/space/row_stream.hpp"
#include "dcheck/store/packed_bytes.hpp"
#include "estimate/place_order.hpp"
#include "estimate/recapture.hpp"
#include "estimate/saturation.hpp"

namespace dcheck {

namespace {

// Shares of the time.
constexpr double for_analysis = 0.15, for_exploring = 0.35;
// When the time of these is over, from the start on.
constexpr double for_counting_first = 0.6, for_counting_again = 0.72, for_walking = 0.82, for_all = 1;
// The truth, as a multiple of what walks say: they meet what is easily reached more often than the rest. Tuned on
// half of the nets of scripts/bench estimate.
constexpr double walks_low = 0.7, walks_likely = 2, walks_high = 10;
constexpr std::size_t most_diagram_bytes = std::size_t{512} << 20;
constexpr std::size_t most_places = 5000;  // of a diagram: calls nest that deep

/// Structure without any knowledge.
Structure unknown_structure(const Net& net) {
  Structure structure;
  structure.bounds.resize(net.place_count());
  structure.semiflows_of.resize(net.place_count());
  return structure;
}

class Estimator {
 public:
  Estimator(const Net& net, const EstimateOptions& options) : _net(net), _options(options) {
    _result.ranks = options.ranks;
  }

  Estimate make() {
    analyse_net();
    look();
    count();
    estimate_stores();
    estimate_seconds();
    _result.took = _watch.seconds();
    return std::move(_result);
  }

 private:
  /// Ends work where so large a share of the time is over, or at the limits of the run.
  Patience patience_until(double share) {
    return Patience([this, share, limits = patience_within(_options.explore)] {
      limits.look();
      if (_watch.seconds() > share * _options.seconds) throw ResourceError("the time of the estimate is over");
    });
  }

  void analyse_net() {
    Patience patience = patience_until(for_analysis);
    try {
      _structure = analyse(_net, semiflow_budget, patience);
    } catch (const ResourceError&) {
      patience_within(_options.explore).look();
      _structure = unknown_structure(_net);
    }
  }

  ExploreOptions short_run(double share) const {
    ExploreOptions run = _options.explore;
    run.start = RunClock::now();
    run.limits.max_seconds = share * _options.seconds;
    return run;
  }

  void look() {
    const Stopwatch watch;
    _look = explore(_net, _structure, short_run(for_exploring));
    _result.explored_seconds = watch.seconds();
    _result.explored_states = _look.figures.states;
    _result.explored_rows = _look.figures.rows;
    _result.lanes = _look.figures.lanes;
    _result.key_bits = _look.figures.key_bits;
  }

  bool has_lanes() const { return !_look.space->plan->leaf().empty(); }

  void count() {
    if (_look.figures.complete) {
      _result.states = Amount::exactly(static_cast<double>(_look.figures.states));
      _result.rows = Amount::exactly(static_cast<double>(_look.figures.rows));
      _result.how = "all of them were explored";
      return;
    }
    if (!count_by_diagram(for_counting_first, false) && !count_by_diagram(for_counting_again, true)) count_by_walks();
    if (!_result.rows.is_exact) _result.rows = rows_a_state() * _result.states;
    if (!_options.states) return;
    const Amount given = Amount::exactly(static_cast<double>(*_options.states));
    const double share = given.likely / _result.states.likely;
    _result.rows = _result.states.is_exact ? _result.rows * Amount::exactly(share) : rows_a_state() * given;
    _result.states = given;
    _result.how = "as given";
  }

  /// False: it does not come to an end in its time.
  bool count_by_diagram(double share, bool with_semiflows) {
    if (_net.has_guards() || _net.place_count() > most_places) return false;
    Patience patience = patience_until(share);
    Diagram diagram(most_diagram_bytes, patience);
    try {
      Saturation saturation(_net, tier_order(_net, _structure, with_semiflows, patience), _structure.dead, diagram);
      const Diagram::Node all = saturation.reach();
      _result.states = Amount::exactly(static_cast<double>(diagram.size(all)));
      _result.how = "counted by a decision diagram";
      if (!has_lanes()) {
        _result.rows = _result.states;
        return true;
      }
      std::vector<bool> is_key(_net.place_count() + 1, false);
      for (const Place p : _look.space->plan->key_places()) is_key[saturation.tier_of(p)] = true;
      _result.rows = Amount::exactly(static_cast<double>(diagram.size(diagram.project(all, is_key))));
    } catch (const ResourceError&) {
      patience_within(_options.explore).look();
    }
    return _result.states.is_exact;
  }

  void count_by_walks() {
    Patience patience = patience_until(for_walking);
    const Recapture found = recapture(*_look.space, patience);
    patience_within(_options.explore).look();
    const auto explored = static_cast<double>(_look.figures.states);
    const double share = (static_cast<double>(found.known) + 1) / (static_cast<double>(found.met) + 1);
    const double said = explored / share;
    _result.states = {std::max(explored, said * walks_low), std::max(explored, said * walks_likely),
                      std::max(explored, said * walks_high), false};
    _result.how = fmt::format("by random walks: {} of {} states that they met were among those explored",
                              with_separators(found.known), with_separators(found.met));
  }

  /// By the rows that were handled: those that wait will get more lanes.
  Amount rows_a_state() const {
    if (!has_lanes()) return Amount::exactly(1);
    const Plan& plan = *_look.space->plan;
    double rows = 0, states = 0;
    RowSource(plan, _look.space->state).for_each(Which::handled, [&](const StreamedRow& row) {
      rows += 1;
      states += static_cast<double>(lanes_in(row.masks, plan.words()));
    });
    if (rows == 0) return Amount::exactly(1);
    return {rows / states, rows / states, rows / states};
  }

  // Bytes.

  void estimate_stores() {
    const StoreChoice::Kind asked = _options.explore.store.kind;
    _result.stores.push_back({asked, bytes_of(asked)});
    for (const auto kind : {StoreChoice::Kind::packed, StoreChoice::Kind::delta, StoreChoice::Kind::comback})
      if (kind != asked) _result.stores.push_back({kind, bytes_of(kind)});
    const auto other = static_cast<double>(_look.figures.worklist_bytes) / std::max(1.0, explored_rows());
    const auto own = static_cast<double>(resident_bytes()) - static_cast<double>(look_bytes());
    const double ranks = _options.ranks;
    const Amount store = _result.stores.front().bytes;
    const Amount lists = Amount{other, other, other} * _result.rows;
    _result.rank_bytes = {own + (store.low + lists.low) / ranks, own + (store.likely + lists.likely) / ranks,
                          own + (store.high + lists.high) / ranks, false};
  }

  double explored_rows() const { return static_cast<double>(_look.figures.rows); }
  std::uint64_t look_bytes() const {
    return _look.figures.store_bytes + _look.figures.payload_bytes + _look.figures.worklist_bytes;
  }

  Amount bytes_of(StoreChoice::Kind kind) {
    const auto each = [&](double (Estimator::*bytes)(double) const) {
      return Amount{(this->*bytes)(_result.rows.low), (this->*bytes)(_result.rows.likely),
                    (this->*bytes)(_result.rows.high), false};
    };
    if (kind == StoreChoice::Kind::packed) return each(&Estimator::packed);
    measure_chains(kind);
    return each(&Estimator::chains);
  }

  double payload(double rows) const {
    return static_cast<double>(_look.figures.payload_bytes) / std::max(1.0, explored_rows()) * rows;
  }

  double packed(double rows) const {
    const Plan& plan = *_look.space->plan;
    const auto of_rank = static_cast<std::uint64_t>(std::min(rows / _options.ranks, 1e18)) + 1;
    const bool has_slots = !has_lanes() && plan.layout().stored_words() == 1 && !_options.explore.levels &&
                           _options.explore.order != Order::depth_first;
    const std::uint64_t store =
        has_slots ? slot_store_bytes(plan.layout().stored_bits(), of_rank) : dense_store_bytes(plan.layout(), of_rank);
    return static_cast<double>(store) * _options.ranks + payload(rows);
  }

  /// A little of the exploration again with this store, which tells what links take and how many rows need a key. The
  /// index and the cache follow their rules (store/row_index.hpp, store/chain_store.cpp).
  void measure_chains(StoreChoice::Kind kind) {
    constexpr double index_fill = 0.8, distance_bits = 6, cache_bytes = 0.75, usual_link_bytes = 2.5;
    constexpr double ahead = 48 << 10;  // that the arrays of links have taken and not used, on average
    constexpr std::uint64_t enough_rows = 2000;
    const Layout& layout = _look.space->plan->layout();
    double links = usual_link_bytes, share_of_keys = 0.05;
    try {
      ExploreOptions run = short_run((for_all - _watch.seconds() / _options.seconds) / 2);
      run.store.kind = kind;
      const bool is_at_hand = kind == _options.explore.store.kind;
      const Exploration of = is_at_hand ? _look.figures : explore(_net, _structure, run).figures;
      const auto rows = static_cast<double>(of.rows);
      if (of.rows >= enough_rows) {
        links = std::max(1.0, (static_cast<double>(of.store_figures.link_bytes) - ahead) / rows);
        share_of_keys = static_cast<double>(of.store_figures.explicit_rows) / rows;
      }
    } catch (const ResourceError&) {
      patience_within(_options.explore).look();
    }
    const double index = (_options.explore.store.hash_bits + distance_bits) / 8 / index_fill;
    _chain_bytes = index + cache_bytes + links + share_of_keys * static_cast<double>(layout.stored_bytes());
  }
  double chains(double rows) const { return _chain_bytes * rows + payload(rows); }

  // Time.

  void estimate_seconds() {
    if (_look.figures.complete) {
      const double seconds = _look.figures.explore_seconds;
      _result.seconds = {seconds / _options.ranks, seconds, seconds, _options.ranks == 1};
      return;
    }
    const double rate = explored_rows() / std::max(1e-3, _look.figures.explore_seconds) * _options.ranks;
    _result.seconds = {_result.rows.low / rate * 0.7, _result.rows.likely / rate * 1.2, _result.rows.high / rate * 2.5,
                       false};
  }

  const Net& _net;
  const EstimateOptions& _options;
  const Stopwatch _watch;
  Structure _structure;
  Explored _look;
  Estimate _result;
  double _chain_bytes = 0;
};

}  // namespace

Estimate estimate(const Net& net, const EstimateOptions& options) {
  return Estimator(net, options).make();
}

}  // namespace dcheck
