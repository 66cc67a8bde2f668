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

double RunMeter::own_idle_share() const {
  const auto idle = static_cast<double>(_ranks.exchange().figures().idle_ns - _last.idle);
  return idle / static_cast<double>(std::max<std::uint64_t>(1, now_ns() - _last.time));
}

RunMeter::Interval RunMeter::lap(const StateSpace& space) {
  const Standing now = standing_of(space);
  std::uint64_t sums[] = {now.time - _last.time,
                          now.idle - _last.idle,
                          now.traffic - _last.traffic,
                          now.arcs - std::min(now.arcs, _last.arcs),
                          now.cross_arcs - std::min(now.cross_arcs, _last.cross_arcs),
                          now.records - _last.records};
  _ranks.agree(sums, Combine::sum);
  const auto time = static_cast<double>(sums[0]), idle = static_cast<double>(sums[1]);
  const auto traffic = static_cast<double>(sums[2]), arcs = static_cast<double>(sums[3]);
  const auto cross_arcs = static_cast<double>(sums[4]), records = static_cast<double>(sums[5]);
  Interval interval;
  if (time > 0) interval.working = std::clamp(1 - idle / time, 0.0, 1.0);
  if (cross_arcs > least_cross_share * arcs) {
    const double of_crossing = (traffic + handling_ns * records) / cross_arcs;
    const double of_arc = std::max(1.0, (time - idle - traffic - handling_ns * records) / arcs);
    interval.cross_cost = std::clamp(of_crossing / of_arc, least_cost, most_cost);
  }
  begin(space);
  return interval;
}

}  // namespace dcheck
