#include <cstdlib>
#include <cstring>

#include "dcheck/base/bits.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace dcheck {

namespace {

bool ask_cpu() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("popcnt")) return false;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned amd = 0x68747541;  // "Auth", the first letters of AMD's vendor string
  if (b != amd) return true;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  const unsigned family = ((a >> 8) & 0xF) + ((a >> 20) & 0xFF);
  return family >= 0x19;  // Zen 3
#else
  return false;
#endif
}

}  // namespace

bool cpu_has_fast_bits() {
  const char* wish = std::getenv("DCHECK_PORTABLE_BITS");
  if (wish != nullptr && std::strcmp(wish, "1") == 0) return false;
  static const bool has_them = ask_cpu();  // once: in a virtual machine the question is expensive
  return has_them;
}

}  // namespace dcheck
