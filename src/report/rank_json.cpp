#include "report/rank_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/rank_table.hpp"

namespace dcheck {
namespace {

using Json = nlohmann::ordered_json;

Json figures_json(const RankFigures& figures) {
  Json json;
  const auto add = [&](const char* name, const auto& figure) { json[name] = figure; };
  RankFigures::for_each(figures, add);
  TrafficFigures::for_each(figures.traffic, add);
  json["computing_ns"] = computing_ns(figures);
  return json;
}

}  // namespace

Json rank_json(std::span<const RankFigures> ranks) {
  if (ranks.empty()) return nullptr;
  Json each = Json::array(), min, mean, max;
  for (const RankFigures& rank : ranks) each.push_back(figures_json(rank));
  for (const auto& [name, first] : each.at(0).items()) {
    min[name] = max[name] = first;
    double sum = 0;
    for (const Json& rank : each) {
      const Json& value = rank.at(name);
      min[name] = std::min(min[name], value);
      max[name] = std::max(max[name], value);
      sum += value.get<double>();
    }
    mean[name] = sum / static_cast<double>(ranks.size());
  }
  return {{"each", std::move(each)}, {"min", std::move(min)}, {"mean", std::move(mean)}, {"max", std::move(max)}};
}

Json traffic_json(std::span<const RankFigures> ranks) {
  std::uint64_t messages = 0, records = 0, bytes = 0, cross_arcs = 0, queries = 0;
  for (const RankFigures& rank : ranks) {
    messages += rank.traffic.messages;
    records += rank.traffic.records;
    bytes += rank.traffic.bytes;
    cross_arcs += rank.cross_arcs;
    queries += rank.queries;
  }
  return {
      {"messages", messages}, {"records", records}, {"bytes", bytes}, {"cross_arcs", cross_arcs}, {"queries", queries}};
}

}  // namespace dcheck
