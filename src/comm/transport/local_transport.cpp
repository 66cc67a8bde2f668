#include "comm/transport/local_transport.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace dcheck {

std::uint64_t steady_ns() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

void LocalTransport::send(Rank, Batch) {
  throw std::logic_error("there is no other rank to send to");
}

std::uint64_t LocalTransport::now() {
  return steady_ns();
}

void LocalTransport::abort(const std::string& message, int exit_code) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::_Exit(exit_code);
}

}  // namespace dcheck
