#pragma once
// How a run is getting on: plain data for those who show it.

#include <cstddef>
#include <cstdint>

namespace dcheck {

/// The step of a labelling that is under way.
struct LabellingStep {
  std::uint64_t number = 0;     // how many there were before; the same on all ranks
  const char* name = "";        // of its operator: "EU"
  std::uint64_t rows_done = 0;  // so far; more than there are where rows are handled again
  std::uint64_t rows = 0;       // to be done in all; 0: nobody knows
  std::uint64_t round = 0;      // through all rows, or steps away from where it began; 0: rounds are not counted
};

/// A snapshot of one rank, or of all of them together.
struct Progress {
  enum class Phase : std::uint8_t { planning, exploring, checking, showing };
  Phase phase = Phase::exploring;
  std::uint64_t states = 0, arcs = 0, rows = 0;
  std::uint64_t waiting_rows = 0;  // of one rank modulo 2^64: sums are right (ExploreState::waiting)
  std::uint64_t memory_bytes = 0;  // of all ranks: what the fullest has
  double seconds = 0;
  int ranks = 1;
  // While checking or showing:
  std::size_t property = 0, properties = 0;  // from 1; 0: no property
  LabellingStep step = {};
};

}  // namespace dcheck
