// A libFuzzer program: fuzz_pnml calls the entry of the target pnml, and so on.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>

#include "fuzz/entries.hpp"

namespace {

void (*entry)(std::string_view text) = nullptr;

}  // namespace

// The names are libFuzzer's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" int LLVMFuzzerInitialize(const int* /*argc*/, char*** argv) {
  using dcheck::fuzz::Target;
  using dcheck::fuzz::targets;
  const std::string program = std::filesystem::path(**argv).filename();
  const auto is_meant = [&](const Target& target) { return program == "fuzz_" + std::string(target.name); };
  const auto found = std::find_if(targets.begin(), targets.end(), is_meant);
  if (found == targets.end()) throw std::invalid_argument(program + " is the name of no target");
  entry = found->entry;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  entry({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
// NOLINTEND(readability-identifier-naming)
