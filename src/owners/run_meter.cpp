#include "dcheck/owners/run_meter.hpp"

#include <algorithm>

namespace dcheck {

namespace {

// What a record costs beside the time in the exchange: it is written, and read elsewhere. One that is not sent, because
// it was before, costs about what looking it up would.
constexpr double handling_ns = 30;
constexpr double least_cross_share = 0.01;  // of arcs, to tell what one costs
constexpr double least_cost = 0.1, most_cost = 50;

std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(RunClock::now().time_since_epoch().count());
}

}  // namespace

RunMeter::Standing RunMeter::standing_of(const StateSpace& space) const {
  const TrafficFigures& traffic = _ranks.exchange().figures();
  return {now_ns(),
          traffic.idle_ns,
          traffic.sending_ns + traffic.receiving_ns,
          space.state.counts.arcs,
          space.state.counts.cross_arcs,
          traffic.records};
}

void RunMeter::begin(const StateSpace& space) {
  _last = standing_of(space);
  if (!_start) _start = _last.time;
}

std::uint64_t RunMeter::elapsed_ns() const {
  return _start ? now_ns() - *_start : 0;
}

RunMeter::Standing RunMeter::since_begin(const StateSpace& space) const {
  const Standing now = standing_of(space);
  return {now.time - _last.time,
          now.idle - _last.idle,
          now.traffic - _last.traffic,
          now.arcs - std::min(now.arcs, _last.arcs),
          now.cross_arcs - std::min(now.cross_arcs, _last.cross_arcs),
          now.records - _last.records};
}

RunMeter::Interval RunMeter::own(const StateSpace& space) const {
  return interval_of(since_begin(space));
}

RunMeter::Interval RunMeter::lap(const StateSpace& space) {
  const Standing own = since_begin(space);
  std::uint64_t sums[] = {own.time, own.idle, own.traffic, own.arcs, own.cross_arcs, own.records};
  _ranks.agree(sums, Combine::sum);
  begin(space);
  return interval_of({sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]});
}

RunMeter::Interval RunMeter::interval_of(const Standing& spent) {
  const auto time = static_cast<double>(spent.time), idle = static_cast<double>(spent.idle);
  const auto traffic = static_cast<double>(spent.traffic), arcs = static_cast<double>(spent.arcs);
  const auto cross_arcs = static_cast<double>(spent.cross_arcs), records = static_cast<double>(spent.records);
  Interval interval;
  if (time > 0) interval.working = std::clamp(1 - idle / time, 0.0, 1.0);
  if (cross_arcs > least_cross_share * arcs) {
    const double of_crossing = (traffic + handling_ns * records) / cross_arcs;
    const double of_arc = std::max(1.0, (time - idle - traffic - handling_ns * records) / arcs);
    interval.cross_cost = std::clamp(of_crossing / of_arc, least_cost, most_cost);
  }
  return interval;
}

}  // namespace dcheck
