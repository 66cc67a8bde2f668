#include "support/paths.hpp"

namespace dcheck::test {

const std::string& source_dir() {
  static const std::string path = DCHECK_SOURCE_DIR;
  return path;
}

const std::string& binary_path() {
  static const std::string path = DCHECK_BINARY;
  return path;
}

}  // namespace dcheck::test
