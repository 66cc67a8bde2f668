#pragma once
// The declarations of a coloured PNML net: sorts, colours, partitions and variables, by id.

#include <string>
#include <unordered_map>
#include <vector>

#include "dcheck/colour/coloured_net.hpp"
#include "parse/pnml/pnml_document.hpp"

namespace dcheck::parse {

/// The classes of a sort, flat: one for each component.
using FlatSort = std::vector<std::uint32_t>;

/// What an operator without operands stands for: one colour, or all of a partition's element.
struct NamedColours {
  std::uint32_t colour_class = 0;
  std::vector<Colour> colours;  // ascending
  bool is_element = false;      // of a partition
};

struct DeclaredVariable {
  std::string name;
  FlatSort sort;
};

/// The elements of a partition, in order: which one a colour is in.
struct Partition {
  std::uint32_t colour_class = 0;
  std::vector<std::vector<Colour>> elements;  // each ascending
};

class ColouredSorts {
 public:
  /// Refers to the document: it must outlive this.
  explicit ColouredSorts(const PnmlDocument& document) : _document(document) {}

  /// The contents of a `<declaration>`. All come before anything is asked.
  void declare(const pugi::xml_node& declaration);
  /// All declarations are known: they may stand in any order.
  void resolve();

  /// A sort as it stands in a place's type, in a product, or in `all`.
  FlatSort sort(const pugi::xml_node& node);
  const NamedColours& named_colours(const pugi::xml_node& at, const std::string& id) const;
  const DeclaredVariable& variable(const pugi::xml_node& at, const std::string& id) const;
  const Partition& partition(const pugi::xml_node& at, const std::string& id) const;
  /// The class of the integers in a range; fails where no sort is declared so.
  std::uint32_t range_class(const pugi::xml_node& range) const;
  std::uint32_t dot_class();

  const std::vector<ColourClass>& classes() const { return _classes; }

 private:
  void declare_one(const pugi::xml_node& node);
  const FlatSort& named_sort(const pugi::xml_node& at, const std::string& id);
  FlatSort enumeration(const pugi::xml_node& node, const std::string& name, bool is_cyclic);
  FlatSort range(const pugi::xml_node& node, const std::string& name);
  std::pair<Tokens, Tokens> ends_of(const pugi::xml_node& range) const;
  FlatSort any_sort(const pugi::xml_node& node, const std::string& name);
  void read_partition(const pugi::xml_node& node);
  void name_colours(const pugi::xml_node& at, const std::string& id, NamedColours colours);
  std::uint32_t add_class(const pugi::xml_node& at, ColourClass made);

  struct NamedSort {
    pugi::xml_node node;
    bool is_open = false, is_known = false;
    FlatSort sort;
  };

  const PnmlDocument& _document;
  std::vector<ColourClass> _classes;
  std::vector<std::string> _order;  // of named sorts
  std::unordered_map<std::string, NamedSort> _sorts;
  std::unordered_map<std::string, NamedColours> _colours;
  std::unordered_map<std::string, DeclaredVariable> _variables;
  std::unordered_map<std::string, Partition> _partitions;
  std::vector<pugi::xml_node> _variable_nodes, _partition_nodes;
};

}  // namespace dcheck::parse
