#pragma once
// Rows on their way from one place to another: a key, and a mask of lanes for each of any number of named columns. A
// change of layout and rows that move to other ranks go through here. Cold code, at a quiescent point.
//
// The first columns are those of every row: `reached`, `waiting`, and level by level `next`, the lanes that wait for
// the next level. After them come sets of states, as labels are.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dcheck/rows/mask_words.hpp"
#include "dcheck/space/explore_state.hpp"
#include "dcheck/store/row_batch.hpp"

namespace dcheck {

/// One row of a stream. Valid until the next one.
struct StreamedRow {
  const std::uint64_t* key;    // stored words
  const std::uint64_t* masks;  // Plan::words() per column, one column after another
};

/// A set of states beside the rows.
struct SetColumn {
  std::string name;
  std::function<void(Row, std::uint64_t*)> write_lanes;  // writes a row's mask
};

/// Which rows a visit is about: those none of whose lanes wait, and the others in the order in which they wait, the
/// oldest first; or all of them, in an order in which their keys are cheap to read.
enum class Which : std::uint8_t { handled, waiting, all };

/// How many columns every row has.
inline std::size_t own_columns(const RowChoice& choice) {
  return choice.by_level ? 3 : 2;
}

class RowSource {
 public:
  using Visit = std::function<void(const StreamedRow&)>;

  /// Everything must outlive it. Nothing may be added to the rows meanwhile.
  RowSource(const Plan& plan, const ExploreState& state, std::vector<SetColumn> sets = {});

  std::vector<std::string> columns() const;
  void for_each(Which which, const Visit& visit) const;
  /// For about one row in `share`, at the cost of these.
  void for_some(std::uint64_t share, const Visit& visit) const;

 private:
  void for_each_slot(Which which, std::uint64_t share, const Visit& visit) const;
  bool waits(RowStore::Row row) const;
  void visit_dense(RowStore::Row row, const Visit& visit) const;
  void write_lanes_of(RowStore::Row row) const;
  void write_sets_of(Row row) const;

  const ExploreState& _state;
  std::vector<SetColumn> _sets;
  bool _has_lanes;
  std::size_t _words;
  std::vector<bool> _is_on_stack;  // per row, where rows wait on a stack
  mutable std::vector<std::uint64_t> _key, _masks;
};

class RowSink {
 public:
  /// Adds rows to a state. Both must outlive it.
  RowSink(const Plan& plan, ExploreState& state);

  /// So many rows will come: makes room for them where that pays.
  void expect(std::uint64_t rows);

  /// A row that is not there yet, with the columns of every row; what comes after them is left alone. With one lane and
  /// no stack, rows that wait come after all others, and those that wait for the next level last.
  void add(const StreamedRow& row);
  /// All rows were added.
  void finish();

 private:
  void insert_slots();
  void insert_rows();
  void begin_waiting();
  void begin_next_level();
  void set_lanes(RowStore::Row row, const std::uint64_t* masks);

  ExploreState& _state;
  std::size_t _key_words, _words, _columns;
  bool _has_lanes;
  bool _is_waiting = false, _is_next = false;  // the rows that came last
  std::optional<RowBatch> _rows;               // dense rows that were added last,
  std::vector<std::uint64_t> _keys;            // or keys for slots
  std::array<std::uint64_t, RowStore::batch_limit> _fresh;
  std::vector<std::uint64_t> _masks;  // of these rows
};

}  // namespace dcheck
