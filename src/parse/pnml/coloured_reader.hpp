#pragma once
// From a PNML document with a symmetric net to a coloured net. What is no part of it in the standard, or means
// something that is not understood, is refused by name.

#include <string>
#include <unordered_map>
#include <vector>

#include "parse/pnml/coloured_sorts.hpp"
#include "parse/pnml/coloured_terms.hpp"

namespace dcheck::parse {

class ColouredReader {
 public:
  /// Refers to the document: it must outlive the reader.
  ColouredReader(const PnmlDocument& document, std::string net_name) : _document(document), _sorts(document) {
    _net.name = std::move(net_name);
  }

  /// Whether the type of the document's net means a coloured one.
  static bool is_coloured(const PnmlDocument& document);

  ColouredNet read();

 private:
  struct Object {
    bool is_place = false;
    std::uint32_t index = 0;
  };

  void collect(const pugi::xml_node& page, std::vector<pugi::xml_node>& pages);
  void note_id(const pugi::xml_node& node);
  void read_place(const pugi::xml_node& node);
  void read_transition(const pugi::xml_node& node);
  void read_arc(const pugi::xml_node& node);
  const Object& object(const pugi::xml_node& at, const std::string& id, const char* what) const;
  [[noreturn]] void unsupported(const pugi::xml_node& node, std::string_view where) const;

  const PnmlDocument& _document;
  ColouredSorts _sorts;
  ColouredNet _net;
  std::vector<TermReader> _terms;  // per transition: its variables are known by what was read before
  std::unordered_map<std::string, Object> _objects;
  std::unordered_map<std::string, pugi::xml_node> _ids;
  std::vector<pugi::xml_node> _places, _transitions, _arcs;
};

}  // namespace dcheck::parse
