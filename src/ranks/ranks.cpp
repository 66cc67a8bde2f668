#include "dcheck/ranks/ranks.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "dcheck/base/stop_request.hpp"

namespace dcheck {

Ranks::Ranks(Cluster& cluster, const ExchangeOptions& options) : _cluster(&cluster) {
  if (cluster.size() > 1) _exchange = std::make_unique<Exchange>(cluster, options);
}

std::uint64_t Ranks::sum(std::uint64_t value) const {
  agree({&value, 1}, Combine::sum);
  return value;
}

std::uint64_t Ranks::max(std::uint64_t value) const {
  agree({&value, 1}, Combine::max);
  return value;
}

Ranks& alone() {
  static Ranks ranks;
  return ranks;
}

void Ranks::settle(const std::optional<ResourceError>& trouble) {
  if (trouble) {
    _exchange->ask_to_stop(Stop::drop);
    while (!_exchange->is_over(true)) {
    }
  }
  constexpr std::uint64_t nobody = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t none_asked = 1U << 16;  // larger than a signal: where some rank was asked it is less
  const int signal = trouble ? trouble->signal() : 0;
  std::uint64_t least[] = {trouble ? index(rank()) : nobody,
                           signal != 0 ? static_cast<std::uint64_t>(signal) : none_asked};
  agree(least, Combine::min);
  const std::uint64_t first = least[0];
  if (first == nobody) return;
  if (least[1] != none_asked) throw AgreedStop(stopped_by(static_cast<int>(least[1])), static_cast<int>(least[1]));
  const std::vector<std::string> troubles = _cluster->gather(trouble ? trouble->what() : "");
  std::string reason;
  if (rank() == rank_0) reason = fmt::format("rank {}: {}", first, troubles[static_cast<std::size_t>(first)]);
  _cluster->broadcast(reason);
  throw AgreedStop(reason);
}

}  // namespace dcheck
