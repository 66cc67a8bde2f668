// The interpreter's variables, arrays and texts.

#include <algorithm>

#include "parse/cspl/depth.hpp"

namespace dcheck::parse::cspl {

void Interpreter::begin(const std::function<std::optional<Tokens>(const std::string& name)>& given) {
  for (const Declaration& global : _program.globals) {
    Variable variable = made(global, true);
    const bool is_number = !variable.is_text && !variable.is_fixed;
    if (const auto value = is_number ? given(global.name) : std::nullopt)
      variable.value = _arithmetic.converted(*value, global.type, global.at);
    if (!_globals.emplace(global.name, std::move(variable)).second)
      fail(global.at, fmt::format("variable '{}' is declared twice", shown(global.name)));
  }
}

Variable Interpreter::made(const Declaration& declaration, bool is_global) {
  if (declaration.is_static && !is_global)
    fail(declaration.at, "a variable that outlives the call ('static') is not supported within a function");
  Variable variable;
  variable.type = declaration.type;
  if (declaration.is_pointer && declaration.type != Base::character)
    fail(declaration.at, "pointers to numbers are not supported: expected an array");
  if (!declaration.dimensions.empty()) {
    variable.is_fixed = true;
    variable.value = made_array(declaration, is_global);
    variable.is_text = std::holds_alternative<std::shared_ptr<Text>>(variable.value);
    return variable;
  }
  variable.is_text = declaration.is_pointer;
  if (is_global && !variable.is_text) variable.value = Tokens{0};
  if (!declaration.initializer.empty()) {
    Value value = value_of(declaration.initializer[0]);
    stored(std::move(value), {&variable.value, variable.type, variable.is_text}, declaration.at);
  } else if (is_global && variable.type == Base::real) {
    variable.value = 0.0;
  }
  return variable;
}

Value Interpreter::made_array(const Declaration& declaration, bool is_global) {
  auto array = std::make_shared<Array>();
  array->type = declaration.type;
  array->is_global = is_global;
  const Expr* const list = declaration.initializer.empty() ? nullptr : &declaration.initializer[0];
  std::uint64_t count = 1;
  for (const Expr& dimension : declaration.dimensions) {
    Tokens size = 0;
    if (dimension.kind != Expr::Kind::list) {
      size = _arithmetic.integer(value_of(dimension), dimension.at, "the size of an array");
    } else if (list != nullptr && array->dimensions.empty()) {
      size = static_cast<Tokens>(list->kind == Expr::Kind::text ? list->text.size() + 1 : list->children.size());
    }
    if (size <= 0)
      fail(declaration.at,
           fmt::format("array '{}' has size {}: expected a number above 0", shown(declaration.name), size));
    count = std::min<std::uint64_t>(
        count * std::min<std::uint64_t>(static_cast<std::uint64_t>(size), most_elements + 1), most_elements + 1);
    array->dimensions.push_back(static_cast<std::size_t>(size));
  }
  _elements += count;
  if (_elements > most_elements)
    fail(declaration.at, fmt::format("arrays have more than {} elements together", most_elements));
  const bool is_buffer = declaration.type == Base::character && !declaration.is_pointer;
  const std::size_t capacity = array->dimensions.back();
  if (is_buffer && array->dimensions.size() == 1) {
    auto text = std::make_shared<Text>(Text{"", capacity, is_global});
    if (list != nullptr && list->kind != Expr::Kind::text) fail(list->at, "expected a text in double quotes");
    if (list != nullptr) text->content = list->text;
    if (text->content.size() >= capacity) fail(declaration.at, "the text is longer than its array");
    return text;
  }
  if (is_buffer) array->dimensions.pop_back();
  array->is_text = declaration.type == Base::character;
  std::size_t elements = 1;
  for (const std::size_t dimension : array->dimensions) elements *= dimension;
  const Value nothing = is_global && !array->is_text ? Value(Tokens{0}) : Value();
  array->elements.assign(elements, nothing);
  if (is_buffer)
    for (Value& element : array->elements) element = std::make_shared<Text>(Text{"", capacity, is_global});
  if (list != nullptr) {
    if (list->kind != Expr::Kind::list) fail(list->at, "expected a list in braces");
    if (!array->is_text) std::ranges::fill(array->elements, Value(Tokens{0}));  // what a list leaves out is 0
    fill(*array, *list, 0, 0);
  }
  return ArrayPart{std::move(array), 0, 0};
}

/// Fills a row from its first element on, and returns the element behind the row.
std::size_t Interpreter::fill(Array& array, const Expr& list, std::size_t depth, std::size_t at_element) {
  std::size_t row = 1;
  for (std::size_t i = depth; i < array.dimensions.size(); ++i) row *= array.dimensions[i];
  const std::size_t end = at_element + row;
  for (const Expr& item : list.children) {
    if (at_element >= end) fail(item.at, "the list has more values than the array has elements");
    if (item.kind == Expr::Kind::list && depth + 1 < array.dimensions.size()) {
      at_element = fill(array, item, depth + 1, at_element);
    } else {
      set_element(array, at_element++, item);
    }
  }
  return end;
}

void Interpreter::set_element(Array& array, std::size_t element, const Expr& expr) {
  Value value = value_of(expr);
  auto* buffer = std::get_if<std::shared_ptr<Text>>(&array.elements[element]);
  const auto* text = std::get_if<std::shared_ptr<Text>>(&value);
  if (buffer == nullptr || text == nullptr) {
    stored(std::move(value), {&array.elements[element], array.type, array.is_text}, expr.at);
    return;
  }
  if ((*text)->content.size() >= (*buffer)->capacity) fail(expr.at, "the text is longer than its array");
  (*buffer)->content = (*text)->content;
}

void Interpreter::bind(const Declaration& parameter, Value argument, Offset at) {
  Variable variable;
  variable.type = parameter.type;
  const bool is_list = !parameter.dimensions.empty() || (parameter.is_pointer && parameter.type != Base::character);
  const bool is_letters =
      parameter.type == Base::character && !parameter.is_pointer && parameter.dimensions.size() == 1;
  variable.is_text = is_letters || (parameter.is_pointer && parameter.type == Base::character && !is_list);
  if (is_list && !is_letters) {
    if (!std::holds_alternative<ArrayPart>(argument))
      fail(at, fmt::format("parameter '{}': expected an array, found {}", shown(parameter.name), kind_of(argument)));
    variable.is_fixed = true;
    variable.value = std::move(argument);
  } else {
    stored(std::move(argument), {&variable.value, variable.type, variable.is_text}, at);
  }
  _frames.back().push_back({parameter.name, std::move(variable)});
}

Value Interpreter::stored(Value value, const Cell& cell, Offset at) {
  if (cell.is_text) {
    if (!std::holds_alternative<std::shared_ptr<Text>>(value))
      fail(at, fmt::format("expected a text, found {}", kind_of(value)));
    *cell.value = std::move(value);
  } else {
    *cell.value = _arithmetic.converted(std::move(value), cell.type, at);
  }
  return *cell.value;
}

Interpreter::Cell Interpreter::cell_of(const Expr& expr) {
  if (expr.kind == Expr::Kind::index) return element_of(expr);
  if (expr.kind != Expr::Kind::name) fail(expr.at, "expected a variable before the assignment");
  bool is_global = false;
  Variable* const variable = variable_named(expr.text, is_global);
  if (variable == nullptr) fail(expr.at, fmt::format("unknown variable '{}'", shown(expr.text)));
  if (variable->is_fixed) fail(expr.at, fmt::format("array '{}' cannot be assigned as a whole", shown(expr.text)));
  if (is_global && _keeps_globals)
    fail(expr.at,
         fmt::format("global variable '{}' is changed where a marking is looked at: expected a function without "
                     "effects",
                     shown(expr.text)));
  return {&variable->value, variable->type, variable->is_text};
}

/// The row, or the element, that an index names.
ArrayPart Interpreter::part_at(const Expr& expr, const Value& base, Tokens index) {
  const auto* part = std::get_if<ArrayPart>(&base);
  if (part == nullptr) fail(expr.at, fmt::format("expected an array before '[', found {}", kind_of(base)));
  const std::vector<std::size_t>& dimensions = part->array->dimensions;
  const std::size_t size = dimensions[part->depth];
  if (index < 0 || static_cast<std::size_t>(index) >= size)
    fail(expr.at, fmt::format("index {} is outside of the array: expected 0 to {}", index, size - 1));
  std::size_t row = 1;
  for (std::size_t i = part->depth + 1; i < dimensions.size(); ++i) row *= dimensions[i];
  return {part->array, part->first + static_cast<std::size_t>(index) * row, part->depth + 1};
}

Interpreter::Cell Interpreter::element_of(const Expr& expr) {
  const Value base = value_of(expr.children[0]);
  const ArrayPart part = part_at(expr, base, _arithmetic.integer(value_of(expr.children[1]), expr.at, "an index"));
  Array& array = *part.array;
  if (part.depth != array.dimensions.size()) fail(expr.at, "a row of an array cannot be assigned as a whole");
  if (array.is_global && _keeps_globals) fail(expr.at, "a global array is changed where a marking is looked at");
  return {&array.elements[part.first], array.type, array.is_text};
}

Value Interpreter::indexed(const Expr& expr) {
  const Value base = value_of(expr.children[0]);
  const Tokens index = _arithmetic.integer(value_of(expr.children[1]), expr.at, "an index");
  if (const auto* text = std::get_if<std::shared_ptr<Text>>(&base)) {
    const std::string& content = (*text)->content;
    if (index < 0 || static_cast<std::size_t>(index) > content.size())
      fail(expr.at, fmt::format("index {} is outside of the text: expected 0 to {}", index, content.size()));
    const auto at = static_cast<std::size_t>(index);
    return Tokens{at == content.size() ? 0 : static_cast<unsigned char>(content[at])};
  }
  ArrayPart part = part_at(expr, base, index);
  if (part.depth < part.array->dimensions.size()) return part;
  const Value& element = part.array->elements[part.first];
  if (std::holds_alternative<std::monostate>(element)) fail(expr.at, "an element has no value yet");
  return element;
}

}  // namespace dcheck::parse::cspl
