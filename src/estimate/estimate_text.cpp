#include "dcheck/estimate/estimate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "dcheck/base/readable.hpp"

namespace dcheck {

namespace {

using Json = nlohmann::ordered_json;

constexpr double most_exact = 1e15;  // above, numbers are rounded anyway

std::string as_count(double value) {
  return value < most_exact ? with_separators(static_cast<std::uint64_t>(std::llround(value)))
                            : fmt::format("{:.3g}", value);
}
std::string as_bytes_of(double value) {
  return value < 1e18 ? as_bytes(static_cast<std::uint64_t>(std::max(0.0, value))) : fmt::format("{:.3g} bytes", value);
}

std::string range(const Amount& amount, std::string (*as_text)(double)) {
  const std::string low = as_text(amount.low), high = as_text(amount.high);
  return amount.is_exact || low == high ? as_text(amount.likely)
                                        : fmt::format("{} to {}, likely {}", low, high, as_text(amount.likely));
}

std::string_view name_of_store(StoreChoice::Kind kind) {
  switch (kind) {
    case StoreChoice::Kind::delta:
      return "delta";
    case StoreChoice::Kind::comback:
      return "comback";
    case StoreChoice::Kind::condensed:
      return "condensed";
    default:
      return "packed";
  }
}

Json amount_json(const Amount& amount) {
  const auto number = [](double value) {
    return value < 0x1p63 ? Json(static_cast<std::uint64_t>(std::llround(std::max(0.0, value)))) : Json(value);
  };
  return {{"low", number(amount.low)}, {"likely", number(amount.likely)}, {"high", number(amount.high)}};
}

}  // namespace

std::string estimate_text(const Estimate& estimate, const std::string& heading) {
  std::string text = heading + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<10} {}\n", name, value);
  };
  line("states", range(estimate.states, as_count));
  line("", estimate.how);
  line("rows", fmt::format("{}{}", range(estimate.rows, as_count),
                           estimate.lanes == 1 ? "" : fmt::format(", {} lanes", estimate.lanes)));
  text += "\n";
  const std::string_view all = estimate.ranks == 1 ? "" : " on all ranks together";
  for (const StoreEstimate& store : estimate.stores)
    line(name_of_store(store.kind), fmt::format("{}{}", range(store.bytes, as_bytes_of), all));
  line("memory", fmt::format("{}{} with {}", range(estimate.rank_bytes, as_bytes_of),
                             estimate.ranks == 1 ? "" : fmt::format(" on each of {} ranks", estimate.ranks),
                             name_of_store(estimate.stores.front().kind)));
  line("time", range(estimate.seconds, as_duration) + " to explore");
  text += fmt::format("\n  found in {}: {} states were explored in {}\n", as_duration(estimate.took),
                      with_separators(estimate.explored_states), as_duration(estimate.explored_seconds));
  return text;
}

std::string estimate_json(const Estimate& estimate, const std::string& version, const std::string& model) {
  Json stores = Json::object();
  for (const StoreEstimate& store : estimate.stores)
    stores[std::string(name_of_store(store.kind))] = amount_json(store.bytes);
  const Json json{
      {"dcheck", version},
      {"model", {{"name", model}}},
      {"ranks", estimate.ranks},
      {"estimate",
       {{"states", amount_json(estimate.states)},
        {"states_exact", estimate.states.is_exact},
        {"how", estimate.how},
        {"rows", amount_json(estimate.rows)},
        {"lanes", estimate.lanes},
        {"key_bits", estimate.key_bits},
        {"store_bytes", stores},
        {"rank_bytes", amount_json(estimate.rank_bytes)},
        {"explore_seconds",
         {{"low", estimate.seconds.low}, {"likely", estimate.seconds.likely}, {"high", estimate.seconds.high}}},
        {"explored", {{"states", estimate.explored_states}, {"seconds", estimate.explored_seconds}}},
        {"seconds", estimate.took}}}};
  return json.dump(2) + "\n";
}

}  // namespace dcheck
