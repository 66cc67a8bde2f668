#include "archive/seal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

constexpr std::uint64_t magic = 0x316C616573'636400U;  // "\0dcseal1"
constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::size_t tail_words = 3;

/// A change of one word always changes it, any other change with all but one part in 2^64.
std::uint64_t checksum(const char* bytes, std::size_t count) {
  constexpr std::uint64_t factor_a = 0x9E3779B185EBCA87U, factor_b = 0xC2B2AE3D27D4EB4FU;
  std::array<std::uint64_t, 4> sums{1, 2, 3, 4};
  const auto step = [&](std::uint64_t sum, std::uint64_t word) {
    return std::rotl(sum + word * factor_b, 31) * factor_a;
  };
  std::size_t at = 0;
  for (; at + 32 <= count; at += 32)
    for (std::size_t lane = 0; lane < 4; ++lane) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + at + 8 * lane, 8);
      sums[lane] = step(sums[lane], word);
    }
  std::uint64_t all = count;
  for (const std::uint64_t sum : sums) all = step(all, mixed_bits(sum));
  for (; at < count; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min<std::size_t>(8, count - at));
    all = step(all, word);
  }
  return mixed_bits(all);
}

std::uint64_t checksum(const std::vector<std::uint64_t>& words, std::uint64_t file_bytes) {
  return checksum(reinterpret_cast<const char*>(words.data()), words.size() * 8) ^ mixed_bits(file_bytes + 1);
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : _number(open(path.c_str(), flags | O_CLOEXEC)) {}
  ~Descriptor() {
    if (_number >= 0) close(_number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const { return _number >= 0; }
  int number() const { return _number; }
  std::uint64_t size() const {
    struct stat about {};
    return fstat(_number, &about) == 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
  }
  bool read(char* to, std::size_t count, std::uint64_t from) const {
    while (count != 0) {
      const ssize_t done = pread(_number, to, count, static_cast<off_t>(from));
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      to += done;
      count -= static_cast<std::size_t>(done);
      from += static_cast<std::uint64_t>(done);
    }
    return true;
  }
  bool write(const char* from, std::size_t count, std::uint64_t to) const {
    while (count != 0) {
      const ssize_t done = pwrite(_number, from, count, static_cast<off_t>(to));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return false;
      from += done;
      count -= static_cast<std::size_t>(done);
      to += static_cast<std::uint64_t>(done);
    }
    return true;
  }

 private:
  int _number;
};

/// Of each MiB of the first bytes of a file; fewer where it cannot be read.
std::vector<std::uint64_t> checksums_of(const Descriptor& file, std::uint64_t bytes) {
  std::vector<std::uint64_t> sums;
  std::vector<char> piece(piece_bytes);
  for (std::uint64_t from = 0; from < bytes; from += piece_bytes) {
    const std::size_t count = std::min<std::uint64_t>(piece_bytes, bytes - from);
    if (!file.read(piece.data(), count, from)) break;
    sums.push_back(checksum(piece.data(), count));
  }
  return sums;
}

std::uint64_t pieces_in(std::uint64_t bytes) {
  return bytes / piece_bytes + (bytes % piece_bytes != 0 ? 1 : 0);
}

}  // namespace

void seal_file(const std::string& path) {
  const auto fail = [&] {
    const int error = errno == 0 ? EIO : errno;
    throw ResourceError(fmt::format("'{}' could not be written: {}", path, std::strerror(error)));
  };
  errno = 0;
  const Descriptor file(path, O_RDWR);
  if (!file.is_open()) fail();
  const std::uint64_t bytes = file.size();
  std::vector<std::uint64_t> words = checksums_of(file, bytes);
  if (words.size() != pieces_in(bytes)) fail();
  const std::uint64_t all = checksum(words, bytes);
  words.insert(words.end(), {bytes, all, magic});
  if (!file.write(reinterpret_cast<const char*>(words.data()), words.size() * 8, bytes)) fail();
  if (fsync(file.number()) != 0) fail();
}

void expect_sealed(const std::string& path) {
  errno = 0;
  const Descriptor file(path, O_RDONLY);
  if (!file.is_open()) throw InputError(path, {}, fmt::format("cannot be read: {}", std::strerror(errno)));
  const std::uint64_t size = file.size();
  std::array<std::uint64_t, tail_words> tail{};
  const bool has_tail =
      size >= sizeof tail && file.read(reinterpret_cast<char*>(tail.data()), sizeof tail, size - sizeof tail);
  if (!has_tail || tail[2] != magic)
    throw InputError(path, {}, "is no file of states that dcheck has written, or it is damaged: its end is missing");
  const std::uint64_t bytes = tail[0];
  const std::uint64_t rest = size - sizeof tail;
  const bool is_possible = bytes <= rest && (rest - bytes) / 8 == pieces_in(bytes) && (rest - bytes) % 8 == 0;
  std::vector<std::uint64_t> sums(is_possible ? pieces_in(bytes) : 0);
  if (!is_possible || !file.read(reinterpret_cast<char*>(sums.data()), sums.size() * 8, bytes) ||
      checksum(sums, bytes) != tail[1])
    throw InputError(path, {}, "is damaged: the checksums at its end are not as they were written");
  const std::vector<std::uint64_t> now = checksums_of(file, bytes);
  if (now == sums) return;
  const auto differs = std::ranges::mismatch(now, sums).in1 - now.begin();
  throw InputError(path, {},
                   fmt::format("is damaged: its bytes from {} on are not as they were written",
                               static_cast<std::uint64_t>(differs) * piece_bytes));
}

}  // namespace dcheck
