#pragma once
// Three ways to keep rows and their waiting lanes, one interface for the engines:
//
//   take(key, lanes)          the next row to handle and its waiting lanes; false: nothing waits
//   begin_record()            where to write the key of a row that was found,
//   end_record(hash, lanes)   and its lanes; records are inserted in batches
//   finish()                  inserts what was gathered
//   grow_row(new lanes)       lanes found inside the row taken last (closure); returns the new ones
//
// SlotRows    one lane, keys of one word: a SlotStore and its marks
// LineRows    one lane, wide keys: a DenseStore, rows handled in the order of their ids; no masks
// MaskRows<W> many lanes: a DenseStore, masks by row id, last in first out so that lanes gather

#include <algorithm>
#include <array>

#include "dcheck/explore/state.hpp"
#include "dcheck/rows/mask.hpp"

namespace dcheck {

class SlotRows {
 public:
  static constexpr int mask_words = 1;
  static constexpr bool one_lane = true;

  SlotRows(const Plan&, ExploreState& state)
      : _state(state), _store(*state.slots), _recent(recent_keys), _open(first_open_keys) {
    // No key x is remembered in a place other than x % recent_keys, so these are nobody's.
    for (std::size_t i = 0; i < recent_keys; ++i) _recent[i] = i ^ 1;
    charge(first_open_keys * 8);
  }

  ~SlotRows() {
    if (_state.budget != nullptr) _state.budget->used -= _charged;
  }
  SlotRows(const SlotRows&) = delete;
  SlotRows& operator=(const SlotRows&) = delete;

  bool take(std::uint64_t* key, Mask<1>& lanes) {
    if (_open_begin == _open_end && !refill()) return false;
    key[0] = _store.key_of(take_oldest());
    lanes.word[0] = 1;
    return true;
  }
  std::uint64_t hash(const std::uint64_t*) const { return 0; }

  std::uint64_t* begin_record() { return &_key; }
  void end_record(std::uint64_t, const Mask<1>&) { add(std::span(&_key, 1)); }

  /// At most `most_at_once` keys. No branch on whether a key is a repeat: nobody could predict it.
  void add(std::span<const std::uint64_t> keys) {
    const SlotStore::Preparer prepare = _store.preparer();
    std::uint64_t* const recent = _recent.data();
    std::uint64_t* end = _found.data() + _filled;
    for (const std::uint64_t key : keys) {
      const std::uint64_t x = prepare.prepared(key);
      *end = x;
      end += recent[x % recent_keys] != x ? 1 : 0;
      recent[x % recent_keys] = x;
      prepare.fetch(x);
    }
    _filled = static_cast<std::size_t>(end - _found.data());
    if (_filled >= in_flight + batch) insert_all_but(in_flight);
  }
  void finish() { insert_all_but(0); }

  /// Rows that wait outside the store are marked in it, so that the state is whole.
  void put_back() {
    while (_open_begin != _open_end) {
      const std::uint64_t x = take_oldest();
      _store.mark_prepared(std::span(&x, 1));
    }
  }
  Mask<1> grow_row(const Mask<1>&) { return {{0}}; }

  static constexpr std::size_t most_at_once = 64;

 private:
  // The youngest keys' slots are still being fetched while the older ones are inserted.
  static constexpr std::size_t in_flight = 64, batch = 64;
  // New keys are handled in the order of their discovery: relatives are found at about the same time,
  // and a small memory of recent keys keeps about half of the repeats from the table. The ring of open
  // keys takes at most two bytes a key; what does not fit is marked in the table and found again when
  // nothing else is left.
  static constexpr std::size_t first_open_keys = 4096, recent_keys = 4096;

  void insert_all_but(std::size_t rest) {
    const std::size_t count = _filled - std::min(_filled, rest);
    const std::size_t fresh = _store.insert_prepared(std::span(_found).first(count), _fresh.data());
    _state.states += fresh;
    while (_open_end - _open_begin + fresh > _open.size() && may_widen_ring()) widen_ring();
    const std::size_t fit = std::min(fresh, _open.size() - (_open_end - _open_begin));
    for (std::size_t i = 0; i < fit; ++i) append(_fresh[i]);
    _store.mark_prepared(std::span(_fresh).subspan(fit, fresh - fit));
    std::copy(_found.data() + count, _found.data() + _filled, _found.data());
    _filled -= count;
  }

  void charge(std::size_t bytes) {
    _charged += bytes;
    _state.ring_bytes = std::max(_state.ring_bytes, _charged);
    if (_state.budget != nullptr) _state.budget->used += bytes;
  }
  std::uint64_t take_oldest() { return _open[_open_begin++ & (_open.size() - 1)]; }
  void append(std::uint64_t x) { _open[_open_end++ & (_open.size() - 1)] = x; }
  bool may_widen_ring() const {
    return _open.size() * 8 <= _store.size() &&
           (_state.budget == nullptr || _state.budget->has_room_for(2 * _open.size() * 8));
  }
  void widen_ring() {
    charge(_open.size() * 8);  // the ring becomes twice as long
    std::vector<std::uint64_t> wider(2 * _open.size());
    const std::size_t count = _open_end - _open_begin;
    for (std::size_t i = 0; i < count; ++i) wider[i] = take_oldest();
    _open = std::move(wider);
    _open_begin = 0;
    _open_end = count;
  }

  bool refill() {
    finish();
    if (_open_begin != _open_end) return true;
    const std::size_t taken = _store.take_marked(std::span(_fresh).first(batch));
    for (std::size_t i = 0; i < taken; ++i) append(_store.preparer().prepared(_fresh[i]));
    return taken != 0;
  }

  ExploreState& _state;
  SlotStore& _store;
  std::vector<std::uint64_t> _recent, _open;
  std::array<std::uint64_t, in_flight + batch + most_at_once> _found, _fresh;
  std::uint64_t _key = 0;
  std::size_t _open_begin = 0, _open_end = 0, _filled = 0, _charged = 0;
};

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
  LineRows(const Plan& plan, ExploreState& state) : _state(state), _store(*state.rows), _batch(plan, _store) {}

  bool take(std::uint64_t* key) {
    if (_state.cursor == _state.level_end && !begin_level()) return false;
    _store.key(static_cast<DenseStore::Row>(_state.cursor++), key);
    return true;
  }
  std::uint64_t hash(const std::uint64_t* key) const { return _store.linear_hash(key); }
  std::uint64_t* begin_record() {
    if (_batch.is_full(batch)) finish();
    return _batch.begin();
  }
  void end_record(std::uint64_t hash) { _batch.end(hash, {{1}}); }
  void finish() {
    const std::uint64_t before = _store.size();
    _batch.insert([](DenseStore::Row) {}, [](const DenseStore::Inserted&, const std::uint64_t*) {});
    _state.states += _store.size() - before;
  }

 private:
  static constexpr std::size_t batch = 64;

  /// Ids are given in order of discovery, so a level is what was found while the one before was handled.
  bool begin_level() {
    finish();
    if (_state.cursor == _store.size() || (_state.by_level && !_state.parked.empty())) return false;
    _state.level_end = _store.size();
    ++_state.levels_begun;
    return true;
  }

  ExploreState& _state;
  DenseStore& _store;
  DenseBatch<1> _batch;
};

template <int W>
class MaskRows {
 public:
  static constexpr int mask_words = W;
  static constexpr bool one_lane = false;

  MaskRows(const Plan& plan, ExploreState& state)
      : _state(state), _store(*state.rows), _ops(plan.words()), _batch(plan, _store) {}

  bool take(std::uint64_t* key, Mask<W>& lanes) {
    if (_state.open.empty()) finish();
    if (_state.open.empty() && !begin_level()) return false;
    const auto [row, waiting] = _state.open.take(_ops.count());
    _current = row;
    lanes = _ops.load(waiting != nullptr ? waiting : _state.reached.data() + row * _ops.count());
    _store.key(row, key);
    return true;
  }
  std::uint64_t hash(const std::uint64_t* key) const { return _store.linear_hash(key); }

  std::uint64_t* begin_record() {
    if (_batch.is_full(batch)) finish();
    return _batch.begin();
  }
  void end_record(std::uint64_t hash, const Mask<W>& lanes) { _batch.end(hash, lanes); }

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
  void put_back() {}

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

  bool begin_level() {
    if (_state.next.empty() || !_state.parked.empty()) return false;
    std::swap(_state.open, _state.next);
    ++_state.levels_begun;
    return true;
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
  MaskOps<W> _ops;
  DenseBatch<W> _batch;
  DenseStore::Row _current = 0;
};

}  // namespace dcheck
