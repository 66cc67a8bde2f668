#pragma once
// A file that a run writes at its very end: whole, or not at all.

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace dcheck {

/// Where the result of an option such as `--json FILE` goes. What stands there stays until write(): the new content is
/// written beside it, under a temporary name, and then takes its place and its permissions. A symbolic link keeps
/// pointing where it points. What is no regular file (a device, a pipe, /dev/stdout) is written as it is, and so is a
/// file that cannot be replaced because its directory takes no new ones. Nothing temporary lies about between the
/// constructor and write(), nor after an error.
class OutputFile {
 public:
  /// Finds out whether it can be written: nobody wants to hear after hours that it cannot. `inputs` are the files that
  /// the run reads, `-` for stdin: they are not overwritten, under whatever name. Throws InputError.
  OutputFile(std::string option, std::string name, std::span<const std::string> inputs);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Whether stdout goes to the very same place: nothing else should then be written to it.
  bool is_stdout() const { return _is_stdout; }

  /// To be called once. Throws ResourceError where not everything could be written; what would have been replaced is
  /// then as it was.
  void write(std::string_view content);
  /// The same for what is too long to be at hand as a whole: `produce` hands it to the sink it is given piece by piece.
  /// It may be called more than once.
  using Sink = std::function<void(std::string_view)>;
  void write(const std::function<void(const Sink&)>& produce);

 private:
  using Produce = std::function<void(const Sink&)>;
  void take_existing(const std::string& target, std::span<const std::string> inputs);
  // These return zero, or the number of an error.
  int try_directory() const;
  int replace(const Produce& produce) const;
  static int write_in_place(int descriptor, const Produce& produce);
  [[noreturn]] void refuse(const std::string& why) const;

  std::string _option, _name;
  std::string _target;   // where the name's symbolic links lead
  int _descriptor = -1;  // where there is nothing to replace
  bool _is_stdout = false;
  bool _is_truncated = false;  // before it is written in place
};

}  // namespace dcheck
