#pragma once
// The operators on a kept graph. Sets have a bit per row, by the row's number in the graph.

#include "dcheck/base/bits.hpp"
#include "dcheck/base/finally.hpp"
#include "dcheck/label/operators.hpp"
#include "dcheck/rows/fireable_groups.hpp"
#include "dcheck/rows/predicate.hpp"
#include "dcheck/walk/row_reader.hpp"
#include "label/graph_jobs.hpp"

namespace dcheck {

template <typename View>
class GraphOperators final : public Operators {
  using Reader = RowReader<PortableBits, View>;

 public:
  GraphOperators(const StateSpace& space, std::unique_ptr<RowGraph> graph, const RunLimit& limit)
      : Operators(space.ranks),
        _space(space),
        _graph(std::move(graph)),
        _limit(limit),
        _reader(space),
        _sets(OneLane::set_shape(_graph->row_count()), &space.budget()),
        _reached(_sets.empty_set()),
        _around{*_graph, _ranks, _limit, _step, &space.budget()} {
    _initial_number = find_number(space.net.initial());
    for (std::uint64_t number = 0; number < _graph->row_count(); ++number)
      _reached.data()[number / 64] |= std::uint64_t{1} << (number % 64);
  }

  const StateSet& reached() const override { return _reached; }
  const LabellingStep& step() const override { return _step; }
  bool takes_many_at_once() const override { return true; }
  std::optional<GraphSize> graph() const override { return GraphSize{_graph->arcs(), _graph->bytes()}; }

  std::vector<StateSet> label_all(std::span<const Expression* const> predicates) override {
    begin_step("predicate", _graph->row_count());
    std::vector<StateSet> columns = empty_columns(predicates.size());
    in_batches(predicates.size(), 1, [&](std::size_t first, std::size_t count) {
      with_word(count, [&]<typename Word>(Word) {
        _ranks.together(
            [&] { label<Word>(predicates.subspan(first, count), std::span(columns).subspan(first, count)); });
      });
    });
    return columns;
  }

  std::vector<StateSet> ex_all(Sets targets) override {
    std::vector<StateSet> columns = empty_columns(targets.size());
    in_batches(targets.size(), 2, [&](std::size_t first, std::size_t count) {
      begin_step("EX", _graph->row_count());
      std::vector<StateSet*> out;
      for (std::size_t i = first; i < first + count; ++i) out.push_back(&columns[i]);
      with_word(count, [&]<typename Word>(Word) {
        std::unique_ptr<GraphEx<Word>> job;
        _ranks.together([&] { job = std::make_unique<GraphEx<Word>>(_around, targets.subspan(first, count)); });
        run(*job);
        job->add_found(out);
      });
    });
    return columns;
  }

  void eu_all(std::span<const Growth> grown) override { grow<GraphEu>("EU", grown); }
  void au_all(std::span<const Growth> grown) override { grow<GraphAu>("AU", grown); }

  StateSet ex(const StateSet& target) override {
    const StateSet* const targets[] = {&target};
    return std::move(ex_all(targets)[0]);
  }
  StateSet ex_forward(const StateSet&) override {
    throw std::logic_error("the graph knows predecessors only: a test of successors is taken without it");
  }
  void eu(const StateSet& lasts, StateSet& sat, Until until) override {
    const Growth growth[] = {{&lasts, &sat, until.has_value()}};
    expect_initial(until);
    eu_all(growth);
  }
  void au(const StateSet& lasts, StateSet& sat, Until until) override {
    const Growth growth[] = {{&lasts, &sat, until.has_value()}};
    expect_initial(until);
    au_all(growth);
  }

  std::uint64_t eu_in_steps(const StateSet& lasts, StateSet& sat) override {
    begin_step("EU in steps", 0);
    StateSet from = copy_of(sat);
    std::uint64_t steps = 0;
    for (bool has_found = true; has_found;) {
      _step.round = ++steps;
      StateSet found = take_step(from, lasts, sat);
      has_found = !is_empty(found);
      give_back(std::exchange(from, std::move(found)));
    }
    give_back(std::move(from));
    return steps;
  }

  Levels levels(const StateSet& lasts, const StateSet& ends, Until until) override {
    Levels result{.bits = {}, .known = copy_of(ends)};
    StateSet from = copy_of(ends);
    begin_step("distances", 0);
    const auto goes_on = [&] { return !is_empty(from) && !(until && contains(result.known, *until)); };
    for (std::uint64_t level = 1; goes_on(); ++level) {
      _step.round = level;
      if (result.bits.size() < static_cast<std::size_t>(std::bit_width(level))) result.bits.push_back(empty_set());
      StateSet found = take_step(from, lasts, result.known);
      for (std::size_t b = 0; b < result.bits.size(); ++b)
        if ((level >> b & 1) != 0) result.bits[b].add(found);
      give_back(std::exchange(from, std::move(found)));
    }
    give_back(std::move(from));
    return result;
  }

  void expect_room() override { _ranks.together(_limit.expect_room); }
  void take_break() override {
    _ranks.together([&] { _limit.expect_no_break(); });
  }

 protected:
  SetPool& sets() override { return _sets; }
  bool has_one_lane() const override { return true; }
  std::size_t bit_of(Row row) const override { return _graph->number(row); }

  std::uint64_t look_up_here(std::span<const Tokens> marking, Sets in) const override {
    const auto number = number_of(marking);
    if (!number) return 0;
    std::uint64_t found = 1;
    for (std::size_t i = 0; i < in.size(); ++i)
      if ((in[i]->data()[*number / 64] >> (*number % 64) & 1) != 0) found |= std::uint64_t{2} << i;
    return found;
  }

 private:
  void begin_step(const char* name, std::uint64_t count) { _step = {_step.number + 1, name, 0, count, 0}; }

  /// use(first, count) for as many formulas at once as a word has bits and memory has room for, `words` words per row.
  template <typename Use>
  void in_batches(std::size_t formulas, std::size_t words, Use&& use) {
    std::size_t most = 64;
    const auto fits = [&] {
      const std::size_t bytes = std::bit_ceil(std::max<std::size_t>(8, std::min(most, formulas))) / 8;
      return _space.budget().has_room_for(2 * words * bytes * _graph->row_count());
    };
    while (most > 8 && _ranks.any(!fits())) most /= 2;
    for (std::size_t first = 0; first < formulas; first += most) use(first, std::min(most, formulas - first));
  }
  /// use(Word()) with a word that has a bit for each formula.
  template <typename Use>
  static void with_word(std::size_t formulas, Use&& use) {
    if (formulas <= 8) return use(std::uint8_t{});
    if (formulas <= 16) return use(std::uint16_t{});
    if (formulas <= 32) return use(std::uint32_t{});
    use(std::uint64_t{});
  }

  std::vector<StateSet> empty_columns(std::size_t count) {
    std::vector<StateSet> columns;
    for (std::size_t i = 0; i < count; ++i) columns.push_back(empty_set());
    return columns;
  }

  /// In one pass over the rows, each of which is read once.
  template <typename Word>
  void label(std::span<const Expression* const> predicates, std::span<StateSet> columns) {
    std::vector<RowPredicate> compiled;
    FireableGroups groups(_reader.plan);
    for (const Expression* predicate : predicates) {
      compiled.emplace_back(*predicate, _reader.plan);
      compiled.back().ask_in_groups(groups);
    }
    groups.finish();
    PageVector<Word> words(&_space.budget());
    words.ensure(_graph->row_count() + 1);
    std::uint64_t done = 0;
    _reader.rows.for_each_row([&](Row row) {
      _reader.read(row);
      groups.read(_reader.working());
      Word& word = words[_graph->number(row)];
      for (std::size_t i = 0; i < compiled.size(); ++i)
        if (compiled[i].holds(_reader.plan, _reader.working(), groups)) word = static_cast<Word>(word | Word{1} << i);
      _step.rows_done = ++done;
      if (done % 4096 == 0) _limit.expect_room();
    });
    std::vector<StateSet*> out;
    for (StateSet& column : columns) out.push_back(&column);
    add_words(out, _graph->row_count(), [&](std::uint64_t row) { return std::uint64_t{words[row]}; });
  }

  template <template <typename> typename Job>
  void grow(const char* name, std::span<const Growth> grown) {
    in_batches(grown.size(), Job<std::uint8_t>::words_per_row(*_graph), [&](std::size_t first, std::size_t count) {
      begin_step(name, 0);
      std::vector<const StateSet*> lasts;
      std::vector<StateSet*> sets;
      GrowingColumns columns;
      for (std::size_t i = 0; i < count; ++i) {
        lasts.push_back(grown[first + i].lasts);
        sets.push_back(grown[first + i].sat);
        if (grown[first + i].until_initial) columns.until_initial |= std::uint64_t{1} << i;
      }
      columns.lasts = lasts;
      columns.sets = sets;
      columns.initial_number = _initial_number;
      with_word(count, [&]<typename Word>(Word) {
        std::unique_ptr<Job<Word>> job;
        _ranks.together([&] { job = std::make_unique<Job<Word>>(_around, columns); });
        const Finally close([&] { job->close_sets(); });
        run(*job);
      });
    });
  }

  StateSet take_step(const StateSet& from, const StateSet& lasts, StateSet& known) {
    StateSet found = empty_set();
    std::unique_ptr<GraphStep> job;
    _ranks.together([&] { job = std::make_unique<GraphStep>(_around, from, lasts, known, found); });
    run(*job);
    return found;
  }

  /// A pause is gone on with where there is room again.
  template <typename Job>
  void run(Job& job) {
    constexpr std::uint64_t most_rows = 4096;
    const RecordShape shape{1, 1, Job::merging != Merging::idempotent};
    while (run_phase(_ranks, _space.phase(shape, Job::merging), most_rows, [&]() -> Job& { return job; }) ==
           Stop::pause) {
      if constexpr (Job::takes_breaks)
        take_break();
      else
        expect_room();
    }
  }

  std::optional<std::uint32_t> number_of(std::span<const Tokens> marking) const {
    return std::ranges::equal(marking, _space.net.initial()) ? _initial_number : find_number(marking);
  }
  std::optional<std::uint32_t> find_number(std::span<const Tokens> marking) const {
    const auto row = _reader.find_row(marking);
    return row ? std::optional(_graph->number(*row)) : std::nullopt;
  }
  void expect_initial(Until until) const {
    if (until && !std::ranges::equal(*until, _space.net.initial()))
      throw std::logic_error("sets on the graph grow until the initial state has joined");
  }

  const StateSpace& _space;
  std::unique_ptr<RowGraph> _graph;
  RunLimit _limit;
  Reader _reader;
  SetPool _sets;
  StateSet _reached;
  std::optional<std::uint32_t> _initial_number;  // looked up once
  LabellingStep _step;
  GraphSurroundings _around;
};

}  // namespace dcheck
