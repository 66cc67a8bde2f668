// The floor that ns per arc is measured against: one random 8-byte read-modify-write in a 1 GiB table
// with huge pages, prefetched in batches of 16. Prints the best of ROUNDS (default 5) in nanoseconds.
//
// No explicit-state search that probes a large table once an arc can be faster than this on the
// machine at hand; a search on rows can.

#include <sys/mman.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>

namespace {

constexpr std::size_t table_bytes = std::size_t{1} << 30;
constexpr std::size_t huge_page_bytes = std::size_t{1} << 21;
constexpr std::size_t words = table_bytes / sizeof(std::uint64_t);
constexpr std::size_t batch = 16;
constexpr std::size_t accesses = std::size_t{1} << 25;

/// Aligned to a huge page, touched everywhere; null where the machine has no such memory.
std::uint64_t* map_table() {
  void* raw = mmap(nullptr, table_bytes + huge_page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  std::size_t room = table_bytes + huge_page_bytes;
  auto* table = static_cast<std::uint64_t*>(std::align(huge_page_bytes, table_bytes, raw, room));
  madvise(table, table_bytes, MADV_HUGEPAGE);
  for (std::size_t i = 0; i < words; i += 512) table[i] = i;
  return table;
}

std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

double nanoseconds_per_access(std::uint64_t* table, std::uint64_t& random) {
  std::array<std::uint64_t*, batch> at{};
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t done = 0; done < accesses; done += batch) {
    for (auto& slot : at) {
      slot = table + next_random(random) % words;
      __builtin_prefetch(slot, 1);
    }
    for (auto* slot : at) *slot += random;
  }
  const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - start;
  return passed.count() / static_cast<double>(accesses);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  std::uint64_t* table = map_table();
  if (table == nullptr || rounds < 1) {
    std::fputs("limit: needs 1 GiB of memory and a number of rounds that is at least 1\n", stderr);
    return 1;
  }
  std::uint64_t random = 0x9E3779B97F4A7C15U;
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const double ns = nanoseconds_per_access(table, random);
    best = ns < best ? ns : best;
  }
  std::printf("%.3f\n", best);
  return 0;
}
