#pragma once
// The operators of C on values, numbers and symbolic ones. What C leaves undefined, and what symbolic values cannot
// express, is an error.

#include <functional>

#include "parse/cspl/value.hpp"

namespace dcheck::parse::cspl {

/// Asks which way to go where a symbolic condition decides it: the same question has the same answer on one path.
using Decide = std::function<bool(const Expression& condition, Offset at)>;

class Arithmetic {
 public:
  Arithmetic(const SourceText& source, Decide decide) : _source(source), _decide(std::move(decide)) {}

  Value binary(const std::string& sign, Value left, Value right, Offset at) const;
  Value unary(const std::string& sign, Value value, Offset at) const;

  /// As a C program would store it in a variable of this type.
  Value converted(Value value, Base type, Offset at) const;

  /// Whether it is not 0; asks where that depends on token counts.
  bool is_true(const Value& value, Offset at) const;
  /// Whether it is not 0, as a value: 0, 1 or a SymbolicTruth.
  Value truth(const Value& value, Offset at) const;

  /// A number that is known. Fail where it is none, or depends on token counts.
  Tokens integer(const Value& value, Offset at, std::string_view what) const;
  double real(const Value& value, Offset at, std::string_view what) const;

 private:
  /// 0 or 1 in place of a symbolic truth.
  Value without_truth(Value value, Offset at) const;
  Value integers(const std::string& sign, Tokens left, Tokens right, Offset at) const;
  Value reals(const std::string& sign, double left, double right, Offset at) const;
  Value symbolic(const std::string& sign, const Value& left, const Value& right, Offset at) const;
  Value symbolic_quotient(const std::string& sign, Expression left, Tokens right, Offset at) const;
  Value compared_with_real(const std::string& sign, const Expression& left, double right, Offset at) const;
  [[noreturn]] void fail(Offset at, const std::string& message) const { _source.fail(at, message); }

  const SourceText& _source;
  Decide _decide;
};

}  // namespace dcheck::parse::cspl
