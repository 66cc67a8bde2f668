#include "dcheck/base/page_array.hpp"

#include <linux/mman.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t smallest_page = 4096;
constexpr std::size_t small_array = std::size_t{64} << 10;
constexpr std::size_t small_step = std::size_t{16} << 10, middle_step = std::size_t{64} << 10;
constexpr std::size_t little_step = std::size_t{128} << 10;

constexpr std::size_t round_up(std::size_t bytes, std::size_t step) {
  return (bytes + step - 1) / step * step;
}

/// What one array may reserve where ranks share the process: some 64 TiB for 32 arrays of each rank.
std::size_t most_address_space = ~std::size_t{0};

/// Twice the machine's memory, so that no array ever meets the end of its address space first.
std::size_t address_space() {
  static const std::size_t bytes = [] {
    const auto pages = static_cast<std::size_t>(std::max(1L, sysconf(_SC_PHYS_PAGES)));
    const auto page = static_cast<std::size_t>(std::max(4096L, sysconf(_SC_PAGESIZE)));
    return round_up(pages * page * 2, huge_page);
  }();
  return std::min(bytes, most_address_space);
}

/// Small arrays that were given back, zero again: whoever makes many of them, one after another, waits for the system
/// only once.
class Spares {
 public:
  struct Spare {
    std::byte* data;
    std::size_t usable, reserved;
  };

  Spares() = default;
  Spares(const Spares&) = delete;
  Spares& operator=(const Spares&) = delete;
  ~Spares() {
    for (const Spare& spare : _spares) munmap(spare.data, spare.reserved);
  }

  bool keep(const Spare& spare) {
    if (spare.usable > most_bytes || _spares.size() == _spares.capacity()) return false;
    std::memset(spare.data, 0, spare.usable);
    _spares.push_back(spare);
    return true;
  }
  std::optional<Spare> take() {
    if (_spares.empty()) return std::nullopt;
    const Spare spare = _spares.back();
    _spares.pop_back();
    return spare;
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{128} << 10, most_spares = 16;
  std::vector<Spare> _spares = [] {
    std::vector<Spare> spares;
    spares.reserve(most_spares);
    return spares;
  }();
};

thread_local Spares spares;

/// Grown in small steps an array has small pages: those that fill a huge page by now are made one. Where the system
/// cannot do that, they stay as they are.
void collapse(std::byte* data, std::size_t before, std::size_t after) {
#if defined(MADV_COLLAPSE)
  const std::size_t begin = before / huge_page * huge_page;
  const std::size_t end = after / huge_page * huge_page;
  if (begin != end) madvise(data + begin, end - begin, MADV_COLLAPSE);
#endif
}
}  // namespace

void share_address_space(int ranks) {
  constexpr std::size_t all = std::size_t{1} << 46, arrays_of_rank = 32;
  most_address_space =
      std::max(huge_page, all / arrays_of_rank / static_cast<std::size_t>(ranks) / huge_page * huge_page);
}

PageArray::~PageArray() {
  if (_data != nullptr && !spares.keep({_data, _usable, _reserved})) munmap(_data, _reserved);
  if (_budget != nullptr) _budget->used -= _usable;
}

void PageArray::reserve() {
  if (const auto spare = _budget == nullptr ? spares.take() : std::nullopt) {
    _data = spare->data;
    _usable = spare->usable;
    _reserved = spare->reserved;
    return;
  }
  // Where the address space is limited (ulimit -v) smaller reservations are tried before giving up.
  for (std::size_t bytes = address_space(); bytes >= huge_page; bytes = round_up(bytes / 2, huge_page)) {
    void* start = mmap(nullptr, bytes + huge_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
      if (bytes == huge_page) break;
      continue;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(start);
    const std::size_t lead = round_up(address, huge_page) - address;
    if (lead != 0) munmap(start, lead);
    if (lead != huge_page) munmap(static_cast<std::byte*>(start) + lead + bytes, huge_page - lead);
    _data = static_cast<std::byte*>(start) + lead;
    _reserved = bytes;
    return;
  }
  throw ResourceError("out of memory: no address space left");
}

/// How much to make usable so that `bytes` are: with some room ahead if the budget allows it, otherwise
/// as little as can be. The budget is never overdrawn.
std::size_t PageArray::amount_for(std::size_t bytes) const {
  const bool is_little = _ahead == Ahead::little;
  const std::size_t large_step = is_little ? little_step : huge_page;
  std::size_t step = bytes < small_array ? small_step : bytes < huge_page ? middle_step : large_step;
  std::size_t room = bytes / (is_little ? 128 : 16);
  if (_ahead == Ahead::none) step = smallest_page, room = 0;
  for (const std::size_t amount :
       {round_up(bytes + room, step), round_up(bytes, step), round_up(bytes, smallest_page)}) {
    const std::size_t wanted = std::min(amount, _reserved);
    if (wanted >= bytes && (_budget == nullptr || _budget->has_room_for(wanted - _usable))) return wanted;
  }
  if (_reserved < bytes) throw ResourceError("out of memory: the system refused " + std::to_string(bytes) + " bytes");
  throw ResourceError(_budget->reason);
}

void PageArray::ensure(std::size_t bytes) {
  if (bytes <= _usable) return;
  if (_data == nullptr) reserve();
  if (bytes <= _usable) return;
  const std::size_t wanted = amount_for(bytes);
  if (mprotect(_data, wanted, PROT_READ | PROT_WRITE) != 0)
    throw ResourceError("out of memory: the system refused " + std::to_string(bytes) + " bytes");
  if (wanted >= huge_page) madvise(_data, wanted, MADV_HUGEPAGE);
  if (_ahead == Ahead::little) collapse(_data, _usable, wanted);
  if (_budget != nullptr) _budget->used += wanted - _usable;
  _usable = wanted;
}

void PageArray::clear() {
  PageArray empty(_budget, _ahead);
  swap(empty);
}

}  // namespace dcheck
