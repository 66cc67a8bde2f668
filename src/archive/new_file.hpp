#pragma once
// A file that takes the place of another only when it is whole and on the disk.

#include <string>

namespace dcheck {

class NewFile {
 public:
  /// What stands under the name, or at the end of a symbolic link of that name, stays until publish().
  explicit NewFile(const std::string& name);
  /// Without publish(): nothing is left of it.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Where it is written meanwhile.
  const std::string& path() const { return _path; }
  /// It is whole and was synced: gives it its name, for good. Throws ResourceError.
  void publish();

 private:
  std::string _target, _path;
  bool _is_published = false;
};

}  // namespace dcheck
