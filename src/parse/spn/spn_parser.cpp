#include "parse/spn/spn_parser.hpp"

#include "parse/expression/expression_parser.hpp"

namespace dcheck::parse {
namespace {

class StatementParser : private ExpressionParser {
 public:
  explicit StatementParser(const SourceText& source) : ExpressionParser(source), _text(source.text()) {}

  std::vector<Statement> all() {
    std::vector<Statement> statements;
    while (token().kind != Token::Kind::end) statement(statements);
    return statements;
  }

 private:
  void statement(std::vector<Statement>& into) {
    count_node(token().begin);
    if (accept("param")) return parameters(into);
    if (accept("place")) return places(into);
    if (accept("trans")) return into.push_back(transition());
    if (accept("let")) return into.push_back(let());
    if (accept("check")) return into.push_back(check());
    if (token().is("for")) return into.push_back(loop());
    expected("'param', 'place', 'trans', 'for', 'let' or 'check'");
  }

  void parameters(std::vector<Statement>& into) {
    if (_loops > 0) fail(token().begin, "a parameter cannot be declared inside a loop");
    do {
      ParameterDeclaration made{declared_name("the name of a parameter"), {}};
      if (!made.name.dimensions.empty()) fail(made.name.at, "a parameter has no indices: expected '=' or ';'");
      if (accept("=")) made.value = expression();
      into.push_back(std::move(made));
    } while (accept(","));
    expect(";", "after the parameter");
  }

  void places(std::vector<Statement>& into) {
    do {
      PlaceDeclaration made{declared_name("the name of a place"), {}};
      if (accept("init")) made.initial = expression();
      into.push_back(std::move(made));
    } while (accept(","));
    expect(";", "or ',' or 'init' after the place");
  }

  TransitionDeclaration transition() {
    TransitionDeclaration made{declared_name("the name of a transition"), {}, {}, {}, {}, {}};
    for (Offset at = token().begin; !accept(":"); at = token().begin) {
      if (accept("rate")) {
        if (made.rate) fail(at, "the transition has two rates");
        made.rate = expression();
      } else if (accept("when")) {
        made.guards.push_back(expression());
      } else if (accept("inhibit")) {
        do made.inhibitors.push_back(inhibitor());
        while (accept(","));
      } else {
        expected("':', 'rate', 'when' or 'inhibit' after the transition");
      }
    }
    if (!token().is("->")) made.inputs = sum_of_terms();
    expect("->", "or '+' between inputs and outputs");
    if (!token().is(";")) made.outputs = sum_of_terms();
    expect(";", "or '+' after the outputs");
    return made;
  }

  InhibitorClause inhibitor() {
    InhibitorClause made{reference("the name of a place"), {}};
    if (accept("<")) made.threshold = sum_of_terms();
    return made;
  }

  LetDeclaration let() {
    LetDeclaration made{declared_name("the name of the definition"), {}};
    expect("=", "after the name");
    made.value = expression();
    expect(";", "after the definition");
    return made;
  }

  CheckDeclaration check() {
    CheckDeclaration made{declared_name("the name of the property"), {}, {}};
    expect(":", "after the name of the property");
    const Offset begin = token().begin;
    made.question = question();
    made.text = on_one_line(_text.substr(begin, end_of_last() - begin));
    expect(";", "after the formula");
    return made;
  }

  Loop loop() {
    const Nesting nesting(*this);
    Loop made{ranges(Node::Kind::loop), {}};
    expect("{", "before the body of the loop");
    ++_loops;
    while (!token().is("}")) {
      if (token().kind == Token::Kind::end) expected("'}' to close the loop");
      statement(made.body);
    }
    --_loops;
    advance();
    return made;
  }

  std::string_view _text;
  int _loops = 0;
};

}  // namespace

std::vector<Statement> parse_statements(const SourceText& source) {
  return StatementParser(source).all();
}

std::string on_one_line(std::string_view text) {
  const SourceText source(text, {});
  Lexer lexer(source);
  std::string line;
  Offset end = 0;
  for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next()) {
    if (!line.empty() && token.begin > end) line += ' ';
    line += token.text;
    end = token.end;
  }
  return line;
}

}  // namespace dcheck::parse
