#pragma once
// What the ranks are to do together: made by rank 0 from the command line and the files it names, sent to all
// others. They touch no file themselves.

#include <vector>

#include "dcheck/archive/file_keeper.hpp"
#include "dcheck/check/check.hpp"
#include "dcheck/comm/exchange/exchange.hpp"
#include "dcheck/ctl/serialize.hpp"

namespace dcheck {

struct Task {
  Net net;
  std::vector<Property> properties;
  CheckOptions options;  // but for its functions, which each rank has for itself
  ExchangeOptions exchange;
  std::uint64_t export_states = 0;  // so many at most are gathered on rank 0, which writes them; 0: none
  KeeperOptions states;
};

template <typename Archive>
void serialize(Archive& archive, LaneChoice& choice, unsigned) {
  archive& choice.kind& choice.places;
}

template <typename Archive>
void serialize(Archive& archive, AllocationChoice& choice, unsigned) {
  archive& choice.kind& choice.places;
}

template <typename Archive>
void serialize(Archive& archive, Limits& limits, unsigned) {
  serialize_optional(archive, limits.max_states);
  serialize_optional(archive, limits.max_memory_bytes);
  serialize_optional(archive, limits.max_seconds);
}

template <typename Archive>
void serialize(Archive& archive, StoreChoice& choice, unsigned) {
  archive& choice.kind& choice.hash_bits& choice.update_predecessors& choice.backward_firing;
  archive& choice.collapse& choice.family_labels;
  serialize_optional(archive, choice.k);
  serialize_optional(archive, choice.cache_rows);
}

template <typename Archive>
void serialize(Archive& archive, TestChoice& test, unsigned) {
  archive& test.kind& test.eating;
}

template <typename Archive>
void serialize(Archive& archive, CheckOptions& options, unsigned) {
  archive& options.explore.lanes& options.explore.allocation& options.explore.limits& options.explore.levels;
  archive& options.explore.store& options.explore.order& options.explore.waiting& options.explore.masks;
  archive& options.au& options.local& options.graph& options.sat_counts& options.witness& options.full;
  serialize_optional(archive, options.test);
}

template <typename Archive>
void serialize(Archive& archive, ExchangeOptions& options, unsigned) {
  archive& options.buffer_bytes& options.flush_after_ms& options.cache_bytes& options.max_in_flight;
  archive& options.dead_after_seconds& options.delay_ms;
}

template <typename Archive>
void serialize(Archive& archive, Task& task, unsigned) {
  archive& task.net& task.properties& task.options& task.exchange& task.export_states& task.states;
}

}  // namespace dcheck
