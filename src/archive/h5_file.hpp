#pragma once
// HDF5 for archive alone: ids that close themselves, and the few kinds of data that our files have. Errors are
// exceptions, and HDF5 says nothing on stderr. One thread, one rank: see docs/decisions/0020.

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcheck {

class H5Id {
 public:
  using Close = herr_t (*)(hid_t);
  H5Id() = default;
  H5Id(hid_t id, Close how) : _id(id), _close(how) {}
  H5Id(H5Id&& other) noexcept : _id(std::exchange(other._id, -1)), _close(other._close) {}
  H5Id& operator=(H5Id&& other) noexcept {
    std::swap(_id, other._id);
    std::swap(_close, other._close);
    return *this;
  }
  ~H5Id() { close(); }
  H5Id(const H5Id&) = delete;
  H5Id& operator=(const H5Id&) = delete;

  hid_t get() const { return _id; }
  bool is_open() const { return _id >= 0; }
  /// Whether it could be closed.
  bool close() { return _id < 0 || _close(std::exchange(_id, -1)) >= 0; }

 private:
  hid_t _id = -1;
  Close _close = nullptr;
};

/// A dataset that grows by whole chunks, each given as the bytes that HDF5 would keep of it.
struct ChunkForm {
  std::size_t rows = 1;   // of a chunk
  std::size_t width = 1;  // numbers in a row
  enum class Coding : std::uint8_t {
    deflated,  // unsigned 64-bit numbers, shuffled and deflated
    own        // bytes that dcheck alone understands
  } coding = Coding::deflated;
};

class H5Writer {
 public:
  /// Throws ResourceError, as all calls do.
  explicit H5Writer(std::string path);
  ~H5Writer();
  H5Writer(const H5Writer&) = delete;
  H5Writer& operator=(const H5Writer&) = delete;

  void add_group(const std::string& name);
  void put_text(const std::string& attribute, const std::string& text);
  void put_number(const std::string& attribute, std::uint64_t number);
  void put_bytes(const std::string& name, std::string_view bytes);
  void put_texts(const std::string& name, const std::vector<std::string>& texts);
  void put_numbers(const std::string& name, std::span<const std::int64_t> numbers, std::size_t width);

  /// Numbered from 0 on in the order of the calls.
  std::size_t add_chunked(const std::string& name, const ChunkForm& form);
  /// A chunk more, of `rows` rows.
  void add_chunk(std::size_t dataset, std::string_view bytes, std::size_t rows);

  /// All is written. What stands in the file before this call cannot be read.
  void close();

 private:
  struct Chunked {
    H5Id dataset;
    ChunkForm form;
    std::uint64_t rows = 0, chunks = 0;
  };
  [[noreturn]] void fail() const;
  hid_t expect(hid_t id) const {
    if (id < 0) fail();
    return id;
  }
  /// Takes room for so many bytes on the disk, before HDF5 is given them: it cannot go on after a write has failed.
  void take_room(std::size_t bytes);

  std::string _path;
  int _descriptor = -1;
  std::uint64_t _room = 0, _used = 0;
  H5Id _file;
  std::vector<Chunked> _chunked;
};

class H5Reader {
 public:
  /// Throws InputError, as all calls do, where something is not there or has another form.
  explicit H5Reader(std::string path);

  const std::string& path() const { return _path; }
  bool has(const std::string& name) const;
  std::string text(const std::string& attribute) const;
  std::uint64_t number(const std::string& attribute) const;
  std::string bytes(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  std::vector<std::int64_t> numbers(const std::string& name) const;
  std::vector<std::string> names_in(const std::string& group) const;

  std::uint64_t rows(const std::string& dataset) const;
  /// Rows of unsigned 64-bit numbers of a dataset with so many of them in a row.
  void read_rows(const std::string& dataset, std::uint64_t first, std::size_t rows, std::size_t width,
                 std::uint64_t* to) const;
  /// The bytes of a chunk that dcheck alone understands.
  std::string own_chunk(const std::string& dataset, std::uint64_t chunk) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  hid_t expect(hid_t id, const std::string& what) const {
    if (id < 0) fail(what);
    return id;
  }
  H5Id open(const std::string& dataset) const;

  std::string _path;
  H5Id _file;
};

/// What HDF5 would keep of 64-bit numbers that are shuffled and deflated.
std::string deflated(std::span<const std::uint64_t> numbers);

}  // namespace dcheck
