#pragma once
// The properties of a formula file while it is being read.

#include <string>
#include <unordered_set>
#include <vector>

#include "parse/expression/evaluator.hpp"

namespace dcheck::parse {

class PropertyList {
 public:
  /// Refers to the source: it must outlive the list.
  explicit PropertyList(const SourceText& source) : _source(source) {}

  /// Fails at this place of the source where a property has the id already.
  void require_new(Offset at, const std::string& id);
  /// Fails where all properties together have become too large.
  void add(Offset at, SizedProperty made);

  /// Fails where there is none. The list is empty afterwards.
  std::vector<Property> finish();

 private:
  const SourceText& _source;
  std::vector<Property> _properties;
  std::unordered_set<std::string> _ids;
  std::size_t _kept = 0;
};

}  // namespace dcheck::parse
