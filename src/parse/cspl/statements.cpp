// The interpreter's statements.

#include <algorithm>

#include "parse/cspl/depth.hpp"

namespace dcheck::parse::cspl {

Interpreter::Flow Interpreter::run(const Stmt& statement) {
  const Depth depth(*this, statement.at);
  switch (statement.kind) {
    case Stmt::Kind::block:
      return run_all(statement.children, 0);
    case Stmt::Kind::expression:
      if (!statement.expressions.empty()) value_of(statement.expressions[0]);
      return Flow::normal;
    case Stmt::Kind::declaration:
      for (const Declaration& declaration : statement.declarations) {
        Variable variable = made(declaration, false);
        _frames.back().push_back({declaration.name, std::move(variable)});
      }
      return Flow::normal;
    case Stmt::Kind::if_else: {
      const bool holds = _arithmetic.is_true(value_of(statement.expressions[0]), statement.at);
      if (holds) return run(statement.children[0]);
      return statement.children.size() > 1 ? run(statement.children[1]) : Flow::normal;
    }
    case Stmt::Kind::while_loop:
    case Stmt::Kind::do_loop:
    case Stmt::Kind::for_loop:
      return run_loop(statement);
    case Stmt::Kind::switch_case:
      return run_switch(statement);
    case Stmt::Kind::label:
      return Flow::normal;
    case Stmt::Kind::return_value:
      _returned = statement.expressions.empty() ? Value() : value_of(statement.expressions[0]);
      return Flow::returns;
    case Stmt::Kind::break_loop:
      return Flow::leaves_loop;
    case Stmt::Kind::continue_loop:
      return Flow::next_round;
  }
  return Flow::normal;
}

/// What is declared here is gone at the end.
Interpreter::Flow Interpreter::run_all(const std::vector<Stmt>& statements, std::size_t first) {
  const std::size_t locals = _frames.back().size();
  Flow flow = Flow::normal;
  for (std::size_t i = first; i < statements.size() && flow == Flow::normal; ++i) flow = run(statements[i]);
  _frames.back().resize(locals);
  return flow;
}

Interpreter::Flow Interpreter::run_loop(const Stmt& statement) {
  const bool is_for = statement.kind == Stmt::Kind::for_loop;
  const std::size_t locals = _frames.back().size();
  if (is_for) run(statement.children[0]);
  const Stmt& body = statement.children.back();
  bool is_first = true;
  Flow flow = Flow::normal;
  for (;;) {
    const bool asks = statement.kind != Stmt::Kind::do_loop || !is_first;
    if (asks && !_arithmetic.is_true(value_of(statement.expressions[0]), statement.at)) break;
    is_first = false;
    flow = run(body);
    if (flow == Flow::leaves_loop || flow == Flow::returns) break;
    if (is_for) value_of(statement.expressions[1]);
  }
  _frames.back().resize(locals);
  return flow == Flow::returns ? flow : Flow::normal;
}

Interpreter::Flow Interpreter::run_switch(const Stmt& statement) {
  const Value chosen = value_of(statement.expressions[0]);
  const std::vector<Stmt>& body = statement.children;
  std::size_t begin = body.size();
  for (std::size_t i = 0; i < body.size() && begin == body.size(); ++i) {
    if (body[i].kind != Stmt::Kind::label || body[i].expressions.empty()) continue;
    const Value equal = _arithmetic.binary("==", chosen, value_of(body[i].expressions[0]), body[i].at);
    if (_arithmetic.is_true(equal, body[i].at)) begin = i;
  }
  const auto is_default = [](const Stmt& part) { return part.kind == Stmt::Kind::label && part.expressions.empty(); };
  if (begin == body.size()) begin = static_cast<std::size_t>(std::ranges::find_if(body, is_default) - body.begin());
  const Flow flow = run_all(body, begin);
  return flow == Flow::leaves_loop ? Flow::normal : flow;
}

}  // namespace dcheck::parse::cspl
