#pragma once
// Three ways in which the explored rows lie in memory, one interface for all who walk over them:
//
//   key_words                   of a stored key, where the compiler knows it
//   key(row, out)               the stored key
//   begin() / end(hash, lanes)  a record: the key of a row to look up, and lanes of it
//   flush(fetch, merge)         looks all records up: fetch(row) as soon as a row is known, then
//                               merge(row, lanes); rows that do not exist drop out
//   forget()                    drops all records
//   get / add / drop / fetch    the lanes of a row in a set
//   for_each_row(visit(row))    every row once, in an order in which its key is cheap to read
//
// SlotView          one lane, keys of one word; a row is a slot
// OneLaneView       one lane, dense rows
// ManyLanesView<W>  many lanes

#include <array>

#include "dcheck/comm/exchange/records.hpp"
#include "dcheck/rows/mask.hpp"
#include "dcheck/space/state_space.hpp"
#include "dcheck/walk/state_set.hpp"

namespace dcheck {

/// Sets with one bit per row.
class OneLane {
 public:
  static constexpr int mask_words = 1;
  static constexpr bool one_lane = true;

  static Mask<1> get(const StateSet& set, Row row) { return {{set.data()[index(row) / 64] >> (index(row) % 64) & 1}}; }
  static void add(StateSet& set, Row row, const Mask<1>& lanes) {
    set.data()[index(row) / 64] |= lanes.word[0] << (index(row) % 64);
  }
  static void drop(StateSet& set, Row row, const Mask<1>& lanes) {
    set.data()[index(row) / 64] &= ~(lanes.word[0] << (index(row) % 64));
  }
  static void fetch(const StateSet& set, Row row) { __builtin_prefetch(set.data() + index(row) / 64, 1); }
  static SetShape set_shape(std::uint64_t rows) { return {rows / 64 + 1, 1, LaneMasks::Form::plain}; }
};

/// Sets with a mask of W words per row; 0: as many as the plan says.
template <int W>
class ManyLanes {
 public:
  static constexpr int mask_words = W;
  static constexpr bool one_lane = false;

  explicit ManyLanes(std::size_t words) : _ops(words) {}

  /// The words of a row's mask.
  const std::uint64_t* words(const StateSet& set, Row row) const {
    return !set.is_plain() ? set.mask(index(row)) : set.data() + index(row) * _ops.count();
  }
  Mask<W> get(const StateSet& set, Row row) const { return _ops.load(words(set, row)); }
  void put(StateSet& set, Row row, const Mask<W>& lanes) const {
    if (!set.is_plain())
      set.set_mask(index(row), lanes.word.data());
    else
      _ops.store(set.data() + index(row) * _ops.count(), lanes);
  }
  void add(StateSet& set, Row row, const Mask<W>& lanes) const {
    Mask<W> all = get(set, row);
    _ops.join(all, lanes);
    put(set, row, all);
  }
  void drop(StateSet& set, Row row, const Mask<W>& lanes) const {
    Mask<W> left = get(set, row);
    _ops.drop(left, lanes.word.data());
    put(set, row, left);
  }
  void fetch(const StateSet& set, Row row) const {
    if (!set.is_plain())
      set.fetch_mask(index(row));
    else
      __builtin_prefetch(set.data() + index(row) * _ops.count(), 1);
  }

 private:
  MaskOps<W> _ops;
};

class SlotView : public OneLane {
 public:
  static constexpr int key_words = 1;

  explicit SlotView(const StateSpace& space) : _store(*space.state.slots) {}

  std::uint64_t row_limit() const { return _store.capacity(); }
  SetShape set_shape() const { return OneLane::set_shape(row_limit()); }
  void key(Row row, std::uint64_t* out) const { out[0] = _store.key_at(index(row)); }
  std::uint64_t hash(const std::uint64_t*) const { return 0; }
  std::optional<Row> find(const std::uint64_t* key) const {
    const auto slot = _store.find(key[0]);
    return slot ? std::optional(Row{*slot}) : std::nullopt;
  }

  template <typename Visit>
  void for_each_row(Visit&& visit) const {
    _store.for_each([&](std::uint64_t slot, std::uint64_t, bool) { visit(Row{slot}); });
  }
  StateSet reached_states(SetPool& sets) const {
    StateSet reached = sets.empty_set();
    for_each_row([&](Row row) { add(reached, row, {{1}}); });
    return reached;
  }

  bool is_full() const { return _count == batch; }
  bool is_idle() const { return _count == 0; }
  void forget() { _count = 0; }
  std::uint64_t* begin() { return &_key; }
  [[gnu::always_inline]] void end(std::uint64_t, const Mask<1>&) {
    const SlotStore::Preparer prepare = _store.preparer();
    _prepared[_count] = prepare.prepared(_key);
    prepare.fetch(_prepared[_count++]);
  }
  template <typename Fetch, typename Merge>
  void flush(Fetch&& fetch_row, Merge&& merge) {
    const std::size_t count = _count;
    _count = 0;
    _store.find_prepared(std::span(_prepared).first(count), _slots.data());
    for (std::size_t i = 0; i < count; ++i)
      if (_slots[i] != SlotStore::none) fetch_row(Row{_slots[i]});
    for (std::size_t i = 0; i < count; ++i)
      if (_slots[i] != SlotStore::none) merge(Row{_slots[i]}, Mask<1>{{1}});
  }

 private:
  static constexpr std::size_t batch = 128;
  const SlotStore& _store;
  std::uint64_t _key = 0;
  std::size_t _count = 0;
  std::array<std::uint64_t, batch> _prepared, _slots;
};

/// What views of a RowStore share: Access tells how sets hold the lanes of a row.
template <typename Access>
class DenseView : public Access {
 public:
  static constexpr int width = Access::mask_words;
  static constexpr int key_words = any_words;

  DenseView(const StateSpace& space, Access access)
      : Access(access),
        _store(*space.state.rows),
        _ops(space.plan->words()),
        _key_words(space.plan->layout().stored_words()),
        _keys(_key_words * RowStore::batch_limit),
        _masks(_ops.count() * RowStore::batch_limit) {}

  std::uint64_t row_limit() const { return _store.size(); }
  void key(Row row, std::uint64_t* out) const { _store.key(static_cast<RowStore::Row>(row), out); }
  std::uint64_t hash(const std::uint64_t* key) const { return _store.linear_hash(key); }
  std::optional<Row> find(const std::uint64_t* key) const {
    const auto row = _store.find(key);
    return row ? std::optional(Row{*row}) : std::nullopt;
  }

  template <typename Visit>
  void for_each_row(Visit&& visit) const {
    _store.for_each([&](RowStore::Row row) { visit(Row{row}); });
  }

  bool is_full() const { return _count == batch; }
  bool is_idle() const { return _count == 0; }
  void forget() { _count = 0; }
  std::uint64_t* begin() { return _keys.data() + _count * _key_words; }
  [[gnu::always_inline]] void end(std::uint64_t hash, const Mask<width>& lanes) {
    _ops.store(_masks.data() + _count * _ops.count(), lanes);
    _hashes[_count++] = hash;
  }
  template <typename Fetch, typename Merge>
  void flush(Fetch&& fetch_row, Merge&& merge) {
    const std::size_t count = _count;
    _count = 0;
    _store.find(std::span(_keys).first(count * _key_words), std::span(_hashes).first(count),
                std::span(_rows).first(count));
    for (std::size_t i = 0; i < count; ++i)
      if (_rows[i] != RowStore::none) fetch_row(Row{_rows[i]});
    for (std::size_t i = 0; i < count; ++i)
      if (_rows[i] != RowStore::none) merge(Row{_rows[i]}, _ops.load(_masks.data() + i * _ops.count()));
  }

 protected:
  RowStore& _store;
  MaskOps<width> _ops;

 private:
  // Many lanes: small, so that what is found is soon on the stack and gathers lanes there.
  static constexpr std::size_t batch = Access::one_lane ? RowStore::batch_limit : 32;
  std::size_t _key_words, _count = 0;
  std::vector<std::uint64_t> _keys, _masks;
  std::array<std::uint64_t, RowStore::batch_limit> _hashes;
  std::array<RowStore::Row, RowStore::batch_limit> _rows;
};

class OneLaneView : public DenseView<OneLane> {
 public:
  explicit OneLaneView(const StateSpace& space) : DenseView(space, OneLane()) {}

  SetShape set_shape() const { return OneLane::set_shape(row_limit()); }

  StateSet reached_states(SetPool& sets) const {
    StateSet reached = sets.empty_set();
    for (const Row row : FirstIds<Row>(row_limit())) add(reached, row, {{1}});
    return reached;
  }
};

template <int W>
class ManyLanesView : public DenseView<ManyLanes<W>> {
 public:
  explicit ManyLanesView(const StateSpace& space)
      : DenseView<ManyLanes<W>>(space, ManyLanes<W>(space.plan->words())), _state(space.state) {}

  /// Where the reached states have numbers, so have large sets, until their masks turn out to be too different. Small
  /// ones are faster without. One row at least: also where a rank has none, a set is something.
  SetShape set_shape() const {
    SetShape shape{std::max<std::size_t>(1, this->row_limit()), this->_ops.count(), LaneMasks::Form::plain};
    const bool pays = shape.bytes() >= large_set || _state.choice.masks == MaskForm::numbered;
    if (_state.reached.is_numbered() && pays) shape.form = LaneMasks::Form::numbered;
    return shape;
  }
  /// The exploration's own masks.
  StateSet reached_states(SetPool& sets) const {
    return this->row_limit() == 0 ? sets.empty_set() : StateSet::view_of(_state.reached);
  }

 private:
  static constexpr std::uint64_t large_set = std::uint64_t{32} << 20;  // bytes: more than caches hold
  const ExploreState& _state;
};

}  // namespace dcheck
