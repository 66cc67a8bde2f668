#include "dcheck/space/row_stream.hpp"

#include <algorithm>
#include <stdexcept>

namespace dcheck {

RowSource::RowSource(const Plan& plan, const ExploreState& state, std::vector<SetColumn> sets)
    : _state(state),
      _sets(std::move(sets)),
      _has_lanes(!plan.leaf().empty()),
      _words(plan.words()),
      _key(plan.layout().stored_words()),
      _masks((own_columns(state.choice) + _sets.size()) * _words) {
  if (_has_lanes || !_state.queue.is_stack()) return;
  _is_on_stack.resize(_state.rows->size(), false);
  _state.queue.for_each([&](RowStore::Row row) { _is_on_stack[row] = true; });
}

std::vector<std::string> RowSource::columns() const {
  std::vector<std::string> names{"reached", "waiting"};
  if (_state.choice.by_level) names.emplace_back("next");
  for (const SetColumn& set : _sets) names.push_back(set.name);
  return names;
}

void RowSource::for_each(Which which, const Visit& visit) const {
  if (_state.slots) return for_each_slot(which, 1, visit);
  if (which == Which::all) return _state.rows->for_each([&](RowStore::Row row) { visit_dense(row, visit); });
  if (which == Which::handled) {
    for (RowStore::Row row = 0; row < _state.rows->size(); ++row)  // parents first, as stores with chains want them
      if (!waits(row)) visit_dense(row, visit);
    return;
  }
  if (!_has_lanes) return _state.queue.for_each([&](RowStore::Row row) { visit_dense(row, visit); });
  for (std::uint64_t i = 0; i < _state.open.size(); ++i) visit_dense(_state.open.row(i), visit);
  for (std::uint64_t i = 0; i < _state.next.size(); ++i)
    if (!_state.open.is_open(_state.next.row(i))) visit_dense(_state.next.row(i), visit);
}

void RowSource::for_some(std::uint64_t share, const Visit& visit) const {
  if (_state.slots) return for_each_slot(Which::all, share, visit);
  for (RowStore::Row row = 0; row < _state.rows->size(); row += static_cast<RowStore::Row>(share))
    visit_dense(row, visit);
}

void RowSource::for_each_slot(Which which, std::uint64_t share, const Visit& visit) const {
  const auto visit_slot = [&](std::uint64_t slot, std::uint64_t key, bool is_waiting) {
    if (which != Which::all && is_waiting != (which == Which::waiting)) return;
    _masks[0] = 1;
    _masks[1] = is_waiting ? 1 : 0;
    write_sets_of(Row{slot});
    visit({&key, _masks.data()});
  };
  _state.slots->for_each(visit_slot, share);
}

bool RowSource::waits(RowStore::Row row) const {
  if (_has_lanes) return _state.open.is_open(row) || _state.next.is_open(row);
  return _state.queue.is_stack() ? _is_on_stack[row] : _state.queue.is_waiting(row);
}

void RowSource::visit_dense(RowStore::Row row, const Visit& visit) const {
  _state.rows->key(row, _key.data());
  write_lanes_of(row);
  write_sets_of(Row{row});
  visit({_key.data(), _masks.data()});
}

void RowSource::write_lanes_of(RowStore::Row row) const {
  if (!_has_lanes) {
    const bool is_waiting = waits(row);
    const bool is_next = is_waiting && _state.choice.by_level && !_state.queue.is_of_level(row);
    _masks[0] = 1;
    _masks[1] = is_waiting && !is_next ? 1 : 0;
    if (_state.choice.by_level) _masks[2] = is_next ? 1 : 0;
    return;
  }
  const std::uint64_t* const reached = _state.reached[row];
  std::copy_n(reached, _words, _masks.begin());
  const auto write = [&](const OpenRows& open, std::size_t column) {
    const auto to = _masks.begin() + static_cast<std::ptrdiff_t>(column * _words);
    if (!open.is_open(row)) {
      std::fill_n(to, _words, 0);
      return;
    }
    const std::uint64_t* const lanes = open.mask_of(row, _words);
    std::copy_n(lanes == nullptr ? reached : lanes, _words, to);
  };
  write(_state.open, 1);
  if (_state.choice.by_level) write(_state.next, 2);
}

void RowSource::write_sets_of(Row row) const {
  std::uint64_t* to = _masks.data() + own_columns(_state.choice) * _words;
  for (const SetColumn& set : _sets) {
    set.write_lanes(row, to);
    to += _words;
  }
}

RowSink::RowSink(const Plan& plan, ExploreState& state)
    : _state(state),
      _key_words(plan.layout().stored_words()),
      _words(plan.words()),
      _columns(own_columns(state.choice)),
      _has_lanes(!plan.leaf().empty()) {
  if (state.rows) _rows.emplace(*state.rows, _key_words);
}

void RowSink::expect(std::uint64_t rows) {
  if (_state.slots) return _state.slots->reserve(_state.slots->size() + rows);
  _state.rows->reserve(_state.rows->size() + rows);
}

void RowSink::add(const StreamedRow& row) {
  _state.counts.states += lanes_in(row.masks, _words);
  if (!_has_lanes && !_state.slots && !_state.queue.is_stack()) {
    const bool is_next = _columns == 3 && row.masks[2] != 0;
    const bool is_waiting = row.masks[1] != 0 || is_next;
    if (is_waiting && !_is_waiting) begin_waiting();
    if (is_next && !_is_next) begin_next_level();
    if (is_waiting != _is_waiting || is_next != _is_next) throw std::logic_error("rows that wait must come last");
  }
  _masks.insert(_masks.end(), row.masks, row.masks + _columns * _words);
  if (_state.slots) {
    _keys.push_back(*row.key);
    if (_keys.size() == RowStore::batch_limit) insert_slots();
  } else {
    std::copy_n(row.key, _key_words, _rows->begin());
    _rows->end(_state.rows->linear_hash(row.key), {});
    if (_rows->is_full(RowStore::batch_limit)) insert_rows();
  }
}

void RowSink::finish() {
  if (_state.slots) return insert_slots();
  insert_rows();
  if (_has_lanes || _state.queue.is_stack()) return;
  if (!_is_waiting) begin_waiting();
  if (_columns == 3 && !_is_next) begin_next_level();
}

void RowSink::insert_slots() {
  SlotStore& slots = *_state.slots;
  const SlotStore::Preparer prepare = slots.preparer();
  for (std::uint64_t& key : _keys) {
    key = prepare.prepared(key);
    prepare.fetch(key);
  }
  if (slots.insert_prepared(_keys, _fresh.data()) != _keys.size()) throw std::logic_error("a row came twice");
  for (std::size_t i = 0; i < _keys.size(); ++i)
    if (_masks[i * _columns + 1] != 0) slots.mark_prepared(std::span(_keys).subspan(i, 1));
  _keys.clear();
  _masks.clear();
}

void RowSink::insert_rows() {
  if (_rows->empty()) return;
  const std::size_t count = _rows->number();
  _rows->insert();
  if (_has_lanes) {
    _state.ensure_rows(_state.rows->size(), count, _words);
    _state.open.ensure(_state.rows->size(), count, _words);
  }
  _rows->for_each_inserted([&](const RowStore::Inserted& at, const std::uint64_t*, std::size_t i) {
    if (!at.is_new) throw std::logic_error("a row came twice");
    set_lanes(at.row, _masks.data() + i * _columns * _words);
  });
  _masks.clear();
}

void RowSink::begin_waiting() {
  insert_rows();
  _is_waiting = true;
  _state.queue.begin_at(_state.rows->size());
}

void RowSink::begin_next_level() {
  insert_rows();
  _is_next = true;
  _state.queue.begin_level();
}

void RowSink::set_lanes(RowStore::Row row, const std::uint64_t* masks) {
  const std::uint64_t* const waiting = masks + _words;
  if (!_has_lanes) {
    if (_is_waiting || (_state.queue.is_stack() && *waiting != 0)) _state.queue.add(row, nullptr);
    return;
  }
  _state.reached.set(row, masks);
  const auto open_in = [&](OpenRows& open, const std::uint64_t* lanes) {
    if (lanes_in(lanes, _words) == 0) return;
    if (_columns == 2 && std::equal(lanes, lanes + _words, masks))  // level by level it would get lanes of the next
      open.open_whole(row);
    else
      std::copy_n(lanes, _words, open.open(row, _words));
  };
  open_in(_state.open, waiting);
  if (_columns == 3) open_in(_state.next, masks + 2 * _words);
}

}  // namespace dcheck
