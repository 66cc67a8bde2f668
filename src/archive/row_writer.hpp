#pragma once
// The rows of all ranks on their way into one file. Each rank makes the bytes of its own blocks; rank 0 gathers them, a
// block of each rank at a time, and gives them to HDF5.

#include <memory>

#include "archive/h5_file.hpp"
#include "archive/row_block.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

/// What a file makes of blocks.
class RowCoding {
 public:
  virtual ~RowCoding() = default;
  RowCoding(const RowCoding&) = delete;
  RowCoding& operator=(const RowCoding&) = delete;

  const RowForm& form() const { return _form; }
  /// The most rows of a block, the same on all ranks.
  std::size_t block_rows() const { return _block_rows; }

  /// On every rank: a block as bytes. All blocks of a rank but the last of a group are full.
  virtual std::string bytes_of(const RowBlock& block) const = 0;
  /// On rank 0: writes a block.
  virtual void add(std::string_view bytes) = 0;
  /// On rank 0: all blocks were added.
  virtual void finish() = 0;

 protected:
  RowCoding(RowForm form, std::size_t block_rows) : _form(std::move(form)), _block_rows(block_rows) {}

 private:
  RowForm _form;
  std::size_t _block_rows;
};

RowForm form_of(const StateSpace& space, const std::vector<SetColumn>& sets);

/// As few bytes as possible. `file`: on rank 0.
std::unique_ptr<RowCoding> make_dense_coding(const StateSpace& space, const std::vector<SetColumn>& sets,
                                             H5Writer* file);
/// As datasets that others can read: nothing may wait.
std::unique_ptr<RowCoding> make_plain_coding(const StateSpace& space, const std::vector<SetColumn>& sets,
                                             H5Writer* file);

/// Collective. Throws AgreedStop, alone ResourceError, where the disk or memory is full.
void write_rows(const StateSpace& space, const std::vector<SetColumn>& sets, RowCoding& coding);

/// The name of the dataset with the states that satisfy a property.
std::string dataset_of(const std::string& property_id);

}  // namespace dcheck
