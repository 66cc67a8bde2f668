#include "app/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace dcheck {
namespace {

namespace fs = std::filesystem;

class Smallest {
 public:
  void take(std::optional<std::uint64_t> bytes) {
    if (bytes && *bytes > 0) _value = std::min(_value.value_or(*bytes), *bytes);
  }
  std::optional<std::uint64_t> value() const { return _value; }

 private:
  std::optional<std::uint64_t> _value;
};

/// None for "max", for anything else that is no number, and for a missing text.
std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> number_in_file(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return number_in(line);
}

/// A limit holds for everything below it, so every ancestor of our group counts.
void take_groups(Smallest& smallest, const fs::path& root, const fs::path& group, const char* limit_file) {
  fs::path at = root;
  smallest.take(number_in_file(at / limit_file));
  for (const fs::path& part : group.relative_path()) {
    at /= part;
    smallest.take(number_in_file(at / limit_file));
  }
}

void take_control_groups(Smallest& smallest) {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // hierarchy:controllers:path
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") take_groups(smallest, "/sys/fs/cgroup", group, "memory.max");
    if (controllers.find(",memory,") != std::string::npos) {
      take_groups(smallest, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
    }
  }
}

std::optional<std::uint64_t> slurm_number(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::nullopt : number_in(text);
}

/// --mem, or --mem-per-cpu for each CPU of this node; in megabytes, 0 where it is not limited.
void take_slurm(Smallest& smallest) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 40;
  const auto take_megabytes = [&](std::uint64_t each, std::uint64_t count) {
    if (count > 0 && each < largest / count) smallest.take(each * count << 20);
  };
  if (const auto per_node = slurm_number("SLURM_MEM_PER_NODE")) take_megabytes(*per_node, 1);
  const auto per_cpu = slurm_number("SLURM_MEM_PER_CPU"), cpus = slurm_number("SLURM_CPUS_ON_NODE");
  if (per_cpu && cpus) take_megabytes(*per_cpu, *cpus);
}

void take_physical(Smallest& smallest) {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return;
  smallest.take(static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes));
}

}  // namespace

std::optional<std::uint64_t> allowed_memory_bytes() {
  Smallest smallest;
  take_physical(smallest);
  take_control_groups(smallest);
  take_slurm(smallest);
  return smallest.value();
}

std::uint64_t share_of_memory(std::uint64_t allowed_bytes, int ranks_on_host) {
  return allowed_bytes / 10 * 9 / static_cast<std::uint64_t>(ranks_on_host);
}

}  // namespace dcheck
