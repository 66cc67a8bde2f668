#pragma once
// Three ways to keep rows and their waiting lanes, one interface for the engines:
//
//   take(key, lanes)          the next row to handle and its waiting lanes; false: nothing waits (on this level)
//   begin_record(transition)  where to write the key of the row to which a transition leads from the row taken last,
//   end_record(hash, lanes)   and its lanes; records are inserted in batches, or sent to their owner
//   add_found(key, lanes)     the same for a row that was found some other way
//   receive(records)          inserts what other ranks have found
//   send_found()              sends what was gathered for other ranks
//   finish()                  inserts what was gathered
//   grow_row(new lanes)       lanes found inside the row taken last (closure); returns the new ones
//   has_next_level(), begin_level()   breadth-first in step: on to what was found on this level
//
// What is sent may let records come in and be inserted at any end_record(): nothing may point into the store then.
//
// SlotRows    one lane, keys of one word: a SlotStore and its marks (slot_rows.hpp)
// LineRows    one lane, wide keys: a DenseStore, rows handled in the order of their ids; no masks
// MaskRows<W> many lanes: a DenseStore, masks by row id, last in first out so that lanes gather

#include <algorithm>
#include <array>

#include "dcheck/rows/mask.hpp"
#include "explore/sender.hpp"

namespace dcheck {

/// Gathers records (key, hash, mask) for a DenseStore and inserts them in batches.
template <int W>
class DenseBatch {
 public:
  DenseBatch(const Plan& plan, DenseStore& store)
      : _store(store),
        _ops(plan.words()),
        _key_words(plan.layout().stored_words()),
        _keys(_key_words * DenseStore::batch_limit),
        _masks(W == 1 ? DenseStore::batch_limit : plan.words() * DenseStore::batch_limit) {}

  bool is_full(std::size_t limit) const { return _count >= limit; }
  bool empty() const { return _count == 0; }

  /// Where to write the next record's key; it counts once it is ended.
  std::uint64_t* begin() { return _keys.data() + _count * _key_words; }
  void end(std::uint64_t hash, const Mask<W>& lanes) {
    _ops.store(_masks.data() + _count * _ops.count(), lanes);
    _hashes[_count++] = hash;
  }

  /// prepare(row) for each record as soon as its row is known, then merge(inserted, mask).
  template <typename Prepare, typename Merge>
  void insert(Prepare&& prepare, Merge&& merge) {
    _store.insert(std::span(_keys).first(_count * _key_words), std::span(_hashes).first(_count),
                  std::span(_inserted).first(_count));
    for (std::size_t i = 0; i < _count; ++i) prepare(_inserted[i].row);
    for (std::size_t i = 0; i < _count; ++i) merge(_inserted[i], _masks.data() + i * _ops.count());
    _count = 0;
  }

 private:
  DenseStore& _store;
  MaskOps<W> _ops;
  std::size_t _key_words, _count = 0;
  std::vector<std::uint64_t> _keys, _masks;
  std::array<std::uint64_t, DenseStore::batch_limit> _hashes;
  std::array<DenseStore::Inserted, DenseStore::batch_limit> _inserted;
};

class LineRows {
 public:
  LineRows(const Plan& plan, ExploreState& state, Ranks& ranks)
      : _state(state),
        _store(*state.rows),
        _sender(ranks, state),
        _batch(plan, _store),
        _key_words(plan.layout().stored_words()) {}

  RecordShape shape() const { return {_key_words, 0, false}; }

  bool take(std::uint64_t* key) {
    if (_state.cursor == _state.level_end && !find_more()) return false;
    _store.key(static_cast<DenseStore::Row>(_state.cursor++), key);
    _sender.begin_row(key);
    return true;
  }
  std::uint64_t hash(const std::uint64_t* key) const { return _store.linear_hash(key); }
  std::uint64_t* begin_record(std::size_t transition) {
    return _sender.aim_after(transition) ? _sender.record() : begin_own();
  }
  void end_record(std::uint64_t hash) {
    if (_sender.is_aimed_away()) return _sender.commit(hash, nullptr, 1);
    _batch.end(hash, {{1}});
  }
  void add_found(const std::uint64_t* key, const std::uint64_t*) {
    copy_words(_sender.aim_at(key) ? _sender.record() : begin_own(), key, _key_words);
    end_record(hash(key));
  }
  void receive(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i) {
      copy_words(begin_own(), records.key(i), _key_words);
      _batch.end(hash(records.key(i)), {{1}});
    }
  }
  void finish() {
    const std::uint64_t before = _store.size();
    _batch.insert([](DenseStore::Row) {}, [](const DenseStore::Inserted&, const std::uint64_t*) {});
    _state.states += _store.size() - before;
  }
  void send_found() {}
  void put_back() {}

  /// Ids are given in order of discovery, so a level is what was found while the one before was handled.
  bool has_next_level() const { return _state.level_end != _store.size(); }
  void begin_level() {
    _state.level_end = _store.size();
    ++_state.levels_begun;
  }

 private:
  static constexpr std::size_t batch = 64;

  std::uint64_t* begin_own() {
    if (_batch.is_full(batch)) finish();
    return _batch.begin();
  }
  bool find_more() {
    finish();
    if (!_state.by_level) _state.level_end = _store.size();
    return _state.cursor != _state.level_end;
  }

  ExploreState& _state;
  DenseStore& _store;
  Sender<any_words, 0> _sender;
  DenseBatch<1> _batch;
  std::size_t _key_words;
};

template <int W>
class MaskRows {
 public:
  static constexpr int mask_words = W;
  static constexpr bool one_lane = false;

  MaskRows(const Plan& plan, ExploreState& state, Ranks& ranks)
      : _state(state),
        _store(*state.rows),
        _sender(ranks, state),
        _ops(plan.words()),
        _batch(plan, _store),
        _key_words(plan.layout().stored_words()) {}

  RecordShape shape() const { return {_key_words, _ops.count(), false}; }

  bool take(std::uint64_t* key, Mask<W>& lanes) {
    if (_state.open.empty()) finish();
    if (_state.open.empty()) return false;
    const auto [row, waiting] = _state.open.take(_ops.count());
    _current = row;
    lanes = _ops.load(waiting != nullptr ? waiting : _state.reached.data() + row * _ops.count());
    _store.key(row, key);
    _sender.begin_row(key);
    return true;
  }
  std::uint64_t hash(const std::uint64_t* key) const { return _store.linear_hash(key); }

  std::uint64_t* begin_record(std::size_t transition) {
    return _sender.aim_after(transition) ? _sender.record() : begin_own();
  }
  void end_record(std::uint64_t hash, const Mask<W>& lanes) {
    if (_sender.is_aimed_away()) return _sender.commit(hash, lanes.word.data(), _ops.size(lanes));
    _batch.end(hash, lanes);
  }
  void add_found(const std::uint64_t* key, const std::uint64_t* lanes) {
    copy_words(_sender.aim_at(key) ? _sender.record() : begin_own(), key, _key_words);
    end_record(hash(key), _ops.load(lanes));
  }
  void receive(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i) {
      copy_words(begin_own(), records.key(i), _key_words);
      _batch.end(hash(records.key(i)), _ops.load(records.mask(i)));
    }
  }

  void finish() {
    if (_batch.empty()) return;
    const std::size_t rows = _store.size() + DenseStore::batch_limit;
    _state.ensure_rows(rows, DenseStore::batch_limit, _ops.count());
    _batch.insert(
        [&](DenseStore::Row row) {
          __builtin_prefetch(_state.reached.data() + row * _ops.count(), 1);
          _state.found().prefetch(row);
        },
        [&](const DenseStore::Inserted& at, const std::uint64_t* lanes) { merge(at.row, lanes); });
  }
  void send_found() {}
  void put_back() {}

  bool has_next_level() const { return !_state.next.empty(); }
  void begin_level() {
    std::swap(_state.open, _state.next);
    ++_state.levels_begun;
  }

  /// The lanes of `found` that the current row did not have; they are reached now, not pending.
  Mask<W> grow_row(const Mask<W>& found) {
    std::uint64_t* reached = _state.reached.data() + _current * _ops.count();
    Mask<W> fresh = found;
    _ops.drop(fresh, reached);
    for (std::size_t w = 0; w < _ops.count(); ++w) reached[w] |= fresh.word[w];
    _state.states += _ops.size(fresh);
    return fresh;
  }

 private:
  // Small enough that what is found is soon on the stack, large enough to overlap cache misses.
  static constexpr std::size_t batch = 32;

  std::uint64_t* begin_own() {
    if (_batch.is_full(batch)) finish();
    return _batch.begin();
  }

  void merge(DenseStore::Row row, const std::uint64_t* lanes) {
    std::uint64_t* reached = _state.reached.data() + row * _ops.count();
    Mask<W> fresh = _ops.load(lanes);
    _ops.drop(fresh, reached);
    if (!_ops.any(fresh)) return;
    _state.states += _ops.size(fresh);
    if (!_state.by_level && !_ops.any(_ops.load(reached))) {
      _state.open.open_whole(row);
      _ops.store(reached, fresh);
      return;
    }
    std::uint64_t* const waiting = _state.found().open(row, _ops.count());
    for (std::size_t w = 0; w < _ops.count(); ++w) reached[w] |= fresh.word[w];
    if (waiting == nullptr) return;
    for (std::size_t w = 0; w < _ops.count(); ++w) waiting[w] |= fresh.word[w];
  }

  ExploreState& _state;
  DenseStore& _store;
  Sender<any_words, W == 0 ? any_words : W> _sender;
  MaskOps<W> _ops;
  DenseBatch<W> _batch;
  std::size_t _key_words;
  DenseStore::Row _current = 0;
};

}  // namespace dcheck
