#pragma once
// From a PNML document to a net. Everything that has a meaning is understood or refused by name; only
// graphics, names for people, and what other tools keep for themselves are passed over.

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "parse/extended/extended_net.hpp"
#include "parse/pnml/pnml_document.hpp"

namespace dcheck::parse {

class PnmlReader {
 public:
  /// Refers to the document: it must outlive the reader.
  PnmlReader(const PnmlDocument& document, const std::string& net_name) : _document(document) { _net.name = net_name; }

  Net read();

 private:
  enum class ArcKind : std::uint8_t { normal, inhibitor, read, reset };
  struct Object {
    enum class Kind : std::uint8_t { place, transition, place_reference, transition_reference };
    Kind kind;
    pugi::xml_node node;
    std::uint32_t index = 0;  // of the place or transition
  };

  void require_type();
  void collect(const pugi::xml_node& page, std::vector<pugi::xml_node>& pages);
  /// Fails where another element has this one's id.
  void note_id(const pugi::xml_node& node);
  void add_object(const pugi::xml_node& node, Object::Kind kind);
  void read_place(const pugi::xml_node& node, Place place);
  void read_marking(const pugi::xml_node& node, Place place);
  void read_capacity(const pugi::xml_node& label, Place place);
  void read_transition(const pugi::xml_node& node, Transition transition);
  void read_rate(const pugi::xml_node& label, Transition transition);
  /// PIPE: some transitions may be immediate, and those have priorities. `timed` must be the same for all.
  void read_timed(const pugi::xml_node& label);
  /// Fails where priorities differ and are not those of immediate transitions.
  void require_priorities_mean_something() const;
  const Object& object(const pugi::xml_node& at, const std::string& id, const char* what) const;

  void read_arc(const pugi::xml_node& node);
  /// Fails on an element in an arc that might mean something.
  void require_known_labels(const pugi::xml_node& arc) const;
  Tokens arc_weight(const pugi::xml_node& node) const;
  ArcKind arc_kind(const pugi::xml_node& node) const;
  ArcKind arc_kind_of(const pugi::xml_node& at, std::string_view written) const;
  void add_arc(const pugi::xml_node& node, ArcKind kind, Place place, Transition transition, bool is_input,
               Tokens weight);

  void read_units();
  void require_tree(const pugi::xml_node& structure, const std::vector<Unit>& units) const;
  void link_units(const std::vector<pugi::xml_node>& nodes, std::vector<Unit>& units) const;

  [[noreturn]] void unsupported(const pugi::xml_node& node, std::string_view where) const;

  const PnmlDocument& _document;
  ExtendedNet _net;
  std::unordered_map<std::string, Object> _objects;
  std::unordered_set<std::string> _ids;  // of nodes, arcs and pages
  std::vector<pugi::xml_node> _arcs;
  pugi::xml_node _nupn;
  std::optional<std::string> _timed;        // what transitions say that say it
  std::size_t _untimed = 0;                 // transitions that are immediate
  std::vector<pugi::xml_node> _priorities;  // the labels
};

}  // namespace dcheck::parse
