#pragma once
// What a run leaves behind for later ones, and what an earlier one has left for it: rows, sets of states beside them,
// and small things that each module writes and reads back itself. A run knows when and what; where it is kept is the
// matter of who implements this (archive/).
//
// All calls but is_due() are collective, at a quiescent point, and end alike on all ranks.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "dcheck/space/row_stream.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

/// Small things beside the rows, as bytes, by the name of who wrote them.
using KeptParts = std::map<std::string, std::string>;

class StateKeeper {
 public:
  /// A row's key, and its mask in each of columns().
  using Visit = std::function<void(const StreamedRow&)>;

  virtual ~StateKeeper() = default;
  StateKeeper(const StateKeeper&) = delete;
  StateKeeper& operator=(const StateKeeper&) = delete;

  // What there is to go on from.

  virtual bool has_states() const = 0;
  /// What was kept beside the rows, the same on all ranks. Rank 0's parts are those that were kept.
  virtual const KeptParts& parts() const = 0;
  /// Adds all rows to a space without any, each on the rank that owns it. Throws InputError where they are of another
  /// plan than the space's.
  virtual void restore_rows(StateSpace& space) = 0;
  /// The sets of states beside the rows, by name.
  virtual std::vector<std::string> columns() const = 0;
  /// visit() for each row of this rank.
  virtual void restore_columns(const StateSpace& space, const Visit& visit) = 0;

  // While the run goes on.

  /// Whether checkpoints are written at all.
  virtual bool keeps_checkpoints() const = 0;
  /// Whether it is time for one, by the clock or because somebody asks this rank. Asked every few rows.
  virtual bool is_due() const = 0;
  /// Writes one in the place of the last. Where that cannot be done it says so, the last one stays, and the run goes
  /// on. Returns whether it was written.
  virtual bool keep(const StateSpace& space, const KeptParts& parts, std::vector<SetColumn> sets) = 0;
  /// The last one has nothing that the one before had not: the next one by the clock comes after twice the time.
  virtual void wait_longer() = 0;
  /// Whether somebody asked for the run to end with the checkpoint that was due.
  virtual bool ends_run() const = 0;

  // At its end.

  /// Whether all states are to be kept, with the states that satisfy each property.
  virtual bool is_saving() const = 0;
  /// @pre The space is complete.
  virtual void save(const StateSpace& space, const KeptParts& parts, std::vector<SetColumn> sets) = 0;

 protected:
  StateKeeper() = default;
};

}  // namespace dcheck
