#pragma once
// From the XML of a formula to the syntax tree that texts have too; the evaluator then gives it its meaning.

#include <string>
#include <string_view>
#include <vector>

#include "parse/expression/scope.hpp"
#include "parse/expression/syntax.hpp"
#include "parse/xml/xml_document.hpp"

namespace dcheck::parse {

class MccReader {
 public:
  /// Refers to both: they must outlive the reader.
  MccReader(const XmlDocument& document, const Scope& scope) : _document(document), _scope(scope) {}

  /// What a <formula> asks.
  Question question(const pugi::xml_node& formula);

  /// The text of an element that has nothing else: not empty.
  std::string text(const pugi::xml_node& node) const;
  [[noreturn]] void unexpected(const pugi::xml_node& node, std::string_view expected) const;

 private:
  /// Held while an element is open that may contain itself.
  class Nesting;

  Node formula(const pugi::xml_node& node);
  Node temporal(const pugi::xml_node& quantifier);
  Node until(const pugi::xml_node& node, Node::Kind kind);
  Node number(const pugi::xml_node& node);
  Node tokens(const pugi::xml_node& node);
  Node place(const pugi::xml_node& node);
  Node transition(const pugi::xml_node& node);

  using Read = Node (MccReader::*)(const pugi::xml_node&);
  /// A node of all the children, each read as it should be. Fails unless there are as many as asked.
  Node combined(Node::Kind kind, const pugi::xml_node& node, Read read, std::size_t least, std::size_t most);
  Node made(Node::Kind kind, const pugi::xml_node& node) const;
  /// The only element below this one.
  pugi::xml_node single(const pugi::xml_node& node) const;
  void require_name(const pugi::xml_node& node, std::string_view name) const;

  const XmlDocument& _document;
  const Scope& _scope;
  int _depth = 0;
};

}  // namespace dcheck::parse
