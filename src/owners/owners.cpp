#include "dcheck/owners/owners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/serialization/vector.hpp>

#include "dcheck/ranks/share.hpp"
#include "dcheck/space/row_stream.hpp"
#include "owners/place_search.hpp"

namespace dcheck {

namespace {

/// How fine classes are dealt out: pieces of the state space for each rank. The fewer, the more a rank depends on being
/// met by the search all the time, which nobody can foresee: so much more than predicted it may take.
struct Rung {
  int parts;
  double risk;
};
constexpr std::array<Rung, 3> rungs{{{1, 1.08}, {4, 1.02}, {16, 1}}};

constexpr std::size_t markings_for_few = 4096, markings_for_many = 16'384;
constexpr double working_enough = 0.85;  // of the time of all ranks: then owners stay as they are
// How long the run has taken at the next look, in parts of what it has now. A look is a pause: rows that wait are then
// handled in another order, which costs more than the look. So a rank asks for one only where it promises something:
// by hash where arcs to other ranks cost much, by classes where it was idle for long.
constexpr std::uint64_t next_look = 4;
constexpr double idle_for_long = 0.25;
// Partitions are left alone where they differ less, in parts of their mean: where memory gets short, and at the end.
constexpr double uneven_in_shortage = 0.1, uneven_at_end = 0.05;
constexpr std::uint64_t least_rows_at_end = 8;

// Tokens in all places of all markings of a sample.
constexpr std::size_t most_numbers = std::size_t{1} << 23;

/// Markings are kept whole: of a large net only a few, whatever else is wanted.
std::size_t sample_size(const Net& net, int ranks) {
  constexpr std::size_t least_markings = 16;
  const std::size_t wanted = ranks > few_ranks ? markings_for_many : markings_for_few;
  return std::min(wanted, std::max(least_markings, most_numbers / std::max<std::size_t>(1, net.place_count())));
}

bool waits(const StreamedRow& row, const Plan& plan) {
  return lanes_in(row.masks + plan.words(), plan.words()) != 0;
}

/// Some of this rank's states, one of a row: about one row in `share`.
ReachedMarkings some_markings(const StateSpace& space, std::uint64_t share) {
  const Plan& plan = *space.plan;
  ReachedMarkings markings;
  RowSource(plan, space.state).for_some(share, [&](const StreamedRow& row) {
    const std::optional<Lane> lane = first_lane(row.masks, plan.words());
    if (!lane) return;
    const std::vector<Tokens> marking = plan.marking(row.key, *lane);
    std::vector<Tokens>& all = waits(row, plan) ? markings.waiting : markings.handled;
    all.insert(all.end(), marking.begin(), marking.end());
  });
  return markings;
}

/// Collective: those of all ranks, on rank 0.
ReachedMarkings gathered(Ranks& ranks, const ReachedMarkings& own) {
  ReachedMarkings all;
  for (const std::vector<Tokens>& some : gather(ranks, own.handled))
    all.handled.insert(all.handled.end(), some.begin(), some.end());
  for (const std::vector<Tokens>& some : gather(ranks, own.waiting))
    all.waiting.insert(all.waiting.end(), some.begin(), some.end());
  return all;
}

/// How long a run takes, in parts of what it would take if all ranks worked all the time and no arc crossed.
double predicted_time(double load, double cross, double cross_cost) {
  return load * (1 + cross_cost * cross);
}

std::string names_of(const Net& net, const OwnerClasses& classes) {
  std::string names;
  for (const OwnerClasses::Digit& digit : classes.digits)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", net.name(digit.place));
  return names;
}

}  // namespace

std::string Owners::why() const {
  return _moves == 0 ? _why : fmt::format("{}; rows moved {} times", _why, _moves);
}

void Owners::take_hash(const std::string& why) {
  _classes = {};
  _why = "by hash: " + why;
}

void Owners::begin(const Plan& plan, bool can_move) {
  using Kind = AllocationChoice::Kind;
  _classes = {};
  _can_move = false;
  _first_rung = _rung = 0;
  if (_ranks.is_alone()) return;
  if (_choice.kind == Kind::hash) return take_hash("as asked");
  if (_choice.kind == Kind::local && !can_move) return take_hash("level by level rows cannot be moved");
  if (plan.layout().stored_bits() < _choice.least_key_bits) return take_hash("there are few rows");
  take_hash("arcs to other ranks cost little, or the run was short");
  _can_move = can_move;
  _next_rows = _choice.look_after_rows;
  _next_ns = _choice.look_after_ns;
  if (_choice.kind != Kind::places) return;
  _ranks.together([&] {
    const ClassSample nothing(plan, {}, _patience);
    const std::vector<Place> places = usable_places(nothing, _choice.places, _ranks.size());
    if (places.empty()) return take_hash("no place that was named is in the key");
    _classes = nothing.propose(places, _ranks.size(), 1).classes;
    _why = "by " + names_of(plan.net(), _classes);
  });
  _can_move = can_move && !_classes.is_hash();
}

bool Owners::is_due(const StateSpace& space) const {
  if (!_can_move) return false;
  const ExploreState& state = space.state;
  if (is_short(state)) return true;
  if (state.row_count() < _next_rows || _meter.elapsed_ns() < _next_ns) return false;
  if (_choice.look_after_ns == 0) return true;
  const RunMeter::Interval own = _meter.own(space);
  if (!_classes.is_hash()) return own.working < 1 - idle_for_long;
  // Classes that nothing crosses would gain so much.
  return 1 - 1 / predicted_time(1, hash_cross(), own.cross_cost) > _choice.least_gain;
}

/// Moving takes the memory of the rows a second time where they are dense, and of those that come in any case.
bool Owners::has_room_to_move(const ExploreState& state) {
  constexpr std::uint64_t bytes_of_coming_row = 16;
  const std::uint64_t mean_rows = _ranks.sum(state.row_count()) / static_cast<std::uint64_t>(_ranks.size());
  const std::uint64_t needed =
      state.slots ? bytes_of_coming_row * mean_rows : 2 * state.store_bytes() + 2 * state.payload_bytes();
  return !_ranks.any(state.budget != nullptr && !state.budget->has_room_for(needed));
}

void Owners::set_next_look(std::uint64_t elapsed_ns, std::uint64_t rows) {
  const std::uint64_t elapsed = std::max(_choice.look_after_ns, elapsed_ns);
  if (_choice.look_after_ns != 0) _next_ns = _classes.is_hash() ? next_look * elapsed : elapsed + elapsed / 4;
  // Tests look by rows alone: seldom enough to come to an end.
  _next_rows = _choice.look_after_ns != 0 ? 0 : std::max(_choice.look_after_rows, 4 * rows);
}

bool Owners::look(const StateSpace& space) {
  if (!_can_move) return false;
  const ExploreState& state = space.state;
  const std::uint64_t elapsed = _ranks.max(_meter.elapsed_ns());
  set_next_look(elapsed, _ranks.max(state.row_count()));
  if (_ranks.any(is_short(state))) {
    // Asked again when this rank has more rows than now, whether some of them move or not.
    _next_shortage = state.row_count() + state.row_count() / 64 + 1;
    return has_room_to_move(state) && even_out(space, uneven_in_shortage);
  }
  const RunMeter::Interval interval = _meter.lap(space);
  if (interval.cross_cost != 0) _cross_cost = interval.cross_cost;
  if (!_classes.is_hash() && interval.working >= working_enough) return false;
  if (!has_room_to_move(state)) return false;
  if (_choice.kind == AllocationChoice::Kind::places) return even_out(space, uneven_at_end);
  if (!_classes.is_hash()) _first_rung = _rung + 1;
  const bool has_changed = choose(space);
  set_next_look(elapsed, _next_rows);
  return has_changed;
}

bool Owners::look_at_end(const StateSpace& space) {
  return _can_move && !_classes.is_hash() && _ranks.max(space.state.row_count()) >= least_rows_at_end &&
         has_room_to_move(space.state) && even_out(space, uneven_at_end);
}

std::vector<std::uint64_t> Owners::rows_of_classes(const StateSpace& space) {
  constexpr std::size_t steps_of_row = 16;
  const Plan& plan = *space.plan;
  const std::size_t size = _classes.owner.size();
  std::vector<std::uint64_t> rows(size, 0);
  _ranks.together([&] {
    const Allocation allocation(plan, _ranks.size(), _classes);
    RowSource(plan, space.state).for_each(Which::all, [&](const StreamedRow& row) {
      _patience.spend(steps_of_row);
      ++rows[allocation.sum(row.key) & (size - 1)];
    });
  });
  _ranks.agree(rows, Combine::sum);
  return rows;
}

bool Owners::even_out(const StateSpace& space, double tolerance) {
  if (_classes.is_hash()) return false;
  std::vector<std::uint64_t> shares(static_cast<std::size_t>(_ranks.size()), 0);
  shares[index(_ranks.rank())] = space.state.row_count();
  _ranks.agree(shares, Combine::sum);
  if (imbalance(shares) <= tolerance) return false;
  const std::vector<std::uint64_t> rows = rows_of_classes(space);
  _ranks.together([&] {
    if (_ranks.rank() != rank_0) return;
    if (!_sample) _sample.emplace(*space.plan, ReachedMarkings{}, _patience);
    const ClassWeights weights{rows, std::vector<std::uint64_t>(rows.size())};
    _classes = _sample->improve(_classes, weights, _ranks.size(), tolerance / 2).classes;
    ++_moves;
  });
  share(_ranks, _classes);
  return true;
}

bool Owners::choose(const StateSpace& space) {
  const Plan& plan = *space.plan;
  const OwnerClasses before = _classes;
  if (_first_rung == rungs.size()) {
    take_hash("classes of a few places left ranks idle");
    _can_move = false;
    ++_moves;
    return true;
  }
  const std::uint64_t share_of_rows = _ranks.sum(space.state.row_count()) / sample_size(plan.net(), _ranks.size()) + 1;
  ReachedMarkings own;
  _ranks.together([&] { own = some_markings(space, share_of_rows); });
  const ReachedMarkings all = gathered(_ranks, own);
  _ranks.together([&] {
    if (_ranks.rank() == rank_0) choose_classes(plan, all);
  });
  share(_ranks, _classes);
  share(_ranks, _rung);
  const bool has_changed = !(before.is_hash() && _classes.is_hash());
  if (has_changed) ++_moves;
  return has_changed;
}

void Owners::choose_classes(const Plan& plan, const ReachedMarkings& markings) {
  constexpr int most_parts = 1 << 15;
  const int ranks = _ranks.size();
  _sample.emplace(plan, markings, _patience);
  const std::vector<Place> places = search_places(*_sample, ranks, _patience);
  if (places.empty()) return take_hash("no few places tell rows apart");
  OwnerProposal best;
  double least = 1e9;
  for (std::size_t rung = _first_rung; rung < rungs.size() && rungs[rung].parts * ranks <= most_parts; ++rung) {
    OwnerProposal proposal = _sample->propose(places, ranks, rungs[rung].parts);
    const double time = rungs[rung].risk * predicted_time(proposal.load, proposal.cross, _cross_cost);
    if (time >= least) continue;
    least = time;
    best = std::move(proposal);
    _rung = rung;
  }
  const std::string names = names_of(plan.net(), best.classes);
  const double ratio = least / predicted_time(1, hash_cross(), _cross_cost);
  const std::string expected =
      fmt::format("{:.0f} % of arcs cross, the busiest rank has {:.2f} times the mean", 100 * best.cross, best.load);
  if (ratio > 1 - _choice.least_gain) return take_hash(fmt::format("by {} {} (expected), no faster", names, expected));
  _why = fmt::format("by {}: {} (expected; by hash {:.0f} %), in {} parts a rank", names, expected, 100 * hash_cross(),
                     rungs[_rung].parts);
  _classes = std::move(best.classes);
}

}  // namespace dcheck
