#pragma once
// The ranks of a run, as the engines of one of them see the others: who owns a row, how records get there, and
// how all come to one decision. Alone, everything here costs nothing and sends nothing: a cluster of one.
//
// All ranks run the same program on the same net, each on its own rows. What they do together is a sequence of
// phase() and together() calls, the same on all of them; in between they decide by what agree() told, so that
// all decide alike. Code that can run out of memory or into a limit stands inside one of the two, never
// around them: then either all ranks go on or all get the same AgreedStop.

#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "dcheck/base/error.hpp"
#include "dcheck/comm/cluster.hpp"
#include "dcheck/comm/exchange.hpp"
#include "dcheck/ranks/allocation.hpp"

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
  int rank() const { return _cluster == nullptr ? 0 : _cluster->rank(); }
  int size() const { return _cluster == nullptr ? 1 : _cluster->size(); }
  /// @pre Not alone.
  Cluster& cluster() const { return *_cluster; }
  Exchange& exchange() const { return *_exchange; }

  /// From now on rows belong to this plan and are owned by these classes, the same on all ranks. @pre No phase is open.
  void set_plan(const Plan& plan, const OwnerClasses& classes);
  const Allocation& allocation() const { return _allocation; }
  /// Whether the state's row is this rank's.
  bool owns(const Plan& plan, std::span<const Tokens> marking) const;

  /// Collective; see Cluster::agree. Alone: nothing happens.
  void agree(std::span<std::uint64_t> values, Combine how) const {
    if (!is_alone()) _cluster->agree(values, how);
  }
  std::uint64_t sum(std::uint64_t value) const;
  std::uint64_t max(std::uint64_t value) const;
  bool any(bool value) const { return max(value ? 1 : 0) != 0; }

  /// Collective: one phase of the exchange, from its beginning on all ranks to its end on all of them. `work` sends
  /// records by exchange() and returns once exchange().is_over(true) has said true; alone, once nothing is left to do.
  /// What it finds with exchange().stop() afterwards is the same on all ranks.
  template <typename Work>
  void phase(const RecordShape& shape, Merging merging, Exchange::Handler handler, Work&& work) {
    if (!is_alone()) _exchange->begin(shape, merging, _plan_number, std::move(handler));
    together(std::forward<Work>(work));
  }

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
  Allocation _allocation;
  std::uint32_t _plan_number = 0;
};

/// The ranks of a run on one rank.
Ranks& alone();

}  // namespace dcheck
