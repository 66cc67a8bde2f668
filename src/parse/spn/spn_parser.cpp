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
    if (is_word("colour")) return into.push_back(colour_set());
    if (accept("place")) return places(into);
    if (accept("trans")) return into.push_back(transition());
    if (accept("let")) return into.push_back(let());
    if (accept("check")) return into.push_back(check());
    if (token().is("for")) return into.push_back(loop());
    expected("'param', 'colour', 'place', 'trans', 'for', 'let' or 'check'");
  }

  /// Words that have a meaning only where no name can stand: models may use them as names.
  bool is_word(std::string_view word) const { return token().kind == Token::Kind::name && token().text == word; }
  bool accept_word(std::string_view word) {
    if (!is_word(word)) return false;
    advance();
    return true;
  }

  ColourDeclaration colour_set() {
    if (_loops > 0) fail(token().begin, "a colour set cannot be declared inside a loop");
    advance();
    ColourDeclaration made{declared_name("the name of a colour set"), {}, {}};
    if (!made.name.dimensions.empty()) fail(made.name.at, "a colour set has no indices: expected '='");
    expect("=", "after the name");
    if (accept("{")) {
      do {
        if (token().kind != Token::Kind::name) expected("the name of a colour");
        count_node(token().begin);
        made.colours.emplace_back(token().name, token().begin);
        advance();
      } while (accept(","));
      expect("}", "to close the colours");
    } else if (accept("(")) {
      made.range = ranges_here(Node::Kind::loop);
      expect(")", "to close the tuples");
    } else {
      made.range = colours();
    }
    expect(";", "after the colour set");
    return made;
  }

  /// `2`(a, b) + all + c`, tokens of a coloured place.
  void initial_of_colours(PlaceDeclaration& place) {
    do {
      ColouredTokens made{token().begin, {}, false, {}};
      if (next_is("`")) {
        made.count = factor();
        advance();
      }
      if (accept_word("all")) {
        made.is_all = true;
      } else if (accept("(")) {
        do made.colour.push_back(expression());
        while (accept(","));
        expect(")", "to close the colour");
      } else {
        made.colour.push_back(factor());
      }
      place.coloured_initial.push_back(std::move(made));
    } while (accept("+"));
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
      PlaceDeclaration made{declared_name("the name of a place"), {}, {}, {}};
      if (is_word("of")) {
        if (!made.name.dimensions.empty()) fail(token().begin, "a place has indices or colours, not both");
        advance();
        made.colours = colours();
        if (accept("init")) initial_of_colours(made);
      } else if (accept("init")) {
        made.initial = expression();
      }
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
