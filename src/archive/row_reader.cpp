#include "archive/row_reader.hpp"

#include <algorithm>

#include "archive/dense_rows.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

constexpr std::uint64_t rows_at_once = 1U << 14;  // of a plain file

/// Reads this rank's share of the blocks of a group and hands each row to its owner: the job of a phase.
class Distribution {
 public:
  /// `first_column`: of a row's masks those from there on are wanted.
  Distribution(const RowReader& reader, const StateSpace& space, RowGroup group, std::size_t first_column,
               const StateKeeper::Visit& take)
      : _reader(reader), _space(space), _take(take), _first(first_column * reader.form().mask_words) {
    const auto ranks = static_cast<std::size_t>(space.ranks.size());
    std::size_t of_group = 0;
    for (std::size_t block = 0; block < reader.blocks(); ++block)
      if (reader.group(block) == group && of_group++ % ranks == index(space.ranks.rank())) _blocks.push_back(block);
    std::ranges::reverse(_blocks);
  }

  void begin() {}
  bool handle(std::uint64_t most) {
    for (; most != 0; --most) {
      if (_at == _block.rows && !read_next()) return false;
      hand_on(_block.row(_reader.form(), _at++));
    }
    return true;
  }
  static Stop wanted(bool) { return Stop::none; }
  void receive(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i) _take({records.key(i), records.mask(i)});
  }
  void hand_over(Stop) {}
  void finish(Stop) {}

 private:
  bool read_next() {
    if (_blocks.empty()) return false;
    _block = _reader.read(_blocks.back());
    _blocks.pop_back();
    _at = 0;
    return true;
  }
  void hand_on(const StreamedRow& row) {
    const std::uint64_t* const masks = row.masks + _first;
    if (!_space.ranks.is_alone()) {
      const Rank owner = _space.allocation.owner(_space.allocation.sum(row.key));
      if (owner != _space.ranks.rank()) {
        Exchange& exchange = _space.ranks.exchange();
        std::copy_n(row.key, _reader.form().key_words, exchange.record(owner));
        exchange.commit(owner, 0, masks);
        return;
      }
    }
    _take({row.key, masks});
  }

  const RowReader& _reader;
  const StateSpace& _space;
  const StateKeeper::Visit& _take;
  std::size_t _first;
  std::vector<std::size_t> _blocks;  // to be read, the next one last
  RowBlock _block;
  std::size_t _at = 0;
};

void distribute(const RowReader& reader, const StateSpace& space, RowGroup group, std::size_t first_column,
                std::size_t columns, const StateKeeper::Visit& take) {
  constexpr std::uint64_t most_rows = 4096;
  const RecordShape shape{reader.form().key_words, columns * reader.form().mask_words, false};
  run_phase(space.ranks, space.phase(shape, Merging::none), most_rows,
            [&] { return Distribution(reader, space, group, first_column, take); });
}

}  // namespace

RowReader::RowReader(const H5Reader& file, RowForm form)
    : _file(file), _form(std::move(form)), _is_dense(file.has("rows/blocks")) {
  if (_is_dense)
    look_at_dense();
  else
    look_at_plain();
}

void RowReader::look_at_dense() {
  _form.columns = _file.texts("rows/columns");
  const std::vector<std::int64_t> list = _file.numbers("rows/list");
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    const auto rows = static_cast<std::uint64_t>(list[i + 1]);
    _blocks.push_back({static_cast<RowGroup>(list[i]), _rows, rows});
    _rows += rows;
  }
}

void RowReader::look_at_plain() {
  _form.columns = {"reached", "waiting"};
  _datasets = {_file.has("rows/reached") ? "rows/reached" : "", ""};
  for (const std::string& name : _file.names_in("sat")) {
    _form.columns.push_back(name);
    _datasets.push_back("sat/" + name);
  }
  _rows = _file.rows("rows/keys");
  for (std::uint64_t first = 0; first < _rows; first += rows_at_once)
    _blocks.push_back({RowGroup::handled, first, std::min(rows_at_once, _rows - first)});
}

std::vector<std::string> RowReader::sets() const {
  std::vector<std::string> names = _form.columns;
  std::erase_if(names,
                [](const std::string& name) { return name == "reached" || name == "waiting" || name == "next"; });
  return names;
}

RowBlock RowReader::read(std::size_t block) const {
  const BlockHead& head = _blocks[block];
  if (_is_dense) return read_dense(block);
  RowBlock read;
  read.rows = head.rows;
  read.keys.resize(head.rows * _form.key_words);
  read.masks.assign(head.rows * _form.words_of_masks(), 0);
  _file.read_rows("rows/keys", head.first, head.rows, _form.key_words, read.keys.data());
  std::vector<std::uint64_t> column(head.rows * _form.mask_words);
  for (std::size_t c = 0; c < _datasets.size(); ++c) {
    if (c == 1) continue;
    if (_datasets[c].empty())
      std::ranges::fill(column, 1);  // one lane, which is reached
    else
      _file.read_rows(_datasets[c], head.first, head.rows, _form.mask_words, column.data());
    for (std::size_t row = 0; row < head.rows; ++row)
      std::copy_n(column.data() + row * _form.mask_words, _form.mask_words,
                  read.masks.data() + row * _form.words_of_masks() + c * _form.mask_words);
  }
  return read;
}

RowBlock RowReader::read_dense(std::size_t block) const {
  try {
    RowBlock read = rows_of_dense_bytes(_form, _file.own_chunk("rows/blocks", block));
    if (read.rows == _blocks[block].rows && read.group == _blocks[block].group) return read;
    throw InputError("a block in it is another one");
  } catch (const InputError& error) {
    throw InputError(_file.path(), {}, error.what());
  }
}

void load_rows(const RowReader& reader, StateSpace& space) {
  const std::size_t columns = own_columns(space.state.choice);
  if (reader.form().columns.size() - reader.sets().size() != columns)
    throw InputError("the rows that were kept and those of this run are not both explored level by level");
  RowSink sink(*space.plan, space.state);
  space.ranks.together([&] { sink.expect(reader.rows() / static_cast<std::uint64_t>(space.ranks.size())); });
  const StateKeeper::Visit add = [&](const StreamedRow& row) { sink.add(row); };
  for (const RowGroup group : {RowGroup::handled, RowGroup::waiting, RowGroup::next})
    distribute(reader, space, group, 0, columns, add);
  space.ranks.together([&] { sink.finish(); });
}

void load_sets(const RowReader& reader, const StateSpace& space, const StateKeeper::Visit& visit) {
  const std::size_t sets = reader.sets().size();
  if (sets == 0) return;
  for (const RowGroup group : {RowGroup::handled, RowGroup::waiting, RowGroup::next})
    distribute(reader, space, group, reader.form().columns.size() - sets, sets, visit);
}

}  // namespace dcheck
