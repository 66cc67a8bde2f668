#pragma once
// The syntax tree of models and formulas: what was written, before names are resolved and loops are run.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dcheck/base/ids.hpp"
#include "parse/source_text.hpp"

namespace dcheck::parse {

struct Node {
  enum class Kind : std::uint8_t {
    integer,  // value
    decimal,  // text
    name,     // text, children: the indices in brackets
    truth,    // value: 0 or 1
    add,      // any number of children; a subtracted term is wrapped in `minus`
    minus,
    multiply,  // any number of children
    divide,
    remainder,
    less,
    less_equal,
    equal,
    not_equal,
    greater_equal,
    greater,
    negation,
    conjunction,  // any number of children
    disjunction,
    implication,
    equivalence,
    choice,    // condition, then, otherwise
    fireable,  // children: names
    deadlock,
    initial,
    ex,
    ax,
    ef,
    af,
    eg,
    ag,
    eu,
    au,
    // Children: one `binding` a variable, a `filter` perhaps, the body (none in a `for`).
    sum,
    exists,
    forall,
    loop,
    binding,  // text: the variable, empty where the range has none; children: first and last, or a colour set's name
    filter    // one child
  };

  Kind kind = Kind::truth;
  std::uint16_t depth = 1;  // of the tree below, so that no recursion over it is too deep
  Offset at = 0;
  Tokens value = 0;
  std::string text;
  std::vector<Node> children;
};

/// What a property asks: whether a formula holds, or the largest value of a number.
struct Question {
  bool is_bound = false;
  Node value;
};

/// A name being declared: `p`, `p[1..N, 0..3]`, `t[i]`, `q[i in 1..N]`.
struct DeclaredName {
  std::string text;
  Offset at = 0;
  std::vector<Node> dimensions;  // `binding`, or an expression: that one index
};

struct ParameterDeclaration {
  DeclaredName name;
  std::optional<Node> value;
};

/// `2`(a, b)`, `all`: tokens of the initial marking of a coloured place.
struct ColouredTokens {
  Offset at = 0;
  std::optional<Node> count;  // absent: 1
  bool is_all = false;
  std::vector<Node> colour;  // otherwise: its components
};

struct PlaceDeclaration {
  DeclaredName name;
  std::optional<Node> initial;
  std::optional<Node> colours;  // a name, or kind `loop`: the place is coloured
  std::vector<ColouredTokens> coloured_initial;
};

/// `colour C = a..b`, `{x, y}` or `(i in C, j in D where ...)`; `C * D` is the last of these.
struct ColourDeclaration {
  DeclaredName name;
  std::optional<Node> range;                            // `binding`, or `loop`
  std::vector<std::pair<std::string, Offset>> colours;  // otherwise
};

struct InhibitorClause {
  Node place;
  std::optional<Node> threshold;  // absent: 1
};

struct TransitionDeclaration {
  DeclaredName name;
  std::optional<Node> rate;
  std::vector<Node> guards;
  std::vector<InhibitorClause> inhibitors;
  std::optional<Node> inputs, outputs;  // absent: the side is empty
};

struct LetDeclaration {
  DeclaredName name;
  Node value;
};

struct CheckDeclaration {
  DeclaredName name;
  Question question;
  std::string text;
};

struct Loop;

using Statement = std::variant<ParameterDeclaration, ColourDeclaration, PlaceDeclaration, TransitionDeclaration,
                               LetDeclaration, CheckDeclaration, Loop>;

struct Loop {
  Node ranges;  // kind `loop`
  std::vector<Statement> body;
};

}  // namespace dcheck::parse
