// Declarations and statements.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parse/cspl/expression_parser.hpp"

namespace dcheck::parse::cspl {
namespace {

class Parser : private ExpressionParser {
 public:
  Parser(const SourceText& source, const std::vector<Token>& tokens) : ExpressionParser(source, tokens) {}

  Program all() {
    while (token().kind != Token::Kind::end) {
      if (!accept(";")) top_level();
    }
    return std::move(_program);
  }

 private:
  void top_level() {
    refuse_unsupported();
    const bool has_type = is_at_type();
    const Type common = type();
    do {
      Declaration declared = declarator(common);
      if (token().is("(")) {
        if (function(std::move(declared))) return;
        continue;
      }
      if (!has_type) fail(declared.at, fmt::format("expected a type before '{}'", shown(declared.name)));
      finish_variable(declared);
      _program.globals.push_back(std::move(declared));
    } while (accept(","));
    expect(";", "or ',' after the declaration");
  }

  void refuse_unsupported() const {
    for (const std::string_view word : {"struct", "union", "enum", "typedef", "goto"})
      if (token().is(word)) fail(token().at, fmt::format("'{}' is not supported", word));
  }

  Declaration declarator(const Type& common) {
    Declaration declared;
    declared.type = common.base;
    declared.is_static = common.is_static;
    if (accept("*")) declared.is_pointer = true;
    if (token().is("*")) fail(token().at, "pointers to pointers are not supported");
    declared.at = token().at;
    if (token().kind != Token::Kind::name) expected("a name");
    declared.name = token().text;
    advance();
    return declared;
  }

  /// Dimensions and initializer.
  void finish_variable(Declaration& declared) {
    dimensions(declared);
    if (declared.type == Base::nothing) fail(declared.at, fmt::format("variable '{}' is void", shown(declared.name)));
    if (accept("=")) declared.initializer.push_back(initializer());
  }

  void dimensions(Declaration& declared) {
    while (token().is("[")) {
      Expr none;
      none.kind = Expr::Kind::list;
      none.at = token().at;
      advance();
      declared.dimensions.push_back(token().is("]") ? none : assignment());
      expect("]", "after the dimension");
    }
  }

  /// True where it has a body; otherwise it was a prototype.
  bool function(Declaration declared) {
    auto made = std::make_unique<Function>();
    made->at = declared.at;
    made->name = declared.name;
    made->type = declared.type;
    made->returns_text = declared.type == Base::character && declared.is_pointer;
    if (declared.is_pointer && !made->returns_text)
      fail(declared.at, "functions that return pointers are not supported");
    parameters(*made);
    if (!token().is("{")) return false;
    made->body = block();
    if (!_program.function_named.emplace(made->name, made.get()).second)
      fail(made->at, fmt::format("function '{}' is defined twice", shown(made->name)));
    _program.functions.push_back(std::move(made));
    return true;
  }

  void parameters(Function& made) {
    expect("(", "after the function");
    if (token().is("void") && token(1).is(")")) advance();
    while (!accept(")")) {
      if (token().is("...")) fail(token().at, "functions with any number of arguments are not supported");
      if (!is_at_type()) expected("the type of a parameter");
      const Type common = type();
      if (token().is(",") || token().is(")")) {
        made.parameters.emplace_back().type = common.base;  // a prototype need not name it
      } else if (token().is("*") && (token(1).is(",") || token(1).is(")"))) {
        advance();
        made.parameters.emplace_back();
      } else {
        made.parameters.push_back(declarator(common));
        dimensions(made.parameters.back());
      }
      if (!accept(",") && !token().is(")")) expected("',' or ')' after a parameter");
    }
  }

  Stmt block() {
    const Nesting nesting(*this);
    Stmt made = begun(Stmt::Kind::block);
    expect("{", "to begin a block");
    while (!accept("}")) {
      if (token().kind == Token::Kind::end) expected("'}' to close the block");
      made.children.push_back(statement());
    }
    return made;
  }

  Stmt begun(Stmt::Kind kind) const {
    Stmt made;
    made.kind = kind;
    made.at = token().at;
    return made;
  }

  Expr in_parentheses(std::string_view after) {
    expect("(", fmt::format("after '{}'", after));
    Expr condition = expression();
    expect(")", "after the condition");
    return condition;
  }

  Stmt statement() {
    const Nesting nesting(*this);
    refuse_unsupported();
    if (token().is("{")) return block();
    if (is_at_type()) return declaration();
    if (token().is("if")) return if_else();
    if (token().is("while")) return while_loop();
    if (token().is("do")) return do_loop();
    if (token().is("for")) return for_loop();
    if (token().is("switch")) return switch_case();
    if (token().is("case") || token().is("default")) return label();
    return simple();
  }

  Stmt simple() {
    Stmt made = begun(Stmt::Kind::expression);
    if (accept("return")) {
      made.kind = Stmt::Kind::return_value;
      if (!token().is(";")) made.expressions.push_back(expression());
    } else if (accept("break")) {
      made.kind = Stmt::Kind::break_loop;
    } else if (accept("continue")) {
      made.kind = Stmt::Kind::continue_loop;
    } else if (!token().is(";")) {
      made.expressions.push_back(expression());
    }
    expect(";", "after the statement");
    return made;
  }

  Stmt declaration() {
    Stmt made = begun(Stmt::Kind::declaration);
    const Type common = type();
    do {
      Declaration declared = declarator(common);
      if (token().is("(")) {  // a prototype within a function
        Function ignored;
        parameters(ignored);
        continue;
      }
      finish_variable(declared);
      made.declarations.push_back(std::move(declared));
    } while (accept(","));
    expect(";", "or ',' after the declaration");
    return made;
  }

  Stmt if_else() {
    Stmt made = begun(Stmt::Kind::if_else);
    advance();
    made.expressions.push_back(in_parentheses("if"));
    made.children.push_back(statement());
    if (accept("else")) made.children.push_back(statement());
    return made;
  }

  Stmt while_loop() {
    Stmt made = begun(Stmt::Kind::while_loop);
    advance();
    made.expressions.push_back(in_parentheses("while"));
    made.children.push_back(statement());
    return made;
  }

  Stmt do_loop() {
    Stmt made = begun(Stmt::Kind::do_loop);
    advance();
    made.children.push_back(statement());
    expect("while", "after the body of 'do'");
    made.expressions.push_back(in_parentheses("while"));
    expect(";", "after the loop");
    return made;
  }

  Stmt for_loop() {
    Stmt made = begun(Stmt::Kind::for_loop);
    advance();
    expect("(", "after 'for'");
    made.children.push_back(is_at_type() ? declaration() : simple());
    Expr always;
    always.at = token().at;
    always.integer = 1;
    made.expressions.push_back(token().is(";") ? always : expression());
    expect(";", "after the condition of 'for'");
    made.expressions.push_back(token().is(")") ? always : expression());
    expect(")", "to close 'for'");
    made.children.push_back(statement());
    return made;
  }

  Stmt switch_case() {
    Stmt made = begun(Stmt::Kind::switch_case);
    advance();
    made.expressions.push_back(in_parentheses("switch"));
    made.children = block().children;
    return made;
  }

  Stmt label() {
    Stmt made = begun(Stmt::Kind::label);
    const bool is_default = token().is("default");
    advance();
    if (!is_default) made.expressions.push_back(assignment());
    expect(":", "after the label");
    return made;
  }

  Program _program;
};

}  // namespace

Program parse_program(const SourceText& source, const std::vector<Token>& tokens) {
  return Parser(source, tokens).all();
}

}  // namespace dcheck::parse::cspl
