#include "store/chains/link_values.hpp"

namespace dcheck {

namespace {

/// Into bits that are zero.
void write_bits(std::byte* stream, std::uint64_t at, std::uint64_t value, unsigned width) {
  const unsigned before = at % 8;
  std::uint64_t word = 0;
  std::memcpy(&word, stream + at / 8, 8);
  word |= value << before;
  std::memcpy(stream + at / 8, &word, 8);
  if (before + width > 64) stream[at / 8 + 8] = static_cast<std::byte>(value >> (64 - before));
}

}  // namespace

void LinkValues::append(std::span<const BitRun> runs, const std::uint64_t* key) {
  constexpr std::size_t room_behind = 9;  // numbers are read and written as words, from any bit of a byte on
  std::uint64_t width = 0;
  for (const BitRun& run : runs) width += run.width;
  _stream.ensure((_end + width) / 8 + room_behind);
  if (_size % group_rows == 0) {
    _beginnings.ensure(_size / group_rows + 1);
    _beginnings[_size / group_rows] = _end;
  }
  for (const BitRun& run : runs) {
    write_bits(_stream.data(), _end, key[run.word] >> run.shift & low_bits(run.width), run.width);
    _end += run.width;
  }
  ++_size;
}

}  // namespace dcheck
