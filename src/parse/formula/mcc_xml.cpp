#include "parse/formula/mcc_xml.hpp"

#include <fmt/format.h>

#include "dcheck/ctl/text.hpp"
#include "parse/formula/formula_scope.hpp"
#include "parse/formula/mcc_reader.hpp"
#include "parse/formula/property_list.hpp"

namespace dcheck::parse {
namespace {

class PropertySetReader {
 public:
  PropertySetReader(const XmlDocument& document, const Model& model)
      : _document(document),
        _net(model.net),
        _names(model),
        _formulas(document, _names.scope()),
        _properties(document.source()) {}

  std::vector<Property> all() {
    const pugi::xml_node root = _document.root();
    if (local_name(root) != "property-set") {
      _document.fail(root,
                     fmt::format("expected <property-set> as the outermost element, found <{}>", shown(root.name())));
    }
    for (const pugi::xml_node& node : _document.elements(root)) {
      if (local_name(node) != "property") _formulas.unexpected(node, "<property>");
      property(node);
    }
    return _properties.finish();
  }

 private:
  void property(const pugi::xml_node& node) {
    for (const pugi::xml_node& part : _document.elements(node)) {
      const std::string_view element = local_name(part);
      if (element != "id" && element != "formula" && element != "description" && element != "tags") {
        _formulas.unexpected(part, "<id>, <description> and <formula>");
      }
    }
    const pugi::xml_node id = _document.child(node, "id"), formula = _document.child(node, "formula");
    if (!id) _document.fail(node, "<property> has no <id>");
    if (!formula) _document.fail(node, "<property> has no <formula>");
    add(id, formula);
  }

  void add(const pugi::xml_node& id_element, const pugi::xml_node& formula) {
    const std::string id = _formulas.text(id_element);
    const Offset at = _document.offset(id_element);
    _properties.require_new(at, id);
    const Question question = _formulas.question(formula);
    SizedProperty made = Evaluator(_document.source(), _names.scope()).property(question, id, {});
    Property& property = made.property;
    property.text = property.is_upper_bound ? fmt::format("bound({})", text_of(property.bound_of, _net))
                                            : text_of(property.formula, _net);
    made.size += property.text.size() / sizeof(Formula);
    _properties.add(at, std::move(made));
  }

  const XmlDocument& _document;
  const Net& _net;
  FormulaScope _names;
  MccReader _formulas;
  PropertyList _properties;
};

}  // namespace

std::vector<Property> parse_mcc_xml(std::string_view text, const std::string& file, const Model& model) {
  const XmlDocument document(text, file, "MCC XML");
  return PropertySetReader(document, model).all();
}

}  // namespace dcheck::parse
