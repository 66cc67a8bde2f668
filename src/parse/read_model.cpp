// read_model: from a path to a model, with one clear line for everything that can go wrong on the way.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "dcheck/base/error.hpp"
#include "dcheck/parse/model.hpp"
#include "parse/parameters.hpp"

namespace dcheck {
namespace {

constexpr std::uintmax_t largest_file = 1'000'000'000;  // offsets have 32 bits

void require_readable_model(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(path, {}, "no such file: expected a .spn or .pnml model");
  if (std::filesystem::is_directory(status)) {
    throw InputError(path, {}, "this is a directory: expected a .spn or .pnml model");
  }
  // A pipe or device may never end.
  if (!std::filesystem::is_regular_file(status)) {
    throw InputError(path, {}, "this is not a regular file: expected a .spn or .pnml model");
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > largest_file) {
    throw InputError(path, {}, fmt::format("the file has {} bytes: expected at most {}", size, largest_file));
  }
}

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".spn" || extension == ".pnml") return extension;
  throw InputError(path, {}, fmt::format("unknown kind of model '{}': expected .spn or .pnml", extension));
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, {}, "the file cannot be opened for reading");
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw InputError(path, {}, "the file cannot be read");
  if (bytes.empty()) throw InputError(path, {}, "the file is empty: expected a model");
  if (const std::size_t zero = bytes.find('\0'); zero != std::string::npos) {
    throw InputError(path, {}, fmt::format("this is a binary file (byte {} is zero): expected a model in UTF-8", zero));
  }
  return bytes;
}

}  // namespace

Model read_model(const std::string& path, const ParameterTexts& parameters) {
  require_readable_model(path);
  const std::string extension = extension_of(path);
  const std::string bytes = bytes_of(path);
  if (extension == ".spn") return parse_spn(bytes, path, parameters);
  const parse::GivenParameters none_is_declared(parameters, {});
  return parse_pnml(bytes, path);
}

}  // namespace dcheck
