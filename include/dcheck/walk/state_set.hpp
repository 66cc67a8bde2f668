#pragma once
// Sets of reachable states: a mask per row where rows have many lanes, a bit per row where they have one. All sets of
// one state space have the same size, so they are recycled.

#include <memory>
#include <vector>

#include "dcheck/rows/lane_masks.hpp"

namespace dcheck {

/// What sets of one state space look like: with one lane a word has the bits of 64 rows.
struct SetShape {
  std::size_t rows = 0, words = 1;  // masks, and words of each
  LaneMasks::Form form = LaneMasks::Form::plain;

  /// Of one whose masks have no numbers.
  std::uint64_t bytes() const { return rows * words * 8; }
};

class StateSet {
 public:
  StateSet() = default;
  /// Of no states. Throws ResourceError where memory ends.
  StateSet(const SetShape& shape, MemoryBudget* budget) : _own(std::make_unique<LaneMasks>(budget, Ahead::none)) {
    _own->begin(shape.words, shape.form);
    _own->ensure(shape.rows, 0);
    look_at(*_own);
  }
  /// A set that is somebody else's, who outlives it; it must not be changed.
  static StateSet view_of(const LaneMasks& masks) {
    StateSet set;
    set.look_at(masks);
    return set;
  }
  /// Of this one, which must outlive it.
  StateSet view() const { return view_of(*_masks); }
  StateSet(StateSet&&) = default;
  StateSet& operator=(StateSet&&) = default;

  bool exists() const { return _masks != nullptr; }
  /// The words of all masks; null where masks have numbers.
  std::uint64_t* data() { return _bits; }
  const std::uint64_t* data() const { return _bits; }
  bool is_plain() const { return _bits != nullptr; }
  std::size_t words() const { return _words; }
  /// Of each mask.
  std::size_t mask_words() const { return _masks->words(); }
  /// What it takes where masks have no numbers.
  std::uint64_t plain_bytes() const { return _masks->rows() * _masks->words() * 8; }

  /// The words of a row's mask.
  const std::uint64_t* mask(std::size_t row) const { return (*_masks)[row]; }
  void set_mask(std::size_t row, const std::uint64_t* mask) {
    _own->set(row, mask);
    look_again();
  }
  void fetch_mask(std::size_t row) const { _masks->prefetch(row); }

  void clear() { _own->clear(); }
  void assign(const StateSet& other) {
    _own->assign(*other._masks);
    look_again();
  }
  void add(const StateSet& other) {
    change(*this, other, [](std::uint64_t mine, std::uint64_t others) { return mine | others; });
  }
  void keep(const StateSet& other) {
    change(*this, other, [](std::uint64_t mine, std::uint64_t others) { return mine & others; });
  }
  /// Becomes `all` without what it was.
  void complement(const StateSet& all) { change(all, *this, without_second); }
  /// Becomes what `of` has and `without` has not; returns how many states that are.
  std::uint64_t become_difference(const StateSet& of, const StateSet& without) {
    if (!are_plain(of, without)) return combine(of, without, without_second);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < _words; ++i) {
      _bits[i] = of._bits[i] & ~without._bits[i];
      count += static_cast<std::uint64_t>(__builtin_popcountll(_bits[i]));
    }
    return count;
  }
  /// Adds what `of` has and `without` has not; nobody needs `without` afterwards.
  void add_difference(const StateSet& of, StateSet& without) {
    if (are_plain(of, without)) {
      for (std::size_t i = 0; i < _words; ++i) _bits[i] |= of._bits[i] & ~without._bits[i];
    } else {
      without.complement(of);
      add(without);
    }
  }
  bool empty() const { return _masks->empty(); }
  bool operator==(const StateSet& other) const { return *_masks == *other._masks; }
  std::uint64_t size() const { return _masks->size(); }

 private:
  static std::uint64_t without_second(std::uint64_t first, std::uint64_t second) { return first & ~second; }

  void look_at(const LaneMasks& masks) {
    _masks = &masks;
    look_again();
  }
  /// Changes may have given all rows words of their own.
  void look_again() {
    if (_bits != nullptr || _masks->is_numbered()) return;
    _bits = _masks->plain();
    _words = _masks->rows() * _masks->words();
  }
  bool are_plain(const StateSet& a, const StateSet& b) const { return is_plain() && a.is_plain() && b.is_plain(); }
  template <typename Op>
  std::uint64_t combine(const StateSet& a, const StateSet& b, Op&& op) {
    const std::uint64_t count = _own->combine(*a._masks, *b._masks, op);
    look_again();
    return count;
  }
  /// The same; nobody asks how many states there are.
  template <typename Op>
  void change(const StateSet& a, const StateSet& b, Op&& op) {
    if (!are_plain(a, b))
      combine(a, b, op);
    else
      for (std::size_t i = 0; i < _words; ++i) _bits[i] = op(a._bits[i], b._bits[i]);
  }

  std::unique_ptr<LaneMasks> _own;
  const LaneMasks* _masks = nullptr;  // its own or somebody else's
  std::uint64_t* _bits = nullptr;
  std::size_t _words = 0;
};

/// Hands out sets, and lists of rows, and takes them back.
class SetPool {
 public:
  SetPool(const SetShape& shape, MemoryBudget* budget) : _shape(shape), _budget(budget) {}

  /// Whether a set can be handed out without more memory.
  bool has_some() const { return !_free.empty(); }
  /// Whether memory has room for so many sets, whatever comes into them.
  bool has_room_for(std::size_t sets) const {
    return sets <= _free.size() || _budget == nullptr || _budget->has_room_for((sets - _free.size()) * _shape.bytes());
  }

  /// With anything in it.
  StateSet some_set() {
    if (_free.empty()) return {_shape, _budget};
    StateSet set = std::move(_free.back());
    _free.pop_back();
    return set;
  }
  StateSet empty_set() {
    const bool is_new = _free.empty();  // then it is empty
    StateSet set = some_set();
    if (!is_new) set.clear();
    return set;
  }
  StateSet copy_of(const StateSet& other) {
    StateSet set = some_set();
    set.assign(other);
    return set;
  }
  void give_back(StateSet&& set) {
    if (set.exists()) _free.push_back(std::move(set));
  }
  /// With room for so many rows, the same number in every call.
  PageVector<std::uint32_t> list_of_rows(std::uint64_t rows) {
    PageVector<std::uint32_t> list(_budget, Ahead::none);
    if (!_free_lists.empty()) {
      list = std::move(_free_lists.back());
      _free_lists.pop_back();
    }
    list.ensure(rows);
    return list;
  }
  void give_back(PageVector<std::uint32_t>&& list) { _free_lists.push_back(std::move(list)); }

 private:
  SetShape _shape;
  MemoryBudget* _budget;
  std::vector<StateSet> _free;
  std::vector<PageVector<std::uint32_t>> _free_lists;
};

}  // namespace dcheck
