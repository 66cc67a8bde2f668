#pragma once
// Where rows wait that are known by hashes alone (space/lossy_rows.hpp). Every rank handles what it finds by itself:
// nothing is sent. For W see engine/frontiers.hpp.

#include <array>
#include <utility>
#include <vector>

#include "dcheck/rows/mask.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

template <int W>
class LossyFrontier {
 public:
  static constexpr int mask_words = W;
  static constexpr bool one_lane = false;

  explicit LossyFrontier(StateSpace& space)
      : _state(space.state),
        _rows(*_state.lossy),
        _ops(space.plan->words()),
        _key_words(space.plan->layout().stored_words()),
        _waiting_before(_rows.waiting()),
        _key(_key_words),
        _keys(_key_words * LossySet::batch_limit),
        _masks(_ops.count() * LossySet::batch_limit) {}

  RecordShape shape() const { return {_key_words, _ops.count(), false}; }

  bool take(std::uint64_t* key, Mask<W>& lanes) {
    end_row();
    if (!_rows.take(_key.data(), lanes.word.data())) return false;
    copy_words(key, _key.data(), _key_words);
    _hash = _rows.hash(key);
    _waiting_before = _rows.waiting();
    return true;
  }
  std::uint64_t hash(const std::uint64_t*) const { return 0; }  // what end_record() gets is of no use here

  std::uint64_t* begin_record(PlanTransition transition) {
    if (_count == LossySet::batch_limit) finish();
    _by[_count] = transition;
    return _keys.data() + _count * _key_words;
  }
  void end_record(std::uint64_t /*linear*/, const Mask<W>& lanes) {
    _ops.store(_masks.data() + _count * _ops.count(), lanes);
    _hashes[_count] = _rows.hash(_keys.data() + _count * _key_words);
    ++_count;
  }
  void finish() {
    const std::size_t count = std::exchange(_count, 0);
    _rows.known().add(std::span(_hashes).first(count), _masks.data());
    for (std::size_t i = 0; i < count; ++i) {
      const Mask<W> fresh = _ops.load(_masks.data() + i * _ops.count());
      if (!_ops.any(fresh)) continue;
      _state.counts.states += _ops.size(fresh);
      _rows.push_next(_keys.data() + i * _key_words, fresh.word.data(), _by[i]);
    }
  }

  Mask<W> row_lanes() const {
    Mask<W> lanes;
    _rows.known().known(_hash, lanes.word.data());
    return lanes;
  }
  void grow_row(const Mask<W>& lanes, std::uint64_t more) {
    Mask<W> all = lanes;
    _rows.known().add(std::span(&_hash, 1), all.word.data());
    _state.counts.states += more;
  }
  /// Goals were met in the row taken last.
  void note_goals() { _rows.note_path(_key.data(), _state.goals); }

  // Nothing comes from other ranks, and nothing is explored level by level.
  void add_found(const std::uint64_t*, const std::uint64_t*) {}
  void receive(const Records&) {}
  void send_found() {}
  void put_back() {}
  bool has_next_level() const { return false; }
  void begin_level() {}

 private:
  /// All that the row before led to waits now.
  void end_row() {
    finish();
    _rows.shuffle_from(_waiting_before);
  }

  ExploreState& _state;
  LossyRows& _rows;
  MaskOps<W> _ops;
  std::size_t _key_words, _count = 0;
  std::uint64_t _hash = 0, _waiting_before;  // of the row taken last; rows that waited when it was taken
  std::vector<std::uint64_t> _key;
  std::vector<std::uint64_t> _keys, _masks;
  std::array<std::uint64_t, LossySet::batch_limit> _hashes;
  std::array<PlanTransition, LossySet::batch_limit> _by;
};

}  // namespace dcheck
