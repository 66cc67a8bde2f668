#pragma once
// A small net and a report about it, for tests to change.

#include <string>

#include "dcheck/net/net_builder.hpp"
#include "dcheck/report/report.hpp"

namespace dcheck {

/// a (1 token) --move--> b ; grow: b -> b + 2 c
inline Net growing_net() {
  NetBuilder builder("growing");
  const Place a = builder.add_place("a", 1);
  const Place b = builder.add_place("b");
  const Place c = builder.add_place("c");
  const Transition move = builder.add_transition("move");
  builder.add_input(move, a, 1);
  builder.add_output(move, b, 1);
  const Transition grow = builder.add_transition("grow");
  builder.add_input(grow, b, 1);
  builder.add_output(grow, b, 1);
  builder.add_output(grow, c, 2);
  return builder.build();
}

inline RunReport complete_report(const Net& net) {
  RunReport report;
  report.version = "1.2.3";
  report.net = &net;
  report.model_sha256 = "abc";
  report.parameters = {{"N", 9}};
  report.exploration.complete = true;
  report.exploration.states = 384'392'800;
  report.exploration.arcs = 18'446'744'073'709'551'615U;
  report.exploration.max_tokens = {1, 7, 3};
  report.exploration.max_tokens_in_marking = 8;
  report.exploration.rows = 1'747'240;
  report.exploration.lanes = 220;
  report.exploration.row_visits = 1'747'240;
  report.exploration.row_operations = 15'000'000;
  report.exploration.store_bytes = 300'000'000;
  report.exploration.payload_bytes = 84'392'800;
  report.exploration.explore_seconds = 1.3;
  return report;
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace dcheck
