#pragma once
// Terms of a coloured PNML net: inscriptions, markings and guards. What they speak of is flat
// (colour/coloured_net.hpp).

#include <string>
#include <unordered_map>
#include <vector>

#include "parse/pnml/coloured_sorts.hpp"

namespace dcheck::parse {

class TermReader {
 public:
  /// Of one transition, whose variables are gathered as they are met; null: a marking, which has none.
  TermReader(const PnmlDocument& document, ColouredSorts& sorts, std::vector<ColourVariable>* variables)
      : _document(document), _sorts(sorts), _variables(variables) {}

  /// The sum below a label's `<structure>`, over a place of these classes. Without a structure: nothing.
  std::vector<ColourTuple> multiset(const pugi::xml_node& label, const FlatSort& sort);
  /// The condition below the `<structure>` of a label.
  ColourGuard guard(const pugi::xml_node& label);

 private:
  using Sum = std::vector<ColourTuple>;
  class Nesting;

  pugi::xml_node only_term(const pugi::xml_node& label) const;
  std::vector<pugi::xml_node> subterms(const pugi::xml_node& node, std::size_t least, std::size_t most) const;

  Sum sum(const pugi::xml_node& node);
  Sum number_of(const pugi::xml_node& node);
  Sum added(const pugi::xml_node& node);
  Sum tuple(const pugi::xml_node& node);
  Sum variable(const pugi::xml_node& node);
  Sum named(const pugi::xml_node& node);
  Sum all(const pugi::xml_node& node);
  Sum integer(const pugi::xml_node& node);
  Sum shifted(const pugi::xml_node& node, bool forward);
  Tokens multiplied(const pugi::xml_node& at, Tokens a, Tokens b) const;
  void require_size(const pugi::xml_node& at, std::size_t count) const;

  ColourGuard condition(const pugi::xml_node& node);
  ColourGuard comparison(const pugi::xml_node& node, ColourGuard::Kind kind, bool is_turned);
  /// A comparison of elements of a partition: by the elements that the two colours are in.
  ColourGuard compare_elements(const pugi::xml_node& node, ColourGuard::Kind kind, bool is_turned);
  /// Components of a term that is one colour, or one tuple of them.
  std::vector<ColourTerm> single(const pugi::xml_node& node);

  const PnmlDocument& _document;
  ColouredSorts& _sorts;
  std::vector<ColourVariable>* _variables;
  std::unordered_map<std::string, std::uint32_t> _first_of;  // by id: the variable of the first component
  int _depth = 0;
};

}  // namespace dcheck::parse
