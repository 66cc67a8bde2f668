// Expressions and calls; statements are in statements.cpp, variables in variables.cpp.

#include "parse/cspl/interpreter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "parse/cspl/depth.hpp"
#include "parse/extended/conditions.hpp"
#include "parse/nearest.hpp"

namespace dcheck::parse::cspl {

Interpreter::Interpreter(const SourceText& source, const Program& program, Host host, Decide decide)
    : _source(source), _program(program), _host(std::move(host)), _arithmetic(source, std::move(decide)) {}

void Interpreter::step(Offset at) {
  if (_steps_left == 0)
    fail(at, "the program is still running after as many steps as it may take: expected an end to its loops and calls");
  --_steps_left;
}

bool is_pure(const Expr& expr) {
  if (expr.kind == Expr::Kind::assign || expr.kind == Expr::Kind::increment) return false;
  return std::ranges::all_of(expr.children, is_pure);
}

Value Interpreter::value_of(const Expr& expr) {
  const Depth depth(*this, expr.at);
  switch (expr.kind) {
    case Expr::Kind::integer:
      return expr.integer;
    case Expr::Kind::real:
      return expr.real;
    case Expr::Kind::text:
      return std::make_shared<Text>(Text{expr.text, 0, false});
    case Expr::Kind::name:
      return named(expr);
    case Expr::Kind::call:
      return call_of(expr);
    case Expr::Kind::index:
      return indexed(expr);
    case Expr::Kind::unary:
      return _arithmetic.unary(expr.text, value_of(expr.children[0]), expr.at);
    case Expr::Kind::binary: {
      Value left = value_of(expr.children[0]);
      return _arithmetic.binary(expr.text, std::move(left), value_of(expr.children[1]), expr.at);
    }
    case Expr::Kind::logical_and:
    case Expr::Kind::logical_or:
      return logical(expr);
    case Expr::Kind::conditional: {
      const bool holds = _arithmetic.is_true(value_of(expr.children[0]), expr.at);
      return value_of(expr.children[holds ? 1 : 2]);
    }
    case Expr::Kind::assign:
      return assigned(expr);
    case Expr::Kind::increment:
      return incremented(expr);
    case Expr::Kind::cast: {
      Value value = value_of(expr.children[0]);
      return expr.type == Base::nothing ? Value() : _arithmetic.converted(std::move(value), expr.type, expr.at);
    }
    case Expr::Kind::comma:
      value_of(expr.children[0]);
      return value_of(expr.children[1]);
    default:
      fail(expr.at, "a list in braces is no value: expected it after '=' in a declaration");
  }
}

Value Interpreter::logical(const Expr& expr) {
  const bool is_and = expr.kind == Expr::Kind::logical_and;
  Value left = _arithmetic.truth(value_of(expr.children[0]), expr.at);
  if (auto* symbolic = std::get_if<SymbolicTruth>(&left)) {
    if (!is_pure(expr.children[1])) {
      left = Tokens{_arithmetic.is_true(left, expr.at) ? 1 : 0};
    } else {
      Value right = _arithmetic.truth(value_of(expr.children[1]), expr.at);
      const auto* known = std::get_if<Tokens>(&right);
      if (known != nullptr) return (*known != 0) == is_and ? left : right;
      std::vector<Expression> both;
      both.push_back(std::move(symbolic->predicate));
      both.push_back(std::move(std::get<SymbolicTruth>(right).predicate));
      return SymbolicTruth{is_and ? all_of(std::move(both)) : any_of(std::move(both))};
    }
  }
  if ((std::get<Tokens>(left) != 0) != is_and) return left;
  return _arithmetic.truth(value_of(expr.children[1]), expr.at);
}

Variable* Interpreter::variable_named(const std::string& name, bool& is_global) {
  is_global = false;
  if (!_frames.empty()) {
    Frame& frame = _frames.back();
    for (auto local = frame.rbegin(); local != frame.rend(); ++local)
      if (local->name == name) return &local->variable;
  }
  const auto global = _globals.find(name);
  is_global = global != _globals.end();
  return is_global ? &global->second : nullptr;
}

Value Interpreter::named(const Expr& expr) {
  bool is_global = false;
  if (const Variable* variable = variable_named(expr.text, is_global)) {
    if (std::holds_alternative<std::monostate>(variable->value))
      fail(expr.at, fmt::format("variable '{}' has no value yet", shown(expr.text)));
    return variable->value;
  }
  const auto function = _program.function_named.find(expr.text);
  if (function != _program.function_named.end()) return function->second;
  if (std::optional<Value> constant = _host.constant(expr.text)) return std::move(*constant);
  NearestName nearest(expr.text);
  for (const auto& [name, variable] : _globals) nearest.consider(name);
  for (const auto& [name, known] : _program.function_named) nearest.consider(name);
  fail(expr.at, fmt::format("unknown name '{}'{}", shown(expr.text), nearest.suggestion()));
}

Value Interpreter::call_of(const Expr& expr) {
  std::vector<Value> arguments;
  for (const Expr& argument : expr.children) arguments.push_back(value_of(argument));
  const auto function = _program.function_named.find(expr.text);
  if (function != _program.function_named.end()) return call(*function->second, std::move(arguments), expr.at);
  Call outside{expr.text, std::move(arguments), expr.at};
  return _host.call(outside);
}

Value Interpreter::call(const Function& function, std::vector<Value> arguments, Offset at) {
  const Depth depth(*this, at);
  if (_frames.size() >= deepest_call)
    fail(at, fmt::format("'{}' is called more than {} calls deep: expected an end to the recursion",
                         shown(function.name), deepest_call));
  if (arguments.size() != function.parameters.size())
    fail(at, fmt::format("'{}' is called with {} arguments: expected {}", shown(function.name), arguments.size(),
                         function.parameters.size()));
  _frames.emplace_back();
  for (std::size_t i = 0; i < arguments.size(); ++i) bind(function.parameters[i], std::move(arguments[i]), at);
  _returned = {};
  run(function.body);
  _frames.pop_back();
  Value result = std::exchange(_returned, {});
  if (function.type == Base::nothing || function.returns_text || std::holds_alternative<std::monostate>(result))
    return result;
  // A condition on tokens stays one: it is 0 or 1.
  if (std::holds_alternative<SymbolicTruth>(result) && function.type != Base::real) return result;
  return _arithmetic.converted(std::move(result), function.type, at);
}

Value Interpreter::assigned(const Expr& expr) {
  Value value = value_of(expr.children[1]);
  if (expr.text != "=") {
    Value before = *cell_of(expr.children[0]).value;
    value = _arithmetic.binary(expr.text.substr(0, expr.text.size() - 1), std::move(before), std::move(value), expr.at);
  }
  return stored(std::move(value), cell_of(expr.children[0]), expr.at);
}

Value Interpreter::incremented(const Expr& expr) {
  const Cell cell = cell_of(expr.children[0]);
  Value before = *cell.value;
  Value after = _arithmetic.binary(expr.text.substr(0, 1), before, Tokens{1}, expr.at);
  after = stored(std::move(after), cell, expr.at);
  return expr.is_prefix ? after : before;
}

}  // namespace dcheck::parse::cspl
