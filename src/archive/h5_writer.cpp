#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "archive/h5_file.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

constexpr int deflate_level = 1;                  // more hardly helps, and takes several times as long
constexpr std::size_t room_for_heads = 1U << 20;  // of what HDF5 writes by itself, beside what it is given
constexpr std::size_t room_at_once = 16U << 20;
constexpr H5Z_filter_t own_filter = 501;  // nobody has registered it: only dcheck reads such chunks

void be_silent() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

}  // namespace

std::string deflated(std::span<const std::uint64_t> numbers) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(numbers.data());
  std::string shuffled(numbers.size_bytes(), '\0');
  for (std::size_t b = 0; b < 8; ++b)
    for (std::size_t i = 0; i < numbers.size(); ++i)
      shuffled[b * numbers.size() + i] = static_cast<char>(bytes[8 * i + b]);
  uLongf size = compressBound(shuffled.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(shuffled.data()),
                shuffled.size(), deflate_level) != Z_OK)
    throw ResourceError("out of memory");
  out.resize(size);
  return out;
}

H5Writer::H5Writer(std::string path) : _path(std::move(path)) {
  be_silent();
  errno = 0;
  _descriptor = open(_path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (_descriptor < 0) fail();
  take_room(room_for_heads);
  const H5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  _file = {H5Fcreate(_path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose};
  expect(_file.get());
  _room = _used = 0;  // truncated
  take_room(room_for_heads);
}

H5Writer::~H5Writer() {
  if (_descriptor >= 0) ::close(_descriptor);
}

void H5Writer::fail() const {
  const int error = errno == 0 ? EIO : errno;
  throw ResourceError(fmt::format("'{}' could not be written: {}", _path, std::strerror(error)));
}

void H5Writer::take_room(std::size_t bytes) {
  _used += bytes;
  if (_used + room_for_heads <= _room) return;
  const std::uint64_t wanted = _used + room_for_heads + room_at_once;
  errno = 0;
  // Beyond its end, so that the file is no longer than what HDF5 writes. Where the file system cannot say, a write
  // will.
  const auto take = [&](std::uint64_t size) {
    const bool is_there = fallocate(_descriptor, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(size)) == 0;
    return is_there || errno == EOPNOTSUPP || errno == ENOSYS;
  };
  if (!take(wanted)) {
    const int error = errno;
    if (!take(_used + room_for_heads)) {  // a little may be left
      errno = error;
      fail();
    }
    _room = _used + room_for_heads;
    return;
  }
  _room = wanted;
}

void H5Writer::add_group(const std::string& name) {
  H5Id(expect(H5Gcreate2(_file.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), H5Gclose);
}

void H5Writer::put_text(const std::string& attribute, const std::string& text) {
  const H5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size() + 1);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const H5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const H5Id made(expect(H5Acreate2(_file.get(), attribute.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)),
                  H5Aclose);
  if (H5Awrite(made.get(), type.get(), text.c_str()) < 0) fail();
}

void H5Writer::put_number(const std::string& attribute, std::uint64_t number) {
  const H5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const H5Id made(
      expect(H5Acreate2(_file.get(), attribute.c_str(), H5T_STD_U64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT)),
      H5Aclose);
  if (H5Awrite(made.get(), H5T_NATIVE_UINT64, &number) < 0) fail();
}

void H5Writer::put_bytes(const std::string& name, std::string_view bytes) {
  take_room(bytes.size());
  const hsize_t size = bytes.size();
  const H5Id space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const H5Id made(
      expect(H5Dcreate2(_file.get(), name.c_str(), H5T_STD_U8LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
      H5Dclose);
  if (size != 0 && H5Dwrite(made.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) fail();
}

void H5Writer::put_texts(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  std::size_t bytes = 0;
  for (const std::string& text : texts) {
    pointers.push_back(text.c_str());
    bytes += text.size() + 64;
  }
  take_room(2 * bytes);
  const H5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const hsize_t size = texts.size();
  const H5Id space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const H5Id made(
      expect(H5Dcreate2(_file.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
      H5Dclose);
  if (size != 0 &&
      H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, static_cast<const void*>(pointers.data())) < 0)
    fail();
}

void H5Writer::put_numbers(const std::string& name, std::span<const std::int64_t> numbers, std::size_t width) {
  take_room(numbers.size_bytes());
  const std::array<hsize_t, 2> size{width == 0 ? 0 : numbers.size() / width, width};
  const H5Id space(H5Screate_simple(width == 1 ? 1 : 2, size.data(), nullptr), H5Sclose);
  const H5Id made(
      expect(H5Dcreate2(_file.get(), name.c_str(), H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
      H5Dclose);
  if (!numbers.empty() && H5Dwrite(made.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
    fail();
}

std::size_t H5Writer::add_chunked(const std::string& name, const ChunkForm& form) {
  const bool is_own = form.coding == ChunkForm::Coding::own;
  const int dimensions = is_own ? 1 : 2;
  const std::array<hsize_t, 2> none{0, form.width}, most{H5S_UNLIMITED, form.width}, chunk{form.rows, form.width};
  const H5Id space(H5Screate_simple(dimensions, none.data(), most.data()), H5Sclose);
  const H5Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation.get(), dimensions, chunk.data());
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  if (is_own) {
    H5Pset_filter(creation.get(), own_filter, H5Z_FLAG_OPTIONAL, 0, nullptr);
  } else {
    H5Pset_shuffle(creation.get());
    H5Pset_deflate(creation.get(), deflate_level);
  }
  const hid_t type = is_own ? H5T_STD_U8LE : H5T_STD_U64LE;
  _chunked.push_back(
      {{H5Dcreate2(_file.get(), name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose},
       form});
  expect(_chunked.back().dataset.get());
  return _chunked.size() - 1;
}

void H5Writer::add_chunk(std::size_t dataset, std::string_view bytes, std::size_t rows) {
  Chunked& to = _chunked[dataset];
  take_room(bytes.size() + 256);
  errno = 0;
  to.rows += rows;
  const std::array<hsize_t, 2> size{to.rows, to.form.width}, at{to.chunks++ * to.form.rows, 0};
  if (H5Dset_extent(to.dataset.get(), size.data()) < 0) fail();
  if (H5Dwrite_chunk(to.dataset.get(), H5P_DEFAULT, 0, at.data(), bytes.size(), bytes.data()) < 0) fail();
}

void H5Writer::close() {
  errno = 0;
  bool is_closed = true;
  for (Chunked& one : _chunked) is_closed = one.dataset.close() && is_closed;
  if (!_file.close() || !is_closed) fail();
  // What was taken and not used.
  struct stat about {};
  if (fstat(_descriptor, &about) != 0 || ftruncate(_descriptor, about.st_size) != 0) fail();
}

}  // namespace dcheck
