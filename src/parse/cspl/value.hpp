#pragma once
// What a CSPL program computes with. While guards and weights are looked into, token counts have no values yet: what is
// made of them are expressions.

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "dcheck/net/expression.hpp"
#include "parse/cspl/syntax.hpp"

namespace dcheck::parse::cspl {

/// A `char name[20]`, or a literal. Who passes it on passes it itself, as C does.
struct Text {
  std::string content;
  std::size_t capacity = 0;  // characters, the zero at the end among them; 0: a literal, which nobody may change
  bool is_global = false;
};

struct Array;

/// A whole number made of token counts; `is_real` where C computes with it as a double.
struct SymbolicNumber {
  Expression expression;
  bool is_real = false;
};
/// 1 where it holds, 0 elsewhere.
struct SymbolicTruth {
  Expression predicate;
};

/// An array, or a row of it: its elements from `first` on, with one dimension less for each index so far.
struct ArrayPart {
  std::shared_ptr<Array> array;
  std::size_t first = 0;
  std::size_t depth = 0;
};

using Value = std::variant<std::monostate, Tokens, double, std::shared_ptr<Text>, const Function*, ArrayPart,
                           SymbolicNumber, SymbolicTruth>;

struct Array {
  Base type = Base::integer;
  std::vector<std::size_t> dimensions;
  std::vector<Value> elements;
  bool is_text = false;  // char *names[5], char names[5][20]
  bool is_global = false;
};

struct Variable {
  Base type = Base::integer;
  bool is_text = false;   // char *
  bool is_fixed = false;  // an array, or char name[20]: nothing can be assigned to it as a whole
  Value value;
};

inline bool is_symbolic(const Value& value) {
  return std::holds_alternative<SymbolicNumber>(value) || std::holds_alternative<SymbolicTruth>(value);
}

/// What a message calls it: "a number", "a text" ...
std::string_view kind_of(const Value& value);

}  // namespace dcheck::parse::cspl
