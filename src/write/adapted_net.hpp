#pragma once
// A net made ready for a format: names that its grammar allows, guards that are arcs where it has no guards.

#include <string>

#include "dcheck/net/net.hpp"

namespace dcheck::write {

/// The nearest name that a grammar allows: the name itself where it does.
using NameRule = std::string (*)(const std::string& name);

struct Needs {
  NameRule names;
  bool guards_as_arcs = false;
};

struct AdaptedNet {
  Net net;
  std::size_t changed_names = 0;
};

/// The same net, in the same order. No place or transition has the name of another, nor the net's, and a name that may
/// stay stays. Throws InputError where a guard has to be arcs and cannot be.
AdaptedNet adapted(const Net& net, const Needs& needs);

}  // namespace dcheck::write
