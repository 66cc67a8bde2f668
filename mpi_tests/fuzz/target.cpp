// A libFuzzer program for one of the targets: DCHECK_FUZZ_TARGET is its name.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "fuzz/entries.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using dcheck::fuzz::Target;
  using dcheck::fuzz::targets;
  static const Target& target = *std::find_if(targets.begin(), targets.end(),
                                              [](const Target& known) { return known.name == DCHECK_FUZZ_TARGET; });
  target.entry({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
