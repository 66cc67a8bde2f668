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

#include <array>

#include "dcheck/explore/state.hpp"
#include "dcheck/rows/mask.hpp"

namespace dcheck {

class SlotRows {
 public:
  static constexpr int mask_words = 1;
  static constexpr bool one_lane = true;

  SlotRows(const Plan&, ExploreState& state) : _state(state), _store(*state.slots) {}

  bool take(std::uint64_t* key, Mask<1>& lanes) {
    if (_next == _taken && !refill()) return false;
    key[0] = _open[_next++];
    lanes.word[0] = 1;
    return true;
  }
  std::uint64_t hash(const std::uint64_t*) const { return 0; }

  /// Room for `count` keys of one word; the caller writes some of them and says how many.
  std::uint64_t* room(std::size_t count) {
    if (_filled + count > batch) finish();
    return _found.data() + _filled;
  }
  void added(std::size_t count) { _filled += count; }

  std::uint64_t* begin_record() { return room(1); }
  void end_record(std::uint64_t, const Mask<1>&) { added(1); }
  void finish() {
    _state.states += _store.insert(std::span(_found.data(), _filled));
    _filled = 0;
  }
  /// Rows taken but not handled are marked again, so that the state is whole.
  void put_back() {
    for (; _next < _taken; ++_next)
      if (const auto slot = _store.find(_open[_next])) _store.mark(*slot);
  }
  Mask<1> grow_row(const Mask<1>&) { return {{0}}; }

  static constexpr std::size_t batch = 256;

 private:
  bool refill() {
    _next = 0;
    _taken = _store.take_marked(_open);
    if (_taken != 0) return true;
    finish();
    _taken = _store.take_marked(_open);
    return _taken != 0;
  }

  ExploreState& _state;
  SlotStore& _store;
  std::array<std::uint64_t, 64> _open;
  std::array<std::uint64_t, batch> _found;
  std::size_t _next = 0, _taken = 0, _filled = 0;
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
    if (_state.cursor == _store.size()) finish();
    if (_state.cursor == _store.size()) return false;
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
    if (_state.stack_size == 0) finish();
    if (_state.stack_size == 0) return false;
    _current = _state.stack[--_state.stack_size];
    _store.key(_current, key);
    std::uint64_t* pending = _state.pending.data() + _current * _ops.count();
    lanes = _ops.load(pending);
    _ops.store(pending, _ops.zero());
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
    _state.reached.ensure(rows * _ops.count());
    _state.pending.ensure(rows * _ops.count());
    _state.stack.ensure(rows);
    _batch.insert(
        [&](DenseStore::Row row) {
          __builtin_prefetch(_state.reached.data() + row * _ops.count(), 1);
          __builtin_prefetch(_state.pending.data() + row * _ops.count(), 1);
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

  void merge(DenseStore::Row row, const std::uint64_t* lanes) {
    std::uint64_t* reached = _state.reached.data() + row * _ops.count();
    std::uint64_t* pending = _state.pending.data() + row * _ops.count();
    Mask<W> fresh = _ops.load(lanes);
    _ops.drop(fresh, reached);
    if (!_ops.any(fresh)) return;
    _state.states += _ops.size(fresh);
    if (!_ops.any(_ops.load(pending))) _state.stack[_state.stack_size++] = row;
    for (std::size_t w = 0; w < _ops.count(); ++w) {
      reached[w] |= fresh.word[w];
      pending[w] |= fresh.word[w];
    }
  }

  ExploreState& _state;
  DenseStore& _store;
  MaskOps<W> _ops;
  DenseBatch<W> _batch;
  DenseStore::Row _current = 0;
};

}  // namespace dcheck
