#pragma once
// The tree of a CSPL file: the subset of C that docs/cspl.md describes.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "parse/cspl/lexer.hpp"

namespace dcheck::parse::cspl {

enum class Base : std::uint8_t { nothing, integer, real, character };

struct Expr {
  enum class Kind : std::uint8_t {
    integer,
    real,
    text,
    name,
    call,    // text: the function; children: arguments
    index,   // children[0] [ children[1] ]
    unary,   // text: - + ! ~
    binary,  // text: the operator, but for those below
    logical_and,
    logical_or,
    conditional,
    assign,     // text: = += ...; children: target, value
    increment,  // text: ++ or --; is_prefix
    cast,       // type
    comma,
    list  // { a, b }: an initializer
  };
  Kind kind = Kind::integer;
  Offset at = 0;
  std::string text;
  Tokens integer = 0;
  double real = 0;
  Base type = Base::nothing;
  bool is_prefix = false;
  std::uint32_t depth = 1;
  std::vector<Expr> children;
};

/// One declared variable or parameter. `char *s` and `char s[20]` are texts; other pointers are arrays.
struct Declaration {
  Offset at = 0;
  std::string name;
  Base type = Base::integer;
  bool is_pointer = false;
  bool is_static = false;
  std::vector<Expr> dimensions;   // one of kind list, without children, where it is left out: `a[]`
  std::vector<Expr> initializer;  // none or one
};

struct Stmt {
  enum class Kind : std::uint8_t {
    block,
    expression,
    declaration,
    if_else,     // expressions[0]; children: then, else
    while_loop,  // expressions[0]; children[0]
    do_loop,
    for_loop,     // children: initialization, body; expressions: condition, step
    switch_case,  // expressions[0]; children: statements, labels among them
    label,        // expressions: the case; none: default
    return_value,
    break_loop,
    continue_loop
  };
  Kind kind = Kind::block;
  Offset at = 0;
  std::vector<Expr> expressions;
  std::vector<Stmt> children;
  std::vector<Declaration> declarations;
};

struct Function {
  Offset at = 0;
  std::string name;
  Base type = Base::integer;
  bool returns_text = false;
  std::vector<Declaration> parameters;
  Stmt body;
};

struct Program {
  std::vector<Declaration> globals;  // in order
  std::vector<std::unique_ptr<Function>> functions;
  std::unordered_map<std::string, const Function*> function_named;
};

/// Throws InputError at the first thing that is not in the grammar, or that is C but not supported.
Program parse_program(const SourceText& source, const std::vector<Token>& tokens);

}  // namespace dcheck::parse::cspl
