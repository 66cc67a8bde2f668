#include "dcheck/archive/file_keeper.hpp"

#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <cstdio>
#include <optional>

#include "archive/new_file.hpp"
#include "archive/plan_tables.hpp"
#include "archive/record_file.hpp"
#include "archive/row_reader.hpp"
#include "archive/row_writer.hpp"
#include "archive/seal.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/stopwatch.hpp"
#include "dcheck/ranks/share.hpp"

namespace dcheck {

/// The file that states come from.
class FileKeeper::Source {
 public:
  explicit Source(const std::string& path) : _file(path) {}

  KeptParts parts() const {
    KeptParts parts;
    for (const std::string& name : _file.names_in("parts")) parts[name] = _file.bytes("parts/" + name);
    return parts;
  }
  /// The rows, which are of this plan.
  const RowReader& rows_of(const Plan& plan) {
    if (!_rows) {
      expect_plan(_file, plan);
      const Layout& layout = plan.layout();
      _rows.emplace(_file, RowForm{layout.stored_words(), plan.words(), layout.stored_bits(), {}});
    }
    return *_rows;
  }
  std::vector<std::string> columns() const { return RowReader(_file, {}).sets(); }

 private:
  H5Reader _file;
  std::optional<RowReader> _rows;
};

FileKeeper::FileKeeper(KeeperOptions options, RunRecord record, Ranks& ranks, const CheckpointWish* asked, Tell tell)
    : _options(std::move(options)),
      _record(std::move(record)),
      _ranks(ranks),
      _asked(asked),
      _tell(std::move(tell)),
      _every_seconds(_options.every_seconds) {
  if (_options.from.empty()) return;
  _source = std::make_unique<Source>(_options.from);
  if (_ranks.rank() == rank_0) _parts = _source->parts();
  share(_ranks, _parts);
  _has_checkpoint = _options.kind == FileKind::checkpoint;
}

FileKeeper::~FileKeeper() = default;

bool FileKeeper::has_states() const {
  return _source != nullptr;
}

void FileKeeper::restore_rows(StateSpace& space) {
  load_rows(_source->rows_of(*space.plan), space);
}

std::vector<std::string> FileKeeper::columns() const {
  return _source->columns();
}

void FileKeeper::restore_columns(const StateSpace& space, const Visit& visit) {
  load_sets(_source->rows_of(*space.plan), space, visit);
}

bool FileKeeper::is_asked() const {
  return _asked != nullptr && _asked->times() != _wishes_seen;
}

bool FileKeeper::is_due() const {
  if (!keeps_checkpoints()) return false;
  if (is_asked()) return true;
  return _every_seconds > 0 && std::chrono::duration<double>(RunClock::now() - _last).count() >= _every_seconds;
}

bool FileKeeper::keep(const StateSpace& space, const KeptParts& parts, std::vector<SetColumn> sets) {
  const Stopwatch watch;
  const bool is_asked_somewhere = _ranks.any(is_asked());
  if (_asked != nullptr) _wishes_seen = _asked->times();
  bool is_written = false;
  try {
    write(_options.checkpoint, FileKind::checkpoint, space, parts, sets);
    is_written = _has_checkpoint = true;
    ++_checkpoints;
    if (is_asked_somewhere && _options.ends_when_asked) _ends_run = true;
  } catch (const ResourceError& error) {
    if (!_ranks.is_agreed(error)) throw;
    say_not_written(error.what());
  } catch (const std::bad_alloc&) {
    if (!_ranks.is_alone()) throw;
    say_not_written("out of memory");
  }
  _seconds += watch.seconds();
  _last = RunClock::now();
  _every_seconds = _options.every_seconds;
  return is_written;
}

void FileKeeper::say_not_written(const std::string& why) const {
  if (_tell) _tell("--checkpoint: " + why + (_has_checkpoint ? "; the last one stays" : ""));
}

void FileKeeper::save(const StateSpace& space, const KeptParts& parts, std::vector<SetColumn> sets) {
  const Stopwatch watch;
  write(_options.save, FileKind::save, space, parts, sets);
  _seconds += watch.seconds();
}

void FileKeeper::write(const std::string& path, FileKind kind, const StateSpace& space, const KeptParts& parts,
                       const std::vector<SetColumn>& sets) {
  std::optional<NewFile> target;
  std::unique_ptr<H5Writer> file;
  std::unique_ptr<RowCoding> coding;
  const auto alone = [&](auto&& work) {
    _ranks.together([&] {
      if (_ranks.rank() == rank_0) work();
    });
  };
  alone([&] {
    target.emplace(path);
    file = std::make_unique<H5Writer>(target->path());
    write_record(*file, kind, _record);
    file->add_group("parts");
    for (const auto& [name, bytes] : parts) file->put_bytes("parts/" + name, bytes);
    write_plan(*file, *space.plan);
  });
  _ranks.together([&] {
    coding = kind == FileKind::save ? make_plain_coding(space, sets, file.get())
                                    : make_dense_coding(space, sets, file.get());
  });
  write_rows(space, sets, *coding);
  alone([&] {
    file->close();
    seal_file(target->path());
    target->publish();
  });
}

void FileKeeper::remove_checkpoint() {
  if (_ranks.rank() == rank_0 && _has_checkpoint) std::remove(_options.checkpoint.c_str());
  _has_checkpoint = false;
}

}  // namespace dcheck
