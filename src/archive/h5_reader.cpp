#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "archive/h5_file.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

std::uint64_t size_of(hid_t dataset) {
  const H5Id space(H5Dget_space(dataset), H5Sclose);
  return static_cast<std::uint64_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.get())));
}

}  // namespace

H5Reader::H5Reader(std::string path) : _path(std::move(path)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  _file = {H5Fopen(_path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
  if (!_file.is_open()) throw InputError(_path, {}, "is no HDF5 file");
}

void H5Reader::fail(const std::string& what) const {
  throw InputError(_path, {}, fmt::format("has no '{}' as dcheck writes it", what));
}

bool H5Reader::has(const std::string& name) const {
  return H5Lexists(_file.get(), name.c_str(), H5P_DEFAULT) > 0;
}

std::string H5Reader::text(const std::string& attribute) const {
  const H5Id found(expect(H5Aopen(_file.get(), attribute.c_str(), H5P_DEFAULT), attribute), H5Aclose);
  const H5Id type(H5Aget_type(found.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0) fail(attribute);
  std::string text(H5Tget_size(type.get()), '\0');
  if (H5Aread(found.get(), type.get(), text.data()) < 0) fail(attribute);
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

std::uint64_t H5Reader::number(const std::string& attribute) const {
  const H5Id found(expect(H5Aopen(_file.get(), attribute.c_str(), H5P_DEFAULT), attribute), H5Aclose);
  std::uint64_t number = 0;
  if (H5Aread(found.get(), H5T_NATIVE_UINT64, &number) < 0) fail(attribute);
  return number;
}

H5Id H5Reader::open(const std::string& dataset) const {
  return {expect(H5Dopen2(_file.get(), dataset.c_str(), H5P_DEFAULT), dataset), H5Dclose};
}

std::string H5Reader::bytes(const std::string& name) const {
  const H5Id found = open(name);
  std::string bytes(size_of(found.get()), '\0');
  if (!bytes.empty() && H5Dread(found.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    fail(name);
  return bytes;
}

std::vector<std::string> H5Reader::texts(const std::string& name) const {
  const H5Id found = open(name);
  const H5Id type(H5Dget_type(found.get()), H5Tclose);
  if (H5Tis_variable_str(type.get()) <= 0) fail(name);
  std::vector<char*> pointers(size_of(found.get()), nullptr);
  if (pointers.empty()) return {};
  const auto to = static_cast<void*>(pointers.data());
  if (H5Dread(found.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0) fail(name);
  std::vector<std::string> texts;
  for (const char* const pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
  const H5Id space(H5Dget_space(found.get()), H5Sclose);
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, to);
  return texts;
}

std::vector<std::int64_t> H5Reader::numbers(const std::string& name) const {
  const H5Id found = open(name);
  std::vector<std::int64_t> numbers(size_of(found.get()));
  if (!numbers.empty() && H5Dread(found.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
    fail(name);
  return numbers;
}

std::vector<std::string> H5Reader::names_in(const std::string& group) const {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  if (H5Literate_by_name(_file.get(), group.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names, H5P_DEFAULT) < 0)
    fail(group);
  return names;
}

std::uint64_t H5Reader::rows(const std::string& dataset) const {
  const H5Id found = open(dataset);
  const H5Id space(H5Dget_space(found.get()), H5Sclose);
  std::array<hsize_t, 2> size{};
  if (H5Sget_simple_extent_ndims(space.get()) > 2 || H5Sget_simple_extent_dims(space.get(), size.data(), nullptr) < 0)
    fail(dataset);
  return size[0];
}

void H5Reader::read_rows(const std::string& dataset, std::uint64_t first, std::size_t rows, std::size_t width,
                         std::uint64_t* to) const {
  const H5Id found = open(dataset);
  const H5Id space(H5Dget_space(found.get()), H5Sclose);
  std::array<hsize_t, 2> size{};
  const bool fits = H5Sget_simple_extent_ndims(space.get()) == 2 &&
                    H5Sget_simple_extent_dims(space.get(), size.data(), nullptr) == 2 && size[1] == width &&
                    first + rows <= size[0];
  if (!fits) fail(dataset);
  const std::array<hsize_t, 2> begin{first, 0}, count{rows, width};
  const H5Id memory(H5Screate_simple(2, count.data(), nullptr), H5Sclose);
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr);
  if (H5Dread(found.get(), H5T_NATIVE_UINT64, memory.get(), space.get(), H5P_DEFAULT, to) < 0) fail(dataset);
}

std::string H5Reader::own_chunk(const std::string& dataset, std::uint64_t chunk) const {
  const H5Id found = open(dataset);
  const hsize_t at = chunk;
  hsize_t size = 0;
  if (H5Dget_chunk_storage_size(found.get(), &at, &size) < 0) fail(dataset);
  std::string bytes(size, '\0');
  std::uint32_t mask = 0;
  if (H5Dread_chunk(found.get(), H5P_DEFAULT, &at, &mask, bytes.data()) < 0) fail(dataset);
  return bytes;
}

}  // namespace dcheck
