#pragma once
// Keeps the states of a run in HDF5 files: checkpoints while it goes on (--checkpoint), all of it at the end (--save),
// and what an earlier run has left (--load, or a checkpoint that is there). See docs/file-format.md.
//
// A file is written under a temporary name beside its own, sealed, synced and renamed: under its own name there is
// always a whole one, or none.

#include <functional>
#include <memory>

#include "dcheck/archive/run_record.hpp"
#include "dcheck/base/checkpoint_wish.hpp"
#include "dcheck/base/run_clock.hpp"
#include "dcheck/space/state_keeper.hpp"

namespace dcheck {

struct KeeperOptions {
  std::string from = {};                   // a file that states are read from; empty: none
  FileKind kind = FileKind::save;          // of that one
  std::string checkpoint = {}, save = {};  // where they are written; empty: they are not
  double every_seconds = 0;                // between two checkpoints; 0: only when somebody asks
  bool ends_when_asked = false;            // a run that is asked for a checkpoint ends with it

  /// Whether anything is read or written.
  bool is_used() const { return !from.empty() || !checkpoint.empty() || !save.empty(); }
  template <typename Archive>
  void serialize(Archive& archive, unsigned) {
    archive& from& kind& checkpoint& save& every_seconds& ends_when_asked;
  }
};

class FileKeeper final : public StateKeeper {
 public:
  using Tell = std::function<void(const std::string&)>;

  /// Collective; options are the same on all ranks, the record is rank 0's. `asked`: where somebody asks this rank for
  /// a checkpoint; null: nobody can. `tell`: one line for the user, on rank 0. All but the options must outlive it.
  /// Throws InputError where the file cannot be read. @pre read_run_record() has read it.
  FileKeeper(KeeperOptions options, RunRecord record, Ranks& ranks, const CheckpointWish* asked, Tell tell);
  ~FileKeeper() override;

  bool has_states() const override;
  const KeptParts& parts() const override { return _parts; }
  void restore_rows(StateSpace& space) override;
  std::vector<std::string> columns() const override;
  void restore_columns(const StateSpace& space, const Visit& visit) override;

  bool keeps_checkpoints() const override { return !_options.checkpoint.empty(); }
  bool is_due() const override;
  bool keep(const StateSpace& space, const KeptParts& parts, std::vector<SetColumn> sets) override;
  void wait_longer() override { _every_seconds *= 2; }
  bool ends_run() const override { return _ends_run; }

  bool is_saving() const override { return !_options.save.empty(); }
  void save(const StateSpace& space, const KeptParts& parts, std::vector<SetColumn> sets) override;

  /// How many checkpoints this run has written, and how long all attempts took together.
  std::size_t checkpoints() const { return _checkpoints; }
  double seconds() const { return _seconds; }
  /// Whether a checkpoint of this run, or the one that it goes on from, is there.
  bool has_checkpoint() const { return _has_checkpoint; }
  /// Collective: the run has come to its end, nobody needs a checkpoint any more.
  void remove_checkpoint();

 private:
  class Source;
  bool is_asked() const;
  void say_not_written(const std::string& why) const;
  void write(const std::string& path, FileKind kind, const StateSpace& space, const KeptParts& parts,
             const std::vector<SetColumn>& sets);

  KeeperOptions _options;
  RunRecord _record;
  Ranks& _ranks;
  const CheckpointWish* _asked;
  Tell _tell;
  std::unique_ptr<Source> _source;
  KeptParts _parts;
  double _every_seconds = 0;
  unsigned _wishes_seen = 0;
  RunClock::time_point _last = RunClock::now();
  std::size_t _checkpoints = 0;
  double _seconds = 0;
  bool _ends_run = false, _has_checkpoint = false;
};

}  // namespace dcheck
