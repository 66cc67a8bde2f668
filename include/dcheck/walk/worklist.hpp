#pragma once
// Rows with lanes that wait to be handled in a phase. Plain data between two calls.
//
// One lane: a bit per row, found again by a tree of words. Many lanes: a mask per row and a stack of the rows
// whose mask is not empty; last in, first out lets lanes gather before their row's turn comes.

#include "dcheck/base/marked_bits.hpp"
#include "dcheck/walk/row_views.hpp"

namespace dcheck {

class BitWorklist {
 public:
  BitWorklist(const OneLane&, std::uint64_t rows, std::size_t, SetPool&) { _marks.reset(rows); }

  void add(Row row, const Mask<1>&) { _marks.set(index(row)); }
  void fetch(Row) const {}
  bool take(Row& row, Mask<1>& lanes) {
    std::size_t next = _marks.next(_cursor);
    if (next == MarkedBits::none) {
      next = _marks.next(0);
      if (next == MarkedBits::none) return false;
      ++_sweeps;
    }
    _marks.clear(next);
    _cursor = next;
    row = Row{next};
    lanes.word[0] = 1;
    return true;
  }
  /// How often rows were taken from the first to the last.
  std::optional<std::uint64_t> sweeps() const { return _sweeps; }

 private:
  MarkedBits _marks;
  std::size_t _cursor = 0;
  std::uint64_t _sweeps = 1;
};

template <int W>
class MaskWorklist {
 public:
  MaskWorklist(const ManyLanes<W>& access, std::uint64_t rows, std::size_t words, SetPool& sets)
      : _access(access), _ops(words), _sets(sets), _waiting(sets.empty_set()), _stack(sets.list_of_rows(rows)) {}
  ~MaskWorklist() {
    _sets.give_back(std::move(_waiting));
    _sets.give_back(std::move(_stack));
  }
  MaskWorklist(const MaskWorklist&) = delete;
  MaskWorklist& operator=(const MaskWorklist&) = delete;

  void add(Row row, const Mask<W>& lanes) {
    if (!_ops.any(_access.get(_waiting, row))) _stack[_size++] = static_cast<std::uint32_t>(row);
    _access.add(_waiting, row, lanes);
  }
  /// All states of a set, where nothing waited.
  void assign(const StateSet& set, std::uint64_t rows) {
    _waiting.assign(set);
    for (const Row row : FirstIds<Row>(rows))
      if (_ops.any(_access.get(set, row))) _stack[_size++] = static_cast<std::uint32_t>(row);
  }
  void fetch(Row row) const { _access.fetch(_waiting, row); }
  bool take(Row& row, Mask<W>& lanes) {
    if (_size == 0) return false;
    row = Row{_stack[--_size]};
    lanes = _access.get(_waiting, row);
    _access.put(_waiting, row, _ops.zero());
    return true;
  }
  std::optional<std::uint64_t> sweeps() const { return std::nullopt; }

 private:
  const ManyLanes<W>& _access;
  MaskOps<W> _ops;
  SetPool& _sets;
  StateSet _waiting;
  PageVector<std::uint32_t> _stack;
  std::uint64_t _size = 0;
};

template <typename View>
using Worklist = std::conditional_t<View::one_lane, BitWorklist, MaskWorklist<View::mask_words>>;

}  // namespace dcheck
