#include "report/format.hpp"

#include <bit>

#include "dcheck/net/net.hpp"
#include "dcheck/report/report.hpp"

namespace dcheck {

std::string_view name_of(StoreChoice::Kind kind) {
  switch (kind) {
    case StoreChoice::Kind::delta:
      return "delta";
    case StoreChoice::Kind::comback:
      return "comback";
    case StoreChoice::Kind::condensed:
      return "condensed";
    case StoreChoice::Kind::difference:
      return "difference";
    case StoreChoice::Kind::compaction:
      return "compaction";
    case StoreChoice::Kind::bitstate:
      return "bitstate";
    default:
      return "packed";
  }
}

std::optional<CondensedSize> condensed_size(const RunReport& report) {
  const LabelFigures& labels = report.labels;
  if (labels.condensed_bytes == 0) return std::nullopt;
  const auto bits_for = [](std::uint64_t numbers) {
    return numbers <= 1 ? 0 : static_cast<std::uint64_t>(std::bit_width(numbers - 1));
  };
  constexpr std::uint64_t word = 64;
  const std::uint64_t states = report.exploration.states;
  const std::uint64_t arc_bits = bits_for(report.net->transition_count()) + bits_for(states);
  return CondensedSize{
      labels.condensed_bytes + labels.graph_bytes, labels.condensed_bytes,
      states * (2 * word / 8) +
          static_cast<std::uint64_t>(static_cast<double>(report.exploration.arcs) * static_cast<double>(arc_bits) / 8)};
}

}  // namespace dcheck
