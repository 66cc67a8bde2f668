#pragma once
// What the tests of our models share.

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "support/naive_explorer.hpp"
#include "support/paths.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {

/// A model of ours, by its name.
inline Model model(const std::string& name, const ParameterTexts& parameters = {}) {
  return read_model(source_dir() + "/models/" + name + ".spn", parameters);
}

struct Counts {
  std::size_t states, arcs, deadlocks;
  bool operator==(const Counts&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << counts.states << " states, " << counts.arcs << " arcs, " << counts.deadlocks << " deadlocks";
}

/// As the reference explorer counts them.
inline Counts count(const Model& model) {
  const NaiveGraph graph = explore_naively(model.net);
  EXPECT_TRUE(graph.is_complete());
  return {graph.states(), graph.arcs, graph.deadlocks};
}

}  // namespace dcheck::test
