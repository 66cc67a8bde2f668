#pragma once
// The frontier for one lane and keys of one word: a SlotStore and its marks. The interface: frontiers.hpp.

#include <algorithm>
#include <array>
#include <utility>

#include "dcheck/rows/mask.hpp"
#include "engine/sender.hpp"

namespace dcheck {

class SlotFrontier {
 public:
  static constexpr int mask_words = 1;
  static constexpr bool one_lane = true;

  explicit SlotFrontier(StateSpace& space)
      : _state(space.state), _store(*_state.slots), _sender(space), _recent(recent_keys), _open(first_open_keys) {
    // No key x is remembered in a place other than x % recent_keys, so these are nobody's.
    for (std::size_t i = 0; i < recent_keys; ++i) _recent[i] = i ^ 1;
    charge(first_open_keys * 8);
  }

  ~SlotFrontier() {
    if (_state.budget != nullptr) _state.budget->used -= _charged;
  }
  SlotFrontier(const SlotFrontier&) = delete;
  SlotFrontier& operator=(const SlotFrontier&) = delete;

  RecordShape shape() const { return {1, 0, false}; }

  bool take(std::uint64_t* key, Mask<1>& lanes) {
    if (has_received()) add_received();
    if (_open_begin == _open_end && !refill()) return false;
    key[0] = _store.key_of(take_oldest());
    _sender.begin_row(key);
    lanes.word[0] = 1;
    return true;
  }
  std::uint64_t hash(const std::uint64_t*) const { return 0; }

  std::uint64_t* begin_record(PlanTransition transition) {
    _sender.aim_after(transition);
    return &_key;
  }
  bool is_aimed_away() const { return _sender.is_aimed_away(); }
  /// No branch on who owns the key: nobody could predict it.
  void end_record(std::uint64_t, const Mask<1>&) {
    const std::size_t is_away = _sender.is_aimed_away() ? 1 : 0;
    _own[_own_count] = _away[_away_count] = _key;
    _owner[_away_count] = _sender.aimed_at();
    _own_count += 1 - is_away;
    _away_count += is_away;
    if (_own_count == most_at_once) add_own();
    if (_away_count >= most_at_once) send_found();
  }
  void add_found(const std::uint64_t* key, const std::uint64_t*) {
    _key = *key;
    _sender.aim_at(key);
    end_record(0, {{1}});
  }
  /// Received keys wait in an inbox, and a few of them are added with each row: finding their slots then goes on while
  /// the row is fired.
  void receive(const Records& records) {
    if (_received.size() > most_received)
      while (has_received()) add_received();
    if (!has_received()) {
      _received.clear();
      _received_begin = 0;
    }
    _received.insert(_received.end(), records.words, records.words + records.count);
  }

  /// What transitions of a row lead to, where the plan's layout is fixed: at most `most_at_once` keys. The first ones
  /// are known to be this rank's; it is overwritten.
  template <typename Bits>
  void add_all(std::span<std::uint64_t> keys, std::size_t known_own) {
    if (_sender.is_alone()) return add(keys);
    const std::size_t own_count = sort_out<Bits>(keys.subspan(known_own));
    add(keys.first(known_own + own_count));
    if (_away_count >= most_at_once) send_found();
  }

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
  void finish() {
    add_own();
    while (has_received()) add_received();
    insert_all_but(0);
  }

  void send_found() {
    const std::size_t count = std::exchange(_away_count, 0);
    if (count == 0) return;
    _state.counts.cross_arcs += count;
    _sender.send(_away.data(), _owner.data(), count);
  }

  /// Rows that wait outside the store are marked in it, so that the state is whole.
  void put_back() {
    while (_open_begin != _open_end) {
      const std::uint64_t x = take_oldest();
      _store.mark_prepared(std::span(&x, 1));
    }
  }
  Mask<1> row_lanes() const { return {{1}}; }
  void grow_row(const Mask<1>&, std::uint64_t) {}
  // Rows are dense where levels are asked for.
  bool has_next_level() const { return false; }
  void begin_level() {}

  static constexpr std::size_t most_at_once = 64;

 private:
  // The youngest keys' slots are still being fetched while the older ones are inserted.
  static constexpr std::size_t in_flight = 64, batch = 64;
  // New keys are handled in the order of their discovery: relatives are found at about the same time,
  // and a small memory of recent keys keeps about half of the repeats from the table. The ring of open
  // keys takes at most a byte per key; what does not fit is marked in the table and found again when
  // nothing else is left.
  static constexpr std::size_t first_open_keys = 4096, recent_keys = 4096;
  static constexpr std::size_t received_with_a_row = 8, most_received = std::size_t{1} << 16;

  /// Moves the keys that are this rank's to the front and returns how many; the others wait to be sent. No branch on
  /// who owns a key: nobody could predict it.
  template <typename Bits>
  std::size_t sort_out(std::span<std::uint64_t> keys) {
    std::size_t own_count = 0;
    std::size_t away = _away_count;
    for (const std::uint64_t key : keys) {
      const Rank owner = _sender.owner_of_word<Bits>(key);
      const std::size_t is_own = owner == _sender.rank() ? 1 : 0;
      keys[own_count] = _away[away] = key;
      _owner[away] = owner;
      own_count += is_own;
      away += 1 - is_own;
    }
    _away_count = away;
    return own_count;
  }

  void add_own() { add(std::span(_own).first(std::exchange(_own_count, 0))); }

  bool has_received() const { return _received_begin != _received.size(); }
  void add_received() {
    const auto keys = std::span(_received).subspan(_received_begin);
    const std::size_t count = std::min(keys.size(), received_with_a_row);
    add(keys.first(count));
    _received_begin += count;
  }

  void insert_all_but(std::size_t rest) {
    const std::size_t count = _filled - std::min(_filled, rest);
    const std::size_t fresh = _store.insert_prepared(std::span(_found).first(count), _fresh.data());
    _state.counts.states += fresh;
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
    return _open.size() * 16 <= _store.size() &&
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
    send_found();
    finish();
    if (_open_begin != _open_end) return true;
    const std::size_t taken = _store.take_marked(std::span(_fresh).first(batch));
    for (std::size_t i = 0; i < taken; ++i) append(_store.preparer().prepared(_fresh[i]));
    return taken != 0;
  }

  ExploreState& _state;
  SlotStore& _store;
  Sender<1, 0> _sender;
  std::vector<std::uint64_t> _recent, _open, _received;
  std::array<std::uint64_t, in_flight + batch + most_at_once> _found, _fresh;
  // What was found one by one for this rank, and for others and is not sent yet.
  std::array<std::uint64_t, most_at_once> _own;
  std::size_t _own_count = 0;
  std::array<std::uint64_t, 2 * most_at_once> _away;
  std::array<Rank, 2 * most_at_once> _owner;
  std::size_t _away_count = 0;
  std::uint64_t _key = 0;
  std::size_t _open_begin = 0, _open_end = 0, _filled = 0, _charged = 0, _received_begin = 0;
};

}  // namespace dcheck
