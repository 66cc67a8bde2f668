#include "report/rank_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "report/format.hpp"

namespace dcheck {
namespace {

using Figure = std::uint64_t (*)(const RankFigures&);
using Format = std::string (*)(std::uint64_t);

struct Spread {
  std::uint64_t min = 0, mean = 0, max = 0;
  double sum = 0;
};

Spread spread_of(std::span<const RankFigures> ranks, Figure figure) {
  Spread spread{.min = figure(ranks[0])};
  for (const RankFigures& rank : ranks) {
    const std::uint64_t value = figure(rank);
    spread.min = std::min(spread.min, value);
    spread.max = std::max(spread.max, value);
    spread.sum += static_cast<double>(value);
  }
  spread.mean = static_cast<std::uint64_t>(std::llround(spread.sum / static_cast<double>(ranks.size())));
  return spread;
}

std::string ns_as_duration(std::uint64_t ns) {
  return as_duration(static_cast<double>(ns) * 1e-9);
}

/// All that was to be sent, some of it in the end not.
std::uint64_t records_made(const RankFigures& rank) {
  return rank.traffic.records + rank.traffic.merged + rank.traffic.suppressed;
}

struct Row {
  std::string_view what;
  Figure figure;
  Format format;
  /// With a figure to divide by, the remark is "3.1 % of <whole_name>".
  Figure whole = nullptr;
  std::string_view whole_name = {};
};

template <std::uint64_t TrafficFigures::*Member>
std::uint64_t traffic(const RankFigures& rank) {
  return rank.traffic.*Member;
}

template <std::uint64_t RankFigures::*Member>
std::uint64_t own(const RankFigures& rank) {
  return rank.*Member;
}

std::uint64_t whole_time_ns(const RankFigures& rank) {
  return computing_ns(rank) + rank.traffic.sending_ns + rank.traffic.receiving_ns + rank.traffic.idle_ns;
}

constexpr std::array rows{
    Row{"states", own<&RankFigures::states>, with_separators},
    Row{"rows", own<&RankFigures::rows>, with_separators},
    Row{"row visits", own<&RankFigures::row_visits>, with_separators},
    Row{"arcs", own<&RankFigures::arcs>, with_separators},
    Row{"cross arcs", own<&RankFigures::cross_arcs>, with_separators, own<&RankFigures::arcs>, "the arcs"},
    Row{"records sent", traffic<&TrafficFigures::records>, with_separators, records_made, "the records made"},
    Row{"merged", traffic<&TrafficFigures::merged>, with_separators, records_made, "them"},
    Row{"suppressed", traffic<&TrafficFigures::suppressed>, with_separators, records_made, "them"},
    Row{"messages", traffic<&TrafficFigures::messages>, with_separators},
    Row{"bytes sent", traffic<&TrafficFigures::bytes>, as_bytes},
    Row{"flushes: full", traffic<&TrafficFigures::full_flushes>, with_separators, traffic<&TrafficFigures::messages>,
        "the messages"},
    Row{"         timeout", traffic<&TrafficFigures::timeout_flushes>, with_separators,
        traffic<&TrafficFigures::messages>, "them"},
    Row{"         idle", traffic<&TrafficFigures::idle_flushes>, with_separators, traffic<&TrafficFigures::messages>,
        "them"},
    Row{"token rounds", traffic<&TrafficFigures::token_rounds>, with_separators},
    Row{"time: computing", computing_ns, ns_as_duration, whole_time_ns, "the time"},
    Row{"      sending", traffic<&TrafficFigures::sending_ns>, ns_as_duration, whole_time_ns, "it"},
    Row{"      receiving", traffic<&TrafficFigures::receiving_ns>, ns_as_duration, whole_time_ns, "it"},
    Row{"      idle", traffic<&TrafficFigures::idle_ns>, ns_as_duration, whole_time_ns, "it"},
    Row{"peak memory", own<&RankFigures::peak_rss_bytes>, as_bytes},
};

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

std::string remark_of(const Row& row, const Spread& spread, std::span<const RankFigures> ranks) {
  if (row.whole != nullptr)
    return fmt::format("{} of {}", percent(spread.sum, spread_of(ranks, row.whole).sum), row.whole_name);
  if (row.what != "states") return "";
  const double mean = spread.sum / static_cast<double>(ranks.size());
  return fmt::format("largest - smallest: {} of the mean", percent(static_cast<double>(spread.max - spread.min), mean));
}

}  // namespace

std::uint64_t computing_ns(const RankFigures& figures) {
  const TrafficFigures& traffic = figures.traffic;
  const double rest = figures.seconds * 1e9 - static_cast<double>(traffic.sending_ns) -
                      static_cast<double>(traffic.receiving_ns) - static_cast<double>(traffic.idle_ns);
  return rest > 0 ? static_cast<std::uint64_t>(rest) : 0;
}

void put_rank_table(Buffer& out, std::span<const RankFigures> ranks) {
  std::array<std::array<std::string, 4>, rows.size()> cells;
  std::size_t columns = 12;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Spread spread = spread_of(ranks, rows[i].figure);
    cells[i] = {rows[i].format(spread.min), rows[i].format(spread.mean), rows[i].format(spread.max),
                remark_of(rows[i], spread, ranks)};
    for (std::size_t k = 0; k < 3; ++k) columns = std::max(columns, cells[i][k].size());
  }
  put(out, "  {:<16} {:>{}}  {:>{}}  {:>{}}\n", "of each rank", "min", columns, "mean", columns, "max", columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [min, mean, max, remark] = cells[i];
    put(out, "  {:<16} {:>{}}  {:>{}}  {:>{}}{}{}\n", rows[i].what, min, columns, mean, columns, max, columns,
        remark.empty() ? "" : "   ", remark);
  }
}

}  // namespace dcheck
