#pragma once
// Recursive descent over the expression grammar that models and formulas share (docs/formulas.md).

#include <string>
#include <string_view>
#include <vector>

#include "parse/expression/lexer.hpp"
#include "parse/expression/syntax.hpp"

namespace dcheck::parse {

/// Limits that keep hostile input from exhausting stack or memory.
inline constexpr int max_nesting = 200;
inline constexpr int max_tree_depth = 400;
inline constexpr std::size_t max_syntax_nodes = 1'000'000;

class ExpressionParser {
 public:
  explicit ExpressionParser(const SourceText& source);

  /// A whole expression: boolean, temporal or arithmetic. What it may be is decided at evaluation.
  Node expression();

  /// `bound(number)`, which stands alone, or an expression.
  Question question();

  /// Throws unless the text ends here.
  void expect_end();

 protected:
  /// A side of a transition, a bound of a range: + - * / % only.
  Node sum_of_terms();
  /// `i in a..b, j in c..d where filter`, as children of a node of this kind.
  Node ranges(Node::Kind kind);
  /// The same without a keyword before them.
  Node ranges_here(Node::Kind kind);
  /// `a..b` or the name of a colour set, as a binding without a variable; a product of names, as a `loop` of such.
  Node colours();
  /// A number, a name, or something in parentheses.
  Node factor();
  bool next_is(std::string_view spelling) const;
  DeclaredName declared_name(std::string_view what);
  /// A name with its indices.
  Node reference(std::string_view what);

  const Token& token() const { return _token; }
  Offset end_of_last() const { return _end_of_last; }
  void advance();
  bool accept(std::string_view spelling);
  void expect(std::string_view spelling, std::string_view why);
  [[noreturn]] void expected(std::string_view what) const;
  [[noreturn]] void fail(Offset at, const std::string& message) const { _source.fail(at, message); }

  /// Lets the limit on nodes start again: for texts that are read in pieces, each as large as it may be.
  void start_counting() { _nodes = 0; }
  /// Counts one more node or statement against the limit.
  void count_node(Offset at);

  /// Held while a construct is open that may contain itself.
  class Nesting {
   public:
    explicit Nesting(ExpressionParser& parser) : _parser(parser) {
      if (++_parser._nesting > max_nesting) _parser.fail_too_deep(_parser._token.begin, max_nesting);
    }
    ~Nesting() { --_parser._nesting; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ExpressionParser& _parser;
  };

 private:
  Node equivalence();
  Node implication();
  Node disjunction();
  Node conjunction();
  Node unary();
  Node comparison();
  Node term();
  Node primary();
  Node named();
  Node until(Node::Kind kind);
  Node fireable();
  Node binding();
  void range_of(Node& binding);
  Node dimension();

  /// Fails where a name is followed by what would be its operand, and tells the operator that was meant.
  void refuse_unknown_operator(const Node& name) const;

  Node leaf(Node::Kind kind);
  Node node(Node::Kind kind, Offset at, std::vector<Node> children);
  void adopt(Node& parent, Node child);
  [[noreturn]] void fail_too_deep(Offset at, int limit) const;

  const SourceText& _source;
  Lexer _lexer;
  Token _token;
  Offset _end_of_last = 0;
  int _nesting = 0;
  std::size_t _nodes = 0;
};

}  // namespace dcheck::parse
