#include "app/joint_progress.hpp"

#include <algorithm>
#include <utility>

namespace dcheck {

namespace {

constexpr std::uint64_t question_every_ns = 200'000'000;

/// What stands where in a status.
enum Number : std::uint8_t { states, arcs, rows, waiting_rows, memory_bytes, step, step_rows_done, step_rows, numbers };
static_assert(numbers == std::tuple_size_v<RankStatus>);

}  // namespace

RankStatus status_of(const Progress& progress) {
  RankStatus status{};
  status[states] = progress.states;
  status[arcs] = progress.arcs;
  status[rows] = progress.rows;
  status[waiting_rows] = progress.waiting_rows;
  status[memory_bytes] = progress.memory_bytes;
  status[step] = progress.step.number;
  status[step_rows_done] = progress.step.rows_done;
  status[step_rows] = progress.step.rows;
  return status;
}

void add_status(Progress& all, const RankStatus& other) {
  all.states += other[states];
  all.arcs += other[arcs];
  all.rows += other[rows];
  all.waiting_rows += other[waiting_rows];
  all.memory_bytes = std::max(all.memory_bytes, other[memory_bytes]);
  if (other[step] != all.step.number) return;
  all.step.rows_done += other[step_rows_done];
  all.step.rows += other[step_rows];
}

JointProgress::JointProgress(Cluster& cluster, std::function<void(const Progress&)> show)
    : _cluster(cluster), _show(std::move(show)), _start(cluster.transport().now()) {}

void JointProgress::note(Progress own) {
  // Between two pieces of exploring it is planned again, and nothing is lost by that.
  if (own.phase == Progress::Phase::planning && _last.rows != 0) {
    _last.memory_bytes = own.memory_bytes;
    own = _last;
  }
  _last = own;
  _cluster.notes().set_status(status_of(own));
  _cluster.look();
  if (!_show) return;
  const std::uint64_t now = _cluster.transport().now();
  if (now - _last_question >= question_every_ns) {
    _last_question = now;
    _cluster.notes().ask_all(_cluster.transport());
  }
  own.seconds = static_cast<double>(now - _start) * 1e-9;
  own.ranks = _cluster.size();
  const std::vector<RankStatus>& others = _cluster.notes().statuses();
  for (std::size_t i = 1; i < others.size(); ++i) add_status(own, others[i]);
  // An answer may be older than what has moved here since.
  if (own.waiting_rows > own.rows) own.waiting_rows = 0;
  _show(own);
}

}  // namespace dcheck
