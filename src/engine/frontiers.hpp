#pragma once
// A frontier is where rows wait and where what is found goes. Three kinds, one interface for the engines:
//
//   take(key, lanes)          the next row to handle and its waiting lanes; false: nothing waits (on this level)
//   begin_record(transition)  where to write the key of the row to which a transition leads from the row taken last,
//   is_aimed_away()           whether another rank owns that row
//   end_record(hash, lanes)   and its lanes; records are inserted in batches, or sent to their owner
//   add_found(key, lanes)     the same for a row that was found some other way
//   receive(records)          inserts what other ranks have found
//   send_found()              sends what was gathered for other ranks
//   finish()                  inserts what was gathered
//   row_lanes()               all lanes of the row taken last,
//   grow_row(lanes, more)     which are these now, so many more: found inside the row (closure)
//   has_next_level(), begin_level()   breadth-first in step: on to what was found on this level
//   put_back()                rows that wait outside the state go back into it, so that it is whole
//   shape(), hash(key)        of the records that are sent; what end_record() wants for a key
//
// What is sent may let records come in and be inserted at any end_record(): nothing may point into the store then.
//
// SlotFrontier    one lane, keys of one word: a SlotStore and its marks (slot_frontier.hpp)
// QueueFrontier    one lane, dense rows: a RowStore, rows handled in the order of their ids or youngest first; no masks
// LaneFrontier<W> many lanes: a RowStore, masks by row id, last in first out so that lanes gather

#include <vector>

#include "dcheck/rows/mask.hpp"
#include "dcheck/store/row_batch.hpp"
#include "engine/sender.hpp"

namespace dcheck {

class QueueFrontier {
 public:
  explicit QueueFrontier(StateSpace& space)
      : _state(space.state),
        _queue(_state.queue),
        _store(*_state.rows),
        _sender(space),
        _batch(_store, space.plan->layout().stored_words()),
        _key_words(space.plan->layout().stored_words()) {}

  RecordShape shape() const { return {_key_words, 0, false}; }

  bool take(std::uint64_t* key) {
    const bool is_behind = _queue.is_stack() && !_batch.empty();  // the youngest row is not on the stack yet
    if ((is_behind || !_queue.has_next()) && !find_more()) return false;
    _via.parent = _queue.take(_store, key, _key_words);
    _sender.begin_row(key);
    return true;
  }
  std::uint64_t hash(const std::uint64_t* key) const { return _store.linear_hash(key); }
  std::uint64_t* begin_record(PlanTransition transition) {
    _via.transition = transition;
    return _sender.aim_after(transition) ? _sender.record() : begin_own();
  }
  bool is_aimed_away() const { return _sender.is_aimed_away(); }
  void end_record(std::uint64_t hash) {
    if (_sender.is_aimed_away()) return _sender.commit(hash, nullptr, 1);
    _batch.end(hash, _via);
  }
  void add_found(const std::uint64_t* key, const std::uint64_t*) {
    if (_sender.aim_at(key)) {
      copy_words(_sender.record(), key, _key_words);
      _sender.commit(hash(key), nullptr, 1);
    } else {
      add_own(key);
    }
  }
  void receive(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i) add_own(records.key(i));
  }
  void finish() {
    const std::uint64_t before = _store.size();
    _batch.insert();
    _state.counts.states += _store.size() - before;
    if (_queue.is_number_only()) return _queue.add_below(_store.size());
    _batch.for_each_inserted([&](const RowStore::Inserted& at, const std::uint64_t* key, std::size_t) {
      if (at.is_new) _queue.add(at.row, key);
    });
  }
  void send_found() {}
  void put_back() {}

  /// Ids are given in order of discovery, so a level is what was found while the one before was handled.
  bool has_next_level() const { return _queue.has_next_level(); }
  void begin_level() {
    _queue.begin_level();
    ++_state.levels_begun;
  }

 private:
  static constexpr std::size_t batch = 64;

  std::uint64_t* begin_own() {
    if (_batch.is_full(batch)) finish();
    return _batch.begin();
  }
  void add_own(const std::uint64_t* key) {
    copy_words(begin_own(), key, _key_words);
    _batch.end(hash(key), {});
  }
  bool find_more() {
    finish();
    if (!_state.choice.by_level) _queue.begin_level();
    return _queue.has_next();
  }

  ExploreState& _state;
  RowQueue& _queue;
  RowStore& _store;
  Sender<any_words, 0> _sender;
  RowBatch _batch;
  std::size_t _key_words;
  Via _via;  // the row taken last, and what is fired
};

template <int W>
class LaneFrontier {
 public:
  static constexpr int mask_words = W;
  static constexpr bool one_lane = false;

  explicit LaneFrontier(StateSpace& space)
      : _state(space.state),
        _store(*_state.rows),
        _sender(space),
        _ops(space.plan->words()),
        _batch(_store, space.plan->layout().stored_words()),
        _masks(_ops.count() * RowStore::batch_limit),
        _key_words(space.plan->layout().stored_words()),
        _is_depth_first(_state.choice.order == Order::depth_first) {}

  RecordShape shape() const { return {_key_words, _ops.count(), false}; }

  bool take(std::uint64_t* key, Mask<W>& lanes) {
    if (_state.open.empty() || _is_depth_first) finish();
    if (_state.open.empty()) return false;
    const OpenRows::Taken next = _state.open.take(_ops.count());
    _via.parent = next.row;
    lanes = _ops.load(next.lanes != nullptr ? next.lanes : _state.reached[next.row]);
    if (next.key != nullptr)
      copy_words(key, next.key, _key_words);
    else
      _store.key(next.row, key);
    _sender.begin_row(key);
    return true;
  }
  std::uint64_t hash(const std::uint64_t* key) const { return _store.linear_hash(key); }

  std::uint64_t* begin_record(PlanTransition transition) {
    _via.transition = transition;
    return _sender.aim_after(transition) ? _sender.record() : begin_own();
  }
  bool is_aimed_away() const { return _sender.is_aimed_away(); }
  void end_record(std::uint64_t hash, const Mask<W>& lanes) {
    if (_sender.is_aimed_away()) return _sender.commit(hash, lanes.word.data(), _ops.size(lanes));
    end_own(hash, _via, lanes);
  }
  void add_found(const std::uint64_t* key, const std::uint64_t* lanes) {
    if (_sender.aim_at(key)) {
      copy_words(_sender.record(), key, _key_words);
      _sender.commit(hash(key), lanes, _ops.size(_ops.load(lanes)));
    } else {
      add_own(key, lanes);
    }
  }
  void receive(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i) add_own(records.key(i), records.mask(i));
  }

  void finish() {
    if (_batch.empty()) return;
    const std::size_t rows = _store.size() + RowStore::batch_limit;
    _state.ensure_rows(rows, RowStore::batch_limit, _ops.count());
    _batch.insert();
    _batch.for_each_inserted([&](const RowStore::Inserted& at, const std::uint64_t*, std::size_t) {
      _state.reached.prefetch(at.row);
      _state.found().prefetch(at.row);
    });
    _batch.for_each_inserted([&](const RowStore::Inserted& at, const std::uint64_t* key, std::size_t i) {
      merge(at.row, key, _masks.data() + i * _ops.count());
    });
  }
  void send_found() {}
  void put_back() {}

  bool has_next_level() const { return !_state.next.empty(); }
  void begin_level() {
    std::swap(_state.open, _state.next);
    ++_state.levels_begun;
  }

  Mask<W> row_lanes() const { return _ops.load(_state.reached[_via.parent]); }
  void grow_row(const Mask<W>& lanes, std::uint64_t more) {
    _state.reached.set(_via.parent, lanes.word.data());
    _state.counts.states += more;
  }

 private:
  // Small enough that what is found is soon on the stack, large enough to overlap cache misses.
  static constexpr std::size_t batch = 32;

  std::uint64_t* begin_own() {
    if (_batch.is_full(batch)) finish();
    return _batch.begin();
  }

  void end_own(std::uint64_t hash, const Via& via, const Mask<W>& lanes) {
    _ops.store(_masks.data() + _batch.number() * _ops.count(), lanes);
    _batch.end(hash, via);
  }

  void add_own(const std::uint64_t* key, const std::uint64_t* lanes) {
    copy_words(begin_own(), key, _key_words);
    end_own(hash(key), {}, _ops.load(lanes));
  }

  void merge(RowStore::Row row, const std::uint64_t* key, const std::uint64_t* lanes) {
    Mask<W> all = _ops.load(_state.reached[row]);
    Mask<W> fresh = _ops.load(lanes);
    _ops.drop(fresh, all.word.data());
    if (!_ops.any(fresh)) return;
    _state.counts.states += _ops.size(fresh);
    const bool is_new = !_ops.any(all);
    _ops.join(all, fresh);
    _state.reached.set(row, all.word.data());
    if (!_state.choice.by_level && is_new) return _state.open.open_whole(row, key);
    std::uint64_t* const waiting = _state.found().open(row, _ops.count(), key);
    if (waiting == nullptr) return;
    for (std::size_t w = 0; w < _ops.count(); ++w) waiting[w] |= fresh.word[w];
  }

  ExploreState& _state;
  RowStore& _store;
  Sender<any_words, W == 0 ? any_words : W> _sender;
  MaskOps<W> _ops;
  RowBatch _batch;
  std::vector<std::uint64_t> _masks;  // of the batch
  std::size_t _key_words;
  bool _is_depth_first;
  Via _via;  // the row taken last, and what is fired
};

}  // namespace dcheck
