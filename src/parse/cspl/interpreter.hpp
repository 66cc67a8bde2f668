#pragma once
// Runs functions of a CSPL program, within a budget of steps. Nothing of the program is executed natively, and it
// reaches nothing but its own variables and the functions of its host.

#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "parse/cspl/arithmetic.hpp"
#include "parse/cspl/value.hpp"

namespace dcheck::parse::cspl {

/// One call of a function that the program does not define.
struct Call {
  const std::string& name;
  std::vector<Value> arguments;
  Offset at;
};

class Interpreter {
 public:
  /// `host` runs what the program does not define, and says what names mean that it does not declare (none: unknown).
  struct Host {
    std::function<Value(Call& call)> call;
    std::function<std::optional<Value>(const std::string& name)> constant;
  };

  Interpreter(const SourceText& source, const Program& program, Host host, Decide decide);

  /// Sets up the global variables; `given` says which value an initializer gives way to.
  void begin(const std::function<std::optional<Tokens>(const std::string& name)>& given);

  Value call(const Function& function, std::vector<Value> arguments, Offset at);

  /// From here on nothing that is global may be changed.
  void keep_globals() { _keeps_globals = true; }
  /// Begins to count the steps anew, up to `most` from now on.
  void allow_steps(std::size_t most) { _steps_left = most; }

  const Arithmetic& arithmetic() const { return _arithmetic; }

  /// How many calls and operators deep a program may be, and its elements of arrays.
  static constexpr int deepest_call = 200, deepest = 2'500;
  static constexpr std::size_t most_elements = 5'000'000, most_steps = 20'000'000;

 private:
  enum class Flow : std::uint8_t { normal, leaves_loop, next_round, returns };
  struct Cell {
    Value* value;
    Base type;
    bool is_text;
  };
  struct Local {
    std::string name;
    Variable variable;
  };
  using Frame = std::deque<Local>;

  class Depth;

  Value value_of(const Expr& expr);
  Value call_of(const Expr& expr);
  Value named(const Expr& expr);
  Value indexed(const Expr& expr);
  Value assigned(const Expr& expr);
  Value incremented(const Expr& expr);
  Value logical(const Expr& expr);
  Cell cell_of(const Expr& expr);
  Cell element_of(const Expr& expr);
  ArrayPart part_at(const Expr& expr, const Value& base, Tokens index);
  Value stored(Value value, const Cell& cell, Offset at);
  Variable* variable_named(const std::string& name, bool& is_global);

  Flow run(const Stmt& statement);
  Flow run_all(const std::vector<Stmt>& statements, std::size_t first);
  Flow run_loop(const Stmt& statement);
  Flow run_switch(const Stmt& statement);
  Variable made(const Declaration& declaration, bool is_global);
  Value made_array(const Declaration& declaration, bool is_global);
  std::size_t fill(Array& array, const Expr& list, std::size_t depth, std::size_t at_element);
  void set_element(Array& array, std::size_t element, const Expr& value);
  void bind(const Declaration& parameter, Value argument, Offset at);

  void step(Offset at);
  [[noreturn]] void fail(Offset at, const std::string& message) const { _source.fail(at, message); }

  const SourceText& _source;
  const Program& _program;
  Host _host;
  Arithmetic _arithmetic;
  std::unordered_map<std::string, Variable> _globals;
  std::vector<Frame> _frames;
  Value _returned;
  std::size_t _steps_left = most_steps, _elements = 0;
  int _depth = 0;
  bool _keeps_globals = false;
};

/// True where evaluating it changes nothing, but perhaps in the functions that it calls.
bool is_pure(const Expr& expr);

}  // namespace dcheck::parse::cspl
