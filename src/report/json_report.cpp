#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "dcheck/report/report.hpp"
#include "report/buffer.hpp"
#include "report/format.hpp"
#include "report/rank_json.hpp"
#include "report/witness_json.hpp"

namespace dcheck {
namespace {

using Json = nlohmann::ordered_json;

/// Stands for a value that is written straight as text, under a key that is never a boolean.
constexpr bool written_later = true;

/// The dumped document with `values` in the places left for them, in the order they stand in.
class Completion {
 public:
  explicit Completion(std::string_view document) : _rest(document) {}

  void fill_in(std::string_view key, const std::string& value) {
    const std::string place = fmt::format("\"{}\": ", key);
    const std::size_t end = _rest.find(place + "true") + place.size();
    put(_text, "{}{}", _rest.substr(0, end), value);
    _rest.remove_prefix(end + 4);
  }

  std::string whole() const { return fmt::format("{}{}\n", std::string_view(_text.data(), _text.size()), _rest); }

 private:
  std::string_view _rest;
  Buffer _text;
};

Json model_json(const RunReport& report) {
  Json parameters = Json::object();
  for (const auto& [name, value] : report.parameters) parameters[name] = value;
  return {{"name", report.net->name()},
          {"sha256", report.model_sha256},
          {"parameters", std::move(parameters)},
          {"places", report.net->place_count()},
          {"transitions", report.net->transition_count()}};
}

Json count_json(const std::optional<std::uint64_t>& count) {
  return count ? Json(*count) : Json(nullptr);
}

Json property_json(const PropertyResult& property) {
  Json json{{"id", property.id}, {"formula", property.formula}};
  bool is_known = false;
  if (property.is_upper_bound) {
    is_known = property.bound.has_value();
    json["bound"] = is_known ? Json(*property.bound) : Json(nullptr);
  } else {
    is_known = property.verdict != Verdict::unknown;
    json["verdict"] = is_known ? Json(property.verdict == Verdict::holds) : Json(nullptr);
  }
  if (!is_known) json["reason"] = property.reason;
  if (!property.witness_reason.empty()) json["witness_reason"] = property.witness_reason;
  json["sat_states"] = count_json(property.sat_states);
  json["seconds"] = property.seconds;
  json["witness"] = property.witness ? Json(written_later) : Json(nullptr);
  return json;
}

Json test_json(const TestResult& test) {
  Json json{{"name", name_of(test.kind)},
            {"iterations", count_json(test.iterations)},
            {"sat_states", count_json(test.sat_states)},
            {"eating_states", count_json(test.eating_states)},
            {"seconds", test.seconds}};
  if (!test.sat_states) json["reason"] = test.reason;
  return json;
}

double per(std::uint64_t amount, std::uint64_t count) {
  return count == 0 ? 0.0 : static_cast<double>(amount) / static_cast<double>(count);
}

void add_counts(Json& json, const Exploration& found) {
  json["complete"] = found.complete;
  json["stop_reason"] = found.complete ? Json(nullptr) : Json(found.stop_reason);
  json["states"] = found.states;
  json["arcs"] = found.arcs;
  json["deadlocks"] = found.deadlocks;
  json["max_tokens_in_place"] =
      found.max_tokens.empty() ? Tokens{0} : *std::max_element(found.max_tokens.begin(), found.max_tokens.end());
  json["max_tokens_in_marking"] = found.max_tokens_in_marking;
  json["rows"] = found.rows;
  json["lanes"] = found.lanes;
  json["row_operations"] = found.row_operations;
  json["row_visits"] = found.row_visits;
  json["layouts"] = found.layouts;
}

Json store_json(const Exploration& found) {
  Json json{{"kind", name_of(found.store.kind)},
            {"bytes", found.store_bytes},
            {"bytes_per_row", per(found.store_bytes, found.rows)},
            {"key_bits", found.key_bits}};
  if (found.store.kind == StoreChoice::Kind::packed) return json;
  const StoreFigures& figures = found.store_figures;
  const std::pair<const char*, std::uint64_t> counts[] = {{"k", found.store.k.value_or(0)},
                                                          {"hash_bits", found.store.hash_bits},
                                                          {"index_bytes", figures.index_bytes},
                                                          {"link_bytes", figures.link_bytes},
                                                          {"key_bytes", figures.key_bytes},
                                                          {"cache_bytes", figures.cache_bytes},
                                                          {"explicit_rows", figures.explicit_rows},
                                                          {"explicit_by_k", figures.explicit_by_k},
                                                          {"explicit_without_parent", figures.explicit_without_parent},
                                                          {"explicit_by_label", figures.explicit_by_label},
                                                          {"parents_found", figures.parents_found},
                                                          {"longest_chain", figures.longest_chain},
                                                          {"updated_predecessors", figures.updated_predecessors},
                                                          {"comparisons", figures.comparisons},
                                                          {"comparison_links", figures.comparison_links},
                                                          {"reads", figures.reads},
                                                          {"read_links", figures.read_links},
                                                          {"cache_hits", figures.cache_hits}};
  for (const auto& [name, count] : counts) json[name] = count;
  json["mean_chain"] = per(figures.chain_links, found.rows);
  return json;
}

Json labels_json(const LabelFigures& labels) {
  Json graph = nullptr;
  if (labels.graph)
    graph = {{"kept", labels.graph->is_kept},
             {"why", labels.graph->why},
             {"arcs", labels.graph_arcs},
             {"bytes", labels.graph_bytes},
             {"seconds", labels.graph_seconds}};
  return {{"decided_locally", labels.decided_locally}, {"graph", graph}};
}

Json condensed_json(const RunReport& report) {
  const auto size = condensed_size(report);
  if (!size) return nullptr;
  const Exploration& found = report.exploration;
  return {{"bytes", size->bytes},
          {"bytes_per_state", per(size->bytes, found.states)},
          {"row_bytes", size->row_bytes},
          {"arc_bytes", size->bytes - size->row_bytes},
          {"bytes_per_arc", per(size->bytes - size->row_bytes, found.arcs)},
          {"paper_bytes", size->paper_bytes}};
}

void add_memory(Json& json, const RunReport& report) {
  const Exploration& found = report.exploration;
  json["store"] = store_json(found);
  json["condensed"] = condensed_json(report);
  json["payload"] = {{"bytes", found.payload_bytes}};
  json["worklist"] = {{"bytes", found.worklist_bytes}};
  json["plan"] = {{"bytes", found.plan_bytes}, {"text", found.plan}};
  json["bytes_per_state"] = per(found.store_bytes + found.payload_bytes, found.states);
  json["memory"] = {{"peak_rss_bytes_per_rank", report.peak_rss_bytes}};
}

std::vector<std::uint64_t> states_per_rank(const RunReport& report) {
  if (report.rank_count() == 1) return {report.exploration.states};
  std::vector<std::uint64_t> states;
  for (const RankFigures& rank : report.ranks) states.push_back(rank.states);
  return states;
}

}  // namespace

std::string json_report(const RunReport& report) {
  const Exploration& found = report.exploration;
  Json json{{"dcheck", report.version}, {"model", model_json(report)}, {"ranks", report.rank_count()}};
  json["simulated"] = report.simulated_network.empty() ? Json(nullptr) : Json(report.simulated_network);
  add_counts(json, found);
  json["unbounded"] = found.unbounded ? Json(written_later) : Json(nullptr);
  json["properties"] = Json::array();
  for (const PropertyResult& property : report.properties) json["properties"].push_back(property_json(property));
  json["test"] = report.test ? test_json(*report.test) : Json(nullptr);
  add_memory(json, report);
  json["labels"] = labels_json(report.labels);
  json["traffic"] = traffic_json(report.ranks);
  json["allocation"] = found.allocation.empty() ? Json(nullptr) : Json(found.allocation);
  json["balance"] = {{"states_per_rank", states_per_rank(report)}};
  json["per_rank"] = rank_json(report.ranks);
  json["seconds"] = {{"parse", report.parse_seconds}, {"plan", found.plan_seconds},
                     {"load", found.load_seconds},    {"explore", found.explore_seconds},
                     {"check", report.check_seconds}, {"total", report.total_seconds}};
  json["levels"] = count_json(found.levels);
  json["resumed"] = found.resumed ? Json{{"states", *found.resumed}, {"file", report.resumed_from}} : Json(nullptr);
  json["checkpoints"] = {{"written", report.checkpoints}, {"seconds", report.keeping_seconds}};
  // Names come from files that need not be UTF-8; the report must be.
  const std::string document = json.dump(2, ' ', false, Json::error_handler_t::replace);
  Completion completion(document);
  if (found.unbounded) completion.fill_in("unbounded", unbounded_json(*report.net, *found.unbounded));
  for (const PropertyResult& property : report.properties) {
    if (property.witness) completion.fill_in("witness", witness_json(*report.net, *property.witness));
  }
  return completion.whole();
}

}  // namespace dcheck
