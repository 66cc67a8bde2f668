#include "explore/migrate.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "explore/fresh_state.hpp"
#include "explore/relayout.hpp"

namespace dcheck {

namespace {

/// A row on its way: its key, the lanes that were reached, and those of them that wait.
struct MovingRow {
  const std::uint64_t* key;
  const std::uint64_t* reached;
  const std::uint64_t* waiting;
};

std::uint64_t lanes_in(const std::uint64_t* mask, std::size_t words) {
  std::uint64_t count = 0;
  for (std::size_t w = 0; w < words; ++w) count += static_cast<std::uint64_t>(std::popcount(mask[w]));
  return count;
}

/// Adds rows to a dense store in batches.
class RowAdder {
 public:
  RowAdder(const Plan& plan, ExploreState& state)
      : _state(state),
        _key_words(plan.layout().stored_words()),
        _words(plan.words()),
        _has_lanes(!plan.leaf().empty()) {}

  void add(const MovingRow& row) {
    _keys.insert(_keys.end(), row.key, row.key + _key_words);
    _masks.insert(_masks.end(), row.reached, row.reached + _words);
    _masks.insert(_masks.end(), row.waiting, row.waiting + _words);
    _hashes[_count++] = _state.rows->linear_hash(row.key);
    if (_count == RowStore::batch_limit) finish();
  }
  void finish() {
    _state.rows->insert(_keys, std::span(_hashes).first(_count), {}, std::span(_inserted).first(_count));
    if (_has_lanes) _state.ensure_rows(_state.rows->size(), _count, _words);
    for (std::size_t i = 0; i < _count; ++i) set_lanes(_inserted[i].row, _masks.data() + i * 2 * _words);
    _keys.clear();
    _masks.clear();
    _count = 0;
  }

 private:
  void set_lanes(RowStore::Row row, const std::uint64_t* masks) {
    const bool is_waiting = lanes_in(masks + _words, _words) != 0;
    if (!_has_lanes) {
      if (is_waiting) _state.line.add(row, nullptr);
      return;
    }
    std::copy_n(masks, _words, _state.reached.data() + row * _words);
    if (is_waiting) std::copy_n(masks + _words, _words, _state.open.open(row, _words));
  }

  ExploreState& _state;
  std::size_t _key_words, _words, _count = 0;
  bool _has_lanes;
  std::vector<std::uint64_t> _keys, _masks;
  std::array<std::uint64_t, RowStore::batch_limit> _hashes;
  std::array<RowStore::Inserted, RowStore::batch_limit> _inserted;
};

class Migration {
 public:
  Migration(const Plan& plan, ExploreState& state, Ranks& ranks)
      : _plan(plan),
        _state(state),
        _ranks(ranks),
        _key_words(plan.layout().stored_words()),
        _words(plan.words()),
        _shape{_key_words, 2 * _words, false} {}

  void run() {
    const auto receive = [&](const Records& records) {
      if (_state.slots) return receive_keys(records);
      _received.insert(_received.end(), records.words, records.words + records.count * _shape.words());
    };
    _ranks.phase(_shape, Merging::none, receive, [&] {
      if (_state.slots)
        move_slots();
      else
        move_rows();
    });
  }

 private:
  /// Sends the row where it is another's. True: it is this rank's.
  bool is_own(const MovingRow& row) {
    const Allocation& allocation = _ranks.allocation();
    const int owner = allocation.owner(allocation.sum(row.key));
    if (owner == _ranks.rank()) return true;
    std::copy_n(row.key, _key_words, _ranks.exchange().record(owner));
    std::copy_n(row.reached, _words, _masks.begin());
    std::copy_n(row.waiting, _words, _masks.begin() + static_cast<std::ptrdiff_t>(_words));
    _ranks.exchange().commit(owner, 0, _masks.data());
    _state.states -= lanes_in(row.reached, _words);
    return false;
  }
  void finish_sending() {
    while (!_ranks.exchange().is_over(true)) {
    }
    for_each_received([&](const MovingRow& row) { _state.states += lanes_in(row.reached, _words); });
  }
  template <typename Visit>
  void for_each_received(Visit&& visit) const {
    for (const std::uint64_t* at = _received.data(); at != _received.data() + _received.size(); at += _shape.words())
      visit(MovingRow{at, at + _key_words, at + _key_words + _words});
  }

  /// Slots have one lane, so that a bit is all there is to keep beside the key.
  void receive_keys(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i) {
      _keys.push_back(*records.key(i));
      _is_waiting.push_back(records.mask(i)[_words] != 0);
    }
    _state.states += records.count;
  }

  void move_slots() {
    constexpr std::uint64_t reached = 1;
    _state.slots->keep_if([&](std::uint64_t key, bool is_marked) {
      const std::uint64_t waiting = is_marked ? 1 : 0;
      return is_own({&key, &reached, &waiting});
    });
    finish_sending();
    SlotStore& slots = *_state.slots;
    slots.reserve(slots.size() + _keys.size());
    for (std::size_t i = 0; i < _keys.size(); ++i) {
      const std::uint64_t prepared = slots.preparer().prepared(_keys[i]);
      std::uint64_t fresh = 0;
      slots.insert_prepared(std::span(&prepared, 1), &fresh);
      if (_is_waiting[i]) slots.mark_prepared(std::span(&prepared, 1));
    }
  }

  /// With one lane, rows that wait come after all others, as they must in a queue.
  void move_rows() {
    find_waiting();
    std::vector<bool> stays(_state.rows->size());
    for_each_row([&](RowStore::Row row, const MovingRow& moving) { stays[row] = is_own(moving); });
    finish_sending();
    ExploreState next = fresh_state(_plan, _state.choice, _state.budget);
    carry_figures(_state, next);
    RowAdder adder(_plan, next);
    for (const bool is_waiting : {false, true}) {
      const auto add = [&](const MovingRow& row) {
        if ((lanes_in(row.waiting, _words) != 0) == is_waiting) adder.add(row);
      };
      for_each_row([&](RowStore::Row row, const MovingRow& moving) {
        if (stays[row]) add(moving);
      });
      for_each_received(add);
      adder.finish();
      if (!is_waiting && !next.line.is_stack()) next.line.begin_at(next.rows->size());
    }
    _state = std::move(next);
  }

  void find_waiting() {
    if (_plan.leaf().empty() && !_state.line.is_stack()) return;
    _entry.assign(_state.rows->size(), 0);
    _state.line.for_each_on_stack([&](RowStore::Row row) { _entry[row] = 1; });
    for (std::uint64_t i = 0; i < _state.open.size(); ++i)
      _entry[_state.open.row(i)] = static_cast<std::uint32_t>(i + 1);
  }
  /// With one lane.
  bool is_waiting(RowStore::Row row) const {
    return _state.line.is_stack() ? _entry[row] != 0 : _state.line.is_waiting(row);
  }
  /// visit(row, key and lanes) for the rows as they were, in the order of their ids: stores with chains want parents
  /// first.
  template <typename Visit>
  void for_each_row(Visit&& visit) const {
    constexpr std::uint64_t one_lane = 1;
    const std::vector<std::uint64_t> nothing(_words, 0);
    std::vector<std::uint64_t> key(_key_words);
    for (RowStore::Row row = 0; row < _state.rows->size(); ++row) {
      _state.rows->key(row, key.data());
      if (_plan.leaf().empty()) {
        visit(row, {key.data(), &one_lane, is_waiting(row) ? &one_lane : nothing.data()});
        continue;
      }
      const std::uint64_t* const reached = _state.reached.data() + row * _words;
      const std::uint64_t* waiting = nothing.data();
      if (_entry[row] != 0) {
        waiting = _state.open.mask(_entry[row] - 1, _words);
        if (waiting == nullptr) waiting = reached;
      }
      visit(row, {key.data(), reached, waiting});
    }
  }

  const Plan& _plan;
  ExploreState& _state;
  Ranks& _ranks;
  std::size_t _key_words, _words;
  RecordShape _shape;
  std::vector<std::uint64_t> _received;  // records, where rows are dense
  std::vector<std::uint64_t> _keys;      // otherwise
  std::vector<bool> _is_waiting;         // by key
  std::vector<std::uint64_t> _masks = std::vector<std::uint64_t>(2 * _words);
  std::vector<std::uint32_t> _entry;  // per row, its entry among the open ones + 1; on a stack: 1
};

}  // namespace

void migrate(const Plan& plan, ExploreState& state, Ranks& ranks) {
  Migration(plan, state, ranks).run();
}

}  // namespace dcheck
