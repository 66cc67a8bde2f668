#pragma once
// Counts how deep the interpreter is in itself, and its steps.

#include <fmt/format.h>

#include "parse/cspl/interpreter.hpp"

namespace dcheck::parse::cspl {

class Interpreter::Depth {
 public:
  Depth(Interpreter& interpreter, Offset at) : _interpreter(interpreter) {
    interpreter.step(at);
    if (interpreter._depth >= deepest)
      interpreter.fail(at,
                       fmt::format("the program is nested more than {} calls, statements and operators deep", deepest));
    ++interpreter._depth;
  }
  ~Depth() { --_interpreter._depth; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  Interpreter& _interpreter;
};

}  // namespace dcheck::parse::cspl
