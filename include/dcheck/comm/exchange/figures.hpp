#pragma once
// What a rank sent and received, and where its time went. Figures only grow; those of one phase are a
// difference.

#include <cstdint>

namespace dcheck {

struct TrafficFigures {
  std::uint64_t records = 0;     // sent
  std::uint64_t merged = 0;      // not sent: joined to a record of the same buffer
  std::uint64_t suppressed = 0;  // not sent: all lanes were sent before
  std::uint64_t messages = 0;    // batches of records sent
  std::uint64_t bytes = 0;       // of these, as they travel, with their headers
  std::uint64_t full_flushes = 0, timeout_flushes = 0, idle_flushes = 0;  // why they were sent
  std::uint64_t received_records = 0, received_messages = 0;
  std::uint64_t dropped_records = 0;  // sent or received after the phase was asked to drop its work
  std::uint64_t token_rounds = 0;     // how often this rank passed the token on
  std::uint64_t sending_ns = 0;       // packing and handing over batches, and waiting until one may be sent
  std::uint64_t receiving_ns = 0;     // taking batches over and unpacking them
  std::uint64_t handling_ns = 0;      // in the engine's handler; a part of computing
  std::uint64_t idle_ns = 0;          // nothing to do

  /// Calls visit(name, figure) for each, in a fixed order.
  template <typename Figures, typename Visit>
  static void for_each(Figures& f, Visit visit) {
    visit("records", f.records);
    visit("merged", f.merged);
    visit("suppressed", f.suppressed);
    visit("messages", f.messages);
    visit("bytes", f.bytes);
    visit("full_flushes", f.full_flushes);
    visit("timeout_flushes", f.timeout_flushes);
    visit("idle_flushes", f.idle_flushes);
    visit("received_records", f.received_records);
    visit("received_messages", f.received_messages);
    visit("dropped_records", f.dropped_records);
    visit("token_rounds", f.token_rounds);
    visit("sending_ns", f.sending_ns);
    visit("receiving_ns", f.receiving_ns);
    visit("handling_ns", f.handling_ns);
    visit("idle_ns", f.idle_ns);
  }
  template <typename Archive>
  void serialize(Archive& archive, unsigned) {
    for_each(*this, [&](const char*, std::uint64_t& figure) { archive& figure; });
  }
};

}  // namespace dcheck
