#include "parse/input_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include "dcheck/base/error.hpp"
#include "parse/source_text.hpp"

namespace dcheck::parse {
namespace {

constexpr std::uintmax_t largest_file = 1'000'000'000;  // offsets have 32 bits

bool is_stdin(const std::string& path) {
  return path == "-";
}

std::string all_of(std::istream& stream, const std::string& name, std::string_view expected) {
  constexpr std::size_t step = std::size_t{1} << 16;
  std::string bytes;
  while (stream) {
    const std::size_t before = bytes.size();
    bytes.resize(before + step);
    stream.read(bytes.data() + before, step);
    bytes.resize(before + static_cast<std::size_t>(stream.gcount()));
    if (const std::size_t zero = bytes.find('\0', before); zero != std::string::npos) {
      throw InputError(name, {},
                       fmt::format("this is a binary file (byte {} is zero): expected {} in UTF-8", zero, expected));
    }
    if (bytes.size() > largest_file) {
      throw InputError(name, {}, fmt::format("the file has more than {} bytes: expected {}", largest_file, expected));
    }
  }
  if (stream.bad()) throw InputError(name, {}, "the file cannot be read");
  if (bytes.empty()) throw InputError(name, {}, fmt::format("the file is empty: expected {}", expected));
  return bytes;
}

}  // namespace

std::string source_name(const std::string& path) {
  return is_stdin(path) ? "stdin" : path;
}

void require_readable(const std::string& path, std::string_view expected) {
  if (is_stdin(path)) return;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(path, {}, fmt::format("no such file: expected {}", expected));
  if (std::filesystem::is_directory(status)) {
    throw InputError(path, {}, fmt::format("this is a directory: expected {}", expected));
  }
  if (!std::filesystem::is_regular_file(status)) return;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > largest_file) {
    throw InputError(path, {}, fmt::format("the file has {} bytes: expected at most {}", size, largest_file));
  }
}

bool is_stream(const std::string& path) {
  std::error_code ignored;
  return is_stdin(path) || !std::filesystem::is_regular_file(path, ignored);
}

std::string bytes_of(const std::string& path, std::string_view expected) {
  if (is_stdin(path)) return all_of(std::cin, source_name(path), expected);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, {}, "the file cannot be opened for reading");
  return all_of(file, path, expected);
}

bool looks_like_xml(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

}  // namespace dcheck::parse
