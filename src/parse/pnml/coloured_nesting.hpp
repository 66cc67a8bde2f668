#pragma once
// How deep terms of coloured nets may nest.

#include <fmt/format.h>

#include "parse/pnml/coloured_terms.hpp"

namespace dcheck::parse {

inline constexpr int deepest_term = 200;

/// Held while a term is open that may contain others.
class TermReader::Nesting {
 public:
  Nesting(const PnmlDocument& document, int& depth, const pugi::xml_node& at) : _depth(depth) {
    if (++_depth > deepest_term)
      document.fail(at, fmt::format("nested too deeply: at most {} levels are supported", deepest_term));
  }
  ~Nesting() { --_depth; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  int& _depth;
};

}  // namespace dcheck::parse
