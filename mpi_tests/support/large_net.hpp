#pragma once
// Nets of any size whose planning could become quadratic: long chains, many invariants, large presets and guards.

#include <cstdint>
#include <string>
#include <vector>

#include "dcheck/net/net.hpp"

namespace dcheck::test {

struct Shape {
  std::string name;
  Net (*make)(std::uint32_t size);  // about so many places, transitions or arcs
};

/// Each in another way large.
const std::vector<Shape>& large_shapes();

/// Places, transitions and arcs.
std::size_t node_count(const Net& net);

}  // namespace dcheck::test
