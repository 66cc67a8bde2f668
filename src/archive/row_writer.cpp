#include "archive/row_writer.hpp"

#include <algorithm>
#include <bit>

#include "archive/dense_rows.hpp"
#include "dcheck/base/narrow.hpp"
#include "dcheck/ranks/share.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_block_bytes = std::size_t{8} << 20;
constexpr int ranks_with_full_blocks = 32;  // more ranks give smaller blocks: rank 0 has one of each of them at a time

std::size_t rows_of_block(const StateSpace& space, const RowForm& form, std::size_t most) {
  const auto share = static_cast<std::size_t>(std::max(1, space.ranks.size() / ranks_with_full_blocks));
  const std::size_t row_bytes = 8 * (form.key_words + form.words_of_masks());
  return std::bit_floor(std::clamp<std::size_t>(most_block_bytes / share / row_bytes, 1, most));
}

class DenseCoding final : public RowCoding {
  static constexpr std::size_t most_rows = std::size_t{1} << 18;

 public:
  DenseCoding(const StateSpace& space, const RowForm& form, H5Writer* file)
      : RowCoding(form, rows_of_block(space, form, most_rows)), _file(file) {
    if (_file == nullptr) return;
    _file->add_group("rows");
    _file->put_texts("rows/columns", form.columns);
    _blocks = _file->add_chunked("rows/blocks", {1, 1, ChunkForm::Coding::own});
  }
  std::string bytes_of(const RowBlock& block) const override {
    // Group and number of rows first, for the list of blocks.
    const std::uint64_t head[] = {static_cast<std::uint64_t>(block.group), block.rows};
    return std::string(reinterpret_cast<const char*>(head), sizeof head) + dense_bytes(form(), block);
  }
  void add(std::string_view bytes) override {
    std::int64_t head[2];
    std::copy_n(bytes.data(), sizeof head, reinterpret_cast<char*>(head));
    _list.insert(_list.end(), std::begin(head), std::end(head));
    _file->add_chunk(_blocks, bytes.substr(sizeof head), 1);
  }
  void finish() override { _file->put_numbers("rows/list", _list, 2); }

 private:
  H5Writer* _file;
  std::size_t _blocks = 0;
  std::vector<std::int64_t> _list;  // group and rows of each block
};

/// Each dataset has a chunk for each full block. What is left over of each rank comes behind them, on rank 0.
class PlainCoding final : public RowCoding {
  static constexpr std::size_t most_rows = std::size_t{1} << 15;
  static constexpr char full = 'f', partial = 'p';

 public:
  PlainCoding(const StateSpace& space, const RowForm& form, H5Writer* file)
      : RowCoding(form, rows_of_block(space, form, most_rows)), _has_lanes(!space.plan->leaf().empty()), _file(file) {
    if (_file == nullptr) return;
    _file->add_group("rows");
    _file->add_group("sat");
    _datasets.push_back(_file->add_chunked("rows/keys", {block_rows(), form.key_words, ChunkForm::Coding::deflated}));
    for (const std::size_t column : stored_columns()) {
      const std::string name = column == 0 ? "rows/reached" : dataset_of(form.columns[column]);
      _datasets.push_back(_file->add_chunked(name, {block_rows(), form.mask_words, ChunkForm::Coding::deflated}));
    }
  }

  std::string bytes_of(const RowBlock& block) const override {
    const bool is_full = block.rows == block_rows();
    std::string bytes(1, is_full ? full : partial);
    for_each_part(block, [&](const std::vector<std::uint64_t>& numbers) {
      const std::string part = is_full ? deflated(numbers) : raw(numbers);
      const std::uint64_t size = part.size();
      bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
      bytes += part;
    });
    return bytes;
  }

  void add(std::string_view bytes) override {
    if (bytes[0] == full) return add_parts(bytes.substr(1), block_rows());
    std::size_t i = 0;
    _left.resize(_datasets.size());
    for_each_text(bytes.substr(1), [&](std::string_view part) { _left[i++].append(part); });
  }

  /// What was left over, in chunks of which the last one is filled up with zeros.
  void finish() override {
    if (_left.empty()) return;
    const std::size_t rows = _left[0].size() / (8 * form().key_words);
    for (std::size_t first = 0; first < rows; first += block_rows()) {
      const std::size_t count = std::min(block_rows(), rows - first);
      for (std::size_t i = 0; i < _datasets.size(); ++i) {
        const std::size_t width = i == 0 ? form().key_words : form().mask_words;
        std::vector<std::uint64_t> numbers(block_rows() * width, 0);
        std::copy_n(_left[i].data() + first * width * 8, count * width * 8, reinterpret_cast<char*>(numbers.data()));
        _file->add_chunk(_datasets[i], deflated(numbers), count);
      }
    }
  }

 private:
  /// Columns that are worth a dataset: with one lane every row is reached, and nothing waits.
  std::vector<std::size_t> stored_columns() const {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < form().columns.size(); ++i)
      if (i >= 2 || (i == 0 && _has_lanes)) columns.push_back(i);
    return columns;
  }
  template <typename Use>
  void for_each_part(const RowBlock& block, Use&& use) const {
    use(block.keys);
    for (const std::size_t column : stored_columns()) {
      std::vector<std::uint64_t> masks;
      masks.reserve(block.rows * form().mask_words);
      for (std::size_t row = 0; row < block.rows; ++row) {
        const std::uint64_t* const mask = block.row(form(), row).masks + column * form().mask_words;
        masks.insert(masks.end(), mask, mask + form().mask_words);
      }
      use(masks);
    }
  }
  static std::string raw(const std::vector<std::uint64_t>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * 8};
  }
  template <typename Use>
  static void for_each_text(std::string_view bytes, Use&& use) {
    while (!bytes.empty()) {
      std::uint64_t size = 0;
      std::copy_n(bytes.data(), sizeof size, reinterpret_cast<char*>(&size));
      use(bytes.substr(sizeof size, size));
      bytes.remove_prefix(sizeof size + size);
    }
  }
  void add_parts(std::string_view bytes, std::size_t rows) {
    std::size_t i = 0;
    for_each_text(bytes, [&](std::string_view part) { _file->add_chunk(_datasets[i++], part, rows); });
  }

  bool _has_lanes;
  H5Writer* _file;
  std::vector<std::size_t> _datasets;  // keys, then the stored columns
  std::vector<std::string> _left;      // of each of them, as raw numbers
};

/// Rows of this rank, gathered to blocks that all ranks hand to rank 0 in step.
class RowFunnel {
 public:
  RowFunnel(Ranks& ranks, RowCoding& coding) : _ranks(ranks), _coding(coding) {}

  void add(RowGroup group, const StreamedRow& row) {
    if (_block.rows != 0 && _block.group != group) hand_over();
    _block.group = group;
    _block.add(_coding.form(), row);
    if (_block.rows == _coding.block_rows()) hand_over();
  }
  void finish() {
    if (_block.rows != 0) hand_over();
    while (take_round(true)) {
    }
    _ranks.together([&] {
      if (_ranks.rank() == rank_0) _coding.finish();
    });
  }

 private:
  void hand_over() {
    take_round(false);
    _block.clear();
  }
  /// Whether some rank has more.
  bool take_round(bool is_done) {
    std::string own;
    _ranks.together([&] {
      if (_block.rows != 0) own = _coding.bytes_of(_block);
    });
    if (_ranks.is_alone()) {
      if (!own.empty()) _coding.add(own);
      return false;
    }
    const std::vector<std::string> all = gather(_ranks, own);
    _ranks.together([&] {
      for (const std::string& bytes : all)
        if (!bytes.empty()) _coding.add(bytes);
    });
    return _ranks.any(!is_done);
  }

  Ranks& _ranks;
  RowCoding& _coding;
  RowBlock _block;
};

}  // namespace

RowForm form_of(const StateSpace& space, const std::vector<SetColumn>& sets) {
  const Layout& layout = space.plan->layout();
  return {layout.stored_words(), space.plan->words(), layout.stored_bits(),
          RowSource(*space.plan, space.state, sets).columns()};
}

std::unique_ptr<RowCoding> make_dense_coding(const StateSpace& space, const std::vector<SetColumn>& sets,
                                             H5Writer* file) {
  return std::make_unique<DenseCoding>(space, form_of(space, sets), file);
}

std::unique_ptr<RowCoding> make_plain_coding(const StateSpace& space, const std::vector<SetColumn>& sets,
                                             H5Writer* file) {
  return std::make_unique<PlainCoding>(space, form_of(space, sets), file);
}

void write_rows(const StateSpace& space, const std::vector<SetColumn>& sets, RowCoding& coding) {
  const std::size_t words = space.plan->words();
  const RowSource source(*space.plan, space.state, sets);
  RowFunnel funnel(space.ranks, coding);
  if (space.is_complete) {  // then nobody keeps what waits
    std::vector<std::uint64_t> masks;
    source.for_each(Which::all, [&](const StreamedRow& row) {
      masks.assign(row.masks, row.masks + coding.form().words_of_masks());
      std::fill_n(masks.begin() + static_cast<std::ptrdiff_t>(words), (own_columns(space.state.choice) - 1) * words, 0);
      funnel.add(RowGroup::handled, {row.key, masks.data()});
    });
    return funnel.finish();
  }
  source.for_each(Which::handled, [&](const StreamedRow& row) { funnel.add(RowGroup::handled, row); });
  source.for_each(Which::waiting, [&](const StreamedRow& row) {
    funnel.add(lanes_in(row.masks + words, words) != 0 ? RowGroup::waiting : RowGroup::next, row);
  });
  funnel.finish();
}

std::string dataset_of(const std::string& property_id) {
  std::string name = "sat/";
  for (const char c : property_id) name += c == '/' ? std::string("%2F") : c == '%' ? "%25" : std::string(1, c);
  return name == "sat/." ? "sat/%2E" : name;
}

}  // namespace dcheck
