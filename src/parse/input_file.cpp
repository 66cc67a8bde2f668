#include "parse/input_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "dcheck/base/error.hpp"

namespace dcheck::parse {
namespace {

constexpr std::uintmax_t largest_file = 1'000'000'000;  // offsets have 32 bits

}  // namespace

void require_regular_file(const std::string& path, std::string_view expected) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(path, {}, fmt::format("no such file: expected {}", expected));
  if (std::filesystem::is_directory(status)) {
    throw InputError(path, {}, fmt::format("this is a directory: expected {}", expected));
  }
  // A pipe or device may never end.
  if (!std::filesystem::is_regular_file(status)) {
    throw InputError(path, {}, fmt::format("this is not a regular file: expected {}", expected));
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > largest_file) {
    throw InputError(path, {}, fmt::format("the file has {} bytes: expected at most {}", size, largest_file));
  }
}

std::string bytes_of(const std::string& path, std::string_view expected) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, {}, "the file cannot be opened for reading");
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw InputError(path, {}, "the file cannot be read");
  if (bytes.empty()) throw InputError(path, {}, fmt::format("the file is empty: expected {}", expected));
  if (const std::size_t zero = bytes.find('\0'); zero != std::string::npos) {
    throw InputError(path, {},
                     fmt::format("this is a binary file (byte {} is zero): expected {} in UTF-8", zero, expected));
  }
  return bytes;
}

}  // namespace dcheck::parse
