#pragma once
// The expressions of C, and the tokens that the statements' parser goes along.

#include "parse/cspl/syntax.hpp"

namespace dcheck::parse::cspl {

class ExpressionParser {
 public:
  ExpressionParser(const SourceText& source, const std::vector<Token>& tokens) : _source(source), _tokens(tokens) {}

 protected:
  const Token& token(std::size_t ahead = 0) const { return _tokens[std::min(_at + ahead, _tokens.size() - 1)]; }
  void advance() {
    if (_at + 1 < _tokens.size()) ++_at;
  }
  bool accept(std::string_view spelling);
  void expect(std::string_view spelling, std::string_view where);
  [[noreturn]] void expected(std::string_view what) const;
  [[noreturn]] void fail(Offset at, const std::string& message) const { _source.fail(at, message); }

  /// With commas, without them.
  Expr expression();
  Expr assignment();
  /// An expression or a list in braces.
  Expr initializer();

  bool is_at_type() const;
  /// The words of a type, such as `unsigned long int`.
  struct Type {
    Base base = Base::integer;
    bool is_static = false;
  };
  Type type();

  /// Counts a level of nesting while it lives; fails where there are too many.
  class Nesting {
   public:
    explicit Nesting(ExpressionParser& parser) : _parser(parser) { parser.enter(); }
    ~Nesting() { --_parser._depth; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ExpressionParser& _parser;
  };

 private:
  void enter();
  Expr conditional();
  Expr binary(int level);
  Expr unary();
  Expr postfix();
  Expr primary();
  bool is_at_cast() const;

  const SourceText& _source;
  const std::vector<Token>& _tokens;
  std::size_t _at = 0;
  int _depth = 0;
};

}  // namespace dcheck::parse::cspl
