#pragma once
// EX, EU and AU on a kept graph (graph/row_graph.hpp), for up to 64 formulas at once: a formula is a bit of a word per
// row. Each is the job of a phase (ranks/phase.hpp). A record is the code of a row and the word of formulas for which
// it has a successor that joined.

#include <stdexcept>

#include "dcheck/base/marked_bits.hpp"
#include "dcheck/base/progress.hpp"
#include "dcheck/graph/row_graph.hpp"
#include "label/formula_words.hpp"

namespace dcheck {

/// What the jobs need of their surroundings.
struct GraphSurroundings {
  const RowGraph& graph;
  Ranks& ranks;
  const RunLimit& limit;
  LabellingStep& step;
  MemoryBudget* budget;
};

/// What the jobs share. Job: merge(number, word) and handle_row(number) for rows that wait.
template <typename Job, typename Word>
class GraphJob {
 public:
  explicit GraphJob(const GraphSurroundings& with) : around(with), _rows(with.graph.row_count()) {
    _waiting.reset(_rows + 1);
  }

  /// See WalkJob.
  static constexpr bool takes_breaks = false;

  void begin() {}
  bool handle(std::uint64_t most) {
    for (std::uint64_t i = 0; i < most && !is_done; ++i) {
      std::size_t next = _waiting.next(_cursor);
      if (next == MarkedBits::none) next = _waiting.next(0);
      if (next == MarkedBits::none) return false;
      _waiting.clear(next);
      _cursor = next;
      static_cast<Job&>(*this).handle_row(static_cast<std::uint32_t>(_rows - next));
      ++around.step.rows_done;
    }
    return true;
  }
  Stop wanted(bool has_more) const {
    if (is_done) return Stop::drop;
    if (!has_more) return Stop::none;
    const bool is_break = Job::takes_breaks && around.limit.is_break_due();
    return is_break || around.limit.is_reached() ? Stop::pause : Stop::none;
  }
  void receive(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i)
      static_cast<Job&>(*this).merge(around.graph.number_of(records.key(i)[0]), static_cast<Word>(records.mask(i)[0]));
  }
  void hand_over(Stop) {}
  void finish(Stop) {}

 protected:
  std::uint64_t rows() const { return _rows; }
  /// Rows that were found late are handled first: mostly they are the successors of others.
  void add(std::uint32_t number) { _waiting.set(_rows - number); }
  /// Brings the word to all predecessors of a row.
  [[gnu::always_inline]] void bring(std::uint32_t number, Word word) {
    const RowGraph& graph = around.graph;
    graph.predecessors().for_each(number, graph.own_code(number), [&](RowCode source) {
      if (graph.is_own(source)) [[likely]]
        static_cast<Job&>(*this).merge(graph.number_of(source), word);
      else
        send(source, word);
    });
  }

  GraphSurroundings around;
  bool is_done = false;

 private:
  void send(RowCode source, Word word) {
    Exchange& exchange = around.ranks.exchange();
    const Rank to = around.graph.rank_of(source);
    const std::uint64_t mask = word;
    *exchange.record(to) = source;  // with its rank: what was sent is remembered by key, for all ranks together
    if constexpr (Job::merging == Merging::idempotent)
      exchange.commit<1, 1>(to, source, &mask);
    else
      exchange.commit<1, 1>(to, source, 0, &mask);
  }

  std::uint64_t _rows;
  MarkedBits _waiting;  // row_count() - number, so that late numbers come first
  std::size_t _cursor = 0;
};

/// Sets that grow side by side: grows[i] by states of lasts[i].
struct GrowingColumns {
  std::span<const StateSet* const> lasts;
  std::span<StateSet* const> sets;
  std::uint64_t until_initial = 0;              // bit i: nobody needs more of set i once the initial state is in it
  std::optional<std::uint32_t> initial_number;  // where the initial state is this rank's
};

/// What EU and AU share: rows have bits of formulas that may still join, and of those that joined since their last
/// turn.
template <typename Job, typename Word>
class GrowingJob : public GraphJob<Job, Word> {
 public:
  GrowingJob(const GraphSurroundings& with, const GrowingColumns& columns, std::size_t words_per_row)
      : GraphJob<Job, Word>(with), _columns(columns), _stride(words_per_row), _cells(with.budget) {
    _cells.ensure((this->rows() + 1) * _stride);
    for_each_words<Word>(_columns.lasts, this->rows(),
                         [&](std::uint64_t first, std::uint64_t count, const auto& words) {
                           for (std::uint64_t i = 0; i < count; ++i)
                             open(static_cast<std::uint32_t>(first + i)) = words[i];
                         });
    const std::vector<const StateSet*> sets(_columns.sets.begin(), _columns.sets.end());
    for_each_words<Word>(sets, this->rows(), [&](std::uint64_t first, std::uint64_t count, const auto& words) {
      for (std::uint64_t i = 0; i < count; ++i)
        if (words[i] != 0) begin_with(static_cast<std::uint32_t>(first + i), words[i]);
    });
    look_at_initial();
  }

  void handle_row(std::uint32_t number) {
    const auto word = static_cast<Word>(fresh(number) & _active);
    fresh(number) = 0;
    if (word != 0) this->bring(number, word);
  }

  /// Adds all that has joined to the sets, once.
  void close_sets() {
    const auto still_open = [&](std::uint64_t row) { return std::uint64_t{open(static_cast<std::uint32_t>(row))}; };
    for_each_bits(this->rows(), still_open, [&](std::uint64_t at, const auto& bits) {
      for (std::size_t f = 0; f < _columns.sets.size(); ++f)
        _columns.sets[f]->data()[at] |= _columns.lasts[f]->data()[at] & ~bits[f];
    });
  }

 protected:
  Word& open(std::uint32_t number) const { return _cells[number * _stride]; }
  Word& fresh(std::uint32_t number) const { return _cells[number * _stride + 1]; }
  Word* more(std::uint32_t number) const { return &_cells[number * _stride + 2]; }

  void join(std::uint32_t number, Word word) {
    open(number) = static_cast<Word>(open(number) ^ word);
    fresh(number) = static_cast<Word>(fresh(number) | word);
    this->add(number);
    if (_columns.initial_number == number) look_at_initial();
  }

 private:
  void begin_with(std::uint32_t number, Word word) {
    open(number) = static_cast<Word>(open(number) & ~word);
    fresh(number) = word;
    this->add(number);
  }
  /// Formulas that the initial state has joined and that need no more drop out; where that is all, so does the job.
  void look_at_initial() {
    if (!_columns.initial_number) return;
    const std::uint64_t joined = ~std::uint64_t{open(*_columns.initial_number)} & _columns.until_initial;
    // A formula that could never join in the initial state is not open there either.
    std::uint64_t in_set = 0;
    for (std::size_t f = 0; f < _columns.sets.size(); ++f) {
      const std::uint64_t number = *_columns.initial_number;
      const bool lasts = (_columns.lasts[f]->data()[number / 64] >> (number % 64) & 1) != 0;
      const bool began = (_columns.sets[f]->data()[number / 64] >> (number % 64) & 1) != 0;
      if (lasts || began) in_set |= std::uint64_t{1} << f;
    }
    const std::uint64_t done = joined & in_set;
    if (this->around.ranks.is_alone()) _active = static_cast<Word>(~done);
    const std::uint64_t all =
        _columns.sets.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << _columns.sets.size()) - 1;
    if (done == all) this->is_done = true;
  }

  GrowingColumns _columns;
  std::size_t _stride;
  PageVector<Word> _cells;  // per row: open, fresh, and what the job needs
  Word _active = static_cast<Word>(~Word{0});
};

template <typename Word>
class GraphEu : public GrowingJob<GraphEu<Word>, Word> {
 public:
  static constexpr bool takes_breaks = true;
  static constexpr Merging merging = Merging::idempotent;
  static std::size_t words_per_row(const RowGraph&) { return 2; }

  GraphEu(const GraphSurroundings& with, const GrowingColumns& columns)
      : GrowingJob<GraphEu<Word>, Word>(with, columns, words_per_row(with.graph)) {}

  [[gnu::always_inline]] void merge(std::uint32_t number, Word word) {
    const auto joined = static_cast<Word>(word & this->open(number));
    if (joined != 0) this->join(number, joined);
  }
};

/// Each row has a counter per formula, its bits one after another in words: the successors that have not joined. An arc
/// takes one off, once; at zero the row joins.
template <typename Word>
class GraphAu : public GrowingJob<GraphAu<Word>, Word> {
 public:
  static constexpr bool takes_breaks = true;
  static constexpr Merging merging = Merging::none;
  static std::size_t words_per_row(const RowGraph& graph) { return 2 + bits_of(graph); }

  GraphAu(const GraphSurroundings& with, const GrowingColumns& columns)
      : GrowingJob<GraphAu<Word>, Word>(with, columns, words_per_row(with.graph)), _bits(bits_of(with.graph)) {
    for (std::uint32_t number = 0; number < this->rows(); ++number)
      for (std::size_t b = 0; b < _bits; ++b)
        this->more(number)[b] = (with.graph.successors(number) >> b & 1) != 0 ? static_cast<Word>(~Word{0}) : Word{0};
  }

  [[gnu::always_inline]] void merge(std::uint32_t number, Word word) {
    word &= this->open(number);
    if (word == 0) return;
    Word* const counter = this->more(number);
    Word borrow = word, left = 0;
    for (std::size_t b = 0; b < _bits; ++b) {
      const Word old = counter[b];
      counter[b] = static_cast<Word>(old ^ borrow);
      borrow = static_cast<Word>(borrow & ~old);
      left = static_cast<Word>(left | counter[b]);
    }
    if (borrow != 0) throw std::logic_error("a successor was counted twice");
    if (const auto joined = static_cast<Word>(word & ~left); joined != 0) this->join(number, joined);
  }

 private:
  static std::size_t bits_of(const RowGraph& graph) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(graph.most_successors())));
  }
  std::size_t _bits;
};

/// One step backwards from each target.
template <typename Word>
class GraphEx : public GraphJob<GraphEx<Word>, Word> {
 public:
  static constexpr Merging merging = Merging::idempotent;

  GraphEx(const GraphSurroundings& with, std::span<const StateSet* const> targets)
      : GraphJob<GraphEx<Word>, Word>(with), _found(with.budget), _targets(with.budget) {
    _found.ensure(this->rows() + 1);
    _targets.ensure(this->rows() + 1);
    for_each_words<Word>(targets, this->rows(), [&](std::uint64_t first, std::uint64_t count, const auto& words) {
      for (std::uint64_t i = 0; i < count; ++i) {
        _targets[first + i] = words[i];
        if (words[i] != 0) this->add(static_cast<std::uint32_t>(first + i));
      }
    });
  }

  void handle_row(std::uint32_t number) { this->bring(number, _targets[number]); }
  [[gnu::always_inline]] void merge(std::uint32_t number, Word word) {
    _found[number] = static_cast<Word>(_found[number] | word);
  }
  void add_found(std::span<StateSet* const> sets) const {
    add_words(sets, this->rows(), [&](std::uint64_t row) { return std::uint64_t{_found[row]}; });
  }

 private:
  PageVector<Word> _found, _targets;
};

/// One step backwards from `from`: the states of `lasts` that are found and not known yet join `known` and `found`.
class GraphStep : public GraphJob<GraphStep, std::uint8_t> {
 public:
  static constexpr Merging merging = Merging::idempotent;

  GraphStep(const GraphSurroundings& with, const StateSet& from, const StateSet& lasts, StateSet& known,
            StateSet& found)
      : GraphJob(with), _lasts(lasts), _known(known), _found(found) {
    for (std::uint64_t w = 0; w < from.words(); ++w)
      for (std::uint64_t bits = from.data()[w]; bits != 0; bits &= bits - 1)
        add(static_cast<std::uint32_t>(w * 64 + static_cast<unsigned>(std::countr_zero(bits))));
  }

  void handle_row(std::uint32_t number) { bring(number, 1); }
  void merge(std::uint32_t number, std::uint8_t) {
    const std::uint64_t bit = std::uint64_t{1} << (number % 64);
    if ((_lasts.data()[number / 64] & ~_known.data()[number / 64] & bit) == 0) return;
    _known.data()[number / 64] |= bit;
    _found.data()[number / 64] |= bit;
  }

 private:
  const StateSet& _lasts;
  StateSet &_known, &_found;
};

}  // namespace dcheck
