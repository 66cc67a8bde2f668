#include "dcheck/ranks/ranks.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

namespace dcheck {

Ranks::Ranks(Cluster& cluster, const ExchangeOptions& options) : _cluster(&cluster) {
  if (cluster.size() > 1) _exchange = std::make_unique<Exchange>(cluster, options);
}

void Ranks::set_plan(const Plan& plan, const OwnerClasses& classes) {
  if (is_alone()) return;
  _allocation = Allocation(plan, size(), classes);
  ++_plan_number;
}

bool Ranks::owns(const Plan& plan, std::span<const Tokens> marking) const {
  return is_alone() || _allocation.owner(_allocation.sum(plan.stored_key(marking).data())) == rank();
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

void Ranks::settle(const std::optional<std::string>& trouble) {
  if (trouble) {
    _exchange->ask_to_stop(Stop::drop);
    while (!_exchange->is_over(true)) {
    }
  }
  constexpr std::uint64_t nobody = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t first = trouble ? static_cast<std::uint64_t>(rank()) : nobody;
  agree({&first, 1}, Combine::min);
  if (first == nobody) return;
  const std::vector<std::string> troubles = _cluster->gather(trouble.value_or(""));
  std::string reason;
  if (rank() == 0) reason = fmt::format("rank {}: {}", first, troubles[static_cast<std::size_t>(first)]);
  _cluster->broadcast(reason);
  throw AgreedStop(reason);
}

}  // namespace dcheck
