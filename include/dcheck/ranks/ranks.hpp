#pragma once
// The ranks of a run, as one of them sees the others: how all come to one decision, and phases in which they exchange
// records. Alone, everything here costs nothing and sends nothing: a cluster of one.
//
// All ranks run the same program on the same net, each on its own rows. What they do together is a sequence of
// phases and together() calls, the same on all of them; in between they decide by what agree() told, so that
// all decide alike. Code that can run out of memory or into a limit stands inside one of the two, never
// around them: then either all ranks go on or all get the same AgreedStop.

#include <memory>
#include <new>
#include <optional>
#include <span>

#include "dcheck/base/error.hpp"
#include "dcheck/comm/cluster.hpp"
#include "dcheck/comm/exchange/exchange.hpp"

namespace dcheck {

/// Some rank ran out of memory or into a limit, or was asked to stop, and all ranks know it: they may go on together,
/// without what they were doing. Any other ResourceError on one of several ranks is known to that rank alone.
struct AgreedStop : ResourceError {
  using ResourceError::ResourceError;
};

class Ranks {
 public:
  /// Alone.
  Ranks() = default;
  /// The cluster must outlive the ranks.
  Ranks(Cluster& cluster, const ExchangeOptions& options);

  bool is_alone() const { return _exchange == nullptr; }
  Rank rank() const { return _cluster == nullptr ? rank_0 : _cluster->rank(); }
  int size() const { return _cluster == nullptr ? 1 : _cluster->size(); }
  /// @pre Not alone.
  Cluster& cluster() const { return *_cluster; }
  Exchange& exchange() const { return *_exchange; }

  /// Collective; see Cluster::agree. Alone: nothing happens.
  void agree(std::span<std::uint64_t> values, Combine how) const {
    if (!is_alone()) _cluster->agree(values, how);
  }
  std::uint64_t sum(std::uint64_t value) const;
  std::uint64_t max(std::uint64_t value) const;
  bool any(bool value) const { return max(value ? 1 : 0) != 0; }

  /// Collective: work that each rank does for itself. Throws AgreedStop on all ranks where one of them ran out of
  /// memory or into a limit; alone, what `work` throws.
  template <typename Work>
  void together(Work&& work) {
    if (is_alone()) return work();
    std::optional<ResourceError> trouble;
    try {
      work();
    } catch (const ResourceError& error) {
      trouble = error;
    } catch (const std::bad_alloc&) {
      trouble = ResourceError("out of memory");
    }
    settle(trouble);
  }

  /// Work that is the same on all ranks, because it looks at nothing but what they all have: the net, formulas,
  /// markings. What it throws, all ranks throw: so all know of it, and nothing needs to be sent.
  template <typename Work>
  auto alike(Work&& work) const {
    try {
      return work();
    } catch (const ResourceError& error) {
      if (is_alone()) throw;
      throw AgreedStop(error.what(), error.signal());
    }
  }

  /// Whether all ranks know of this error, so that it can be dealt with here.
  bool is_agreed(const std::exception& error) const {
    return is_alone() || dynamic_cast<const AgreedStop*>(&error) != nullptr;
  }

 private:
  /// Ends an open phase where there is trouble here, then throws on all ranks where there is some anywhere. Who was
  /// asked to stop comes first.
  void settle(const std::optional<ResourceError>& trouble);

  Cluster* _cluster = nullptr;
  std::unique_ptr<Exchange> _exchange;
};

/// The ranks of a run on one rank.
Ranks& alone();

}  // namespace dcheck
