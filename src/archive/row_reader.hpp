#pragma once
// The rows of a file, block by block, and their way to the ranks that own them.

#include "archive/h5_file.hpp"
#include "archive/row_block.hpp"
#include "dcheck/space/state_keeper.hpp"

namespace dcheck {

/// Any rank may read any block. Throws InputError where the file has not what it should have.
class RowReader {
 public:
  /// `form` without its columns, which the file knows. The file must outlive it.
  RowReader(const H5Reader& file, RowForm form);

  const RowForm& form() const { return _form; }
  /// Columns that are not those of every row.
  std::vector<std::string> sets() const;
  std::uint64_t rows() const { return _rows; }
  std::size_t blocks() const { return _blocks.size(); }
  RowGroup group(std::size_t block) const { return _blocks[block].group; }
  RowBlock read(std::size_t block) const;

 private:
  struct BlockHead {
    RowGroup group;
    std::uint64_t first, rows;
  };
  RowBlock read_dense(std::size_t block) const;
  void look_at_dense();
  void look_at_plain();

  const H5Reader& _file;
  RowForm _form;
  bool _is_dense;
  std::uint64_t _rows = 0;
  std::vector<BlockHead> _blocks;
  std::vector<std::string> _datasets;  // plain: per column; empty: there is none
};

/// Collective: every rank reads an equal share of the blocks and sends rows to their owners.
/// Adds them to a space that has none.
void load_rows(const RowReader& reader, StateSpace& space);
/// visit() on the owner of each row, with its key and its mask in each of sets().
void load_sets(const RowReader& reader, const StateSpace& space, const StateKeeper::Visit& visit);

}  // namespace dcheck
