#pragma once
// What functions that look at markings return, as expressions of token counts: they are run with counts that have no
// values yet, once for each way that their conditions can turn out.

#include "parse/cspl/interpreter.hpp"

namespace dcheck::parse::cspl {

/// A condition on the marking that a function asked, and how it turned out.
struct Decision {
  Expression condition;
  bool taken;
};

/// One way through a function: in all markings in which its conditions turn out so, it returns the value.
struct Outcome {
  std::vector<Decision> decisions;
  Value value;
};

/// Which way is taken at each condition. The first run takes `true` everywhere; each further one the next way.
class Ways {
 public:
  explicit Ways(const SourceText& source) : _source(source) {}

  void begin();
  bool decide(const Expression& condition, Offset at);
  /// False where all ways were taken.
  bool next();
  const std::vector<Decision>& decisions() const { return _decisions; }

 private:
  const SourceText& _source;
  std::vector<Decision> _decisions;
  std::size_t _at = 0, _ways = 0;
};

class MarkingFunctions {
 public:
  /// The interpreter asks `ways` where to go. Both must outlive this object.
  MarkingFunctions(Interpreter& interpreter, Ways& ways, const SourceText& source)
      : _interpreter(interpreter), _ways(ways), _source(source) {}

  // All of these throw InputError where the function does what no expression can say.

  /// All ways through the function, `true` before `false` at each condition.
  std::vector<Outcome> outcomes(const Function& function);

  /// Where the function returns anything but 0. What returns nothing is refused, or counts as 0.
  Expression predicate(const Function& function, bool allows_nothing = false);
  /// The number that it returns, by cases.
  std::vector<std::pair<Expression, Expression>> numbers(const Function& function);

 private:
  Interpreter& _interpreter;
  Ways& _ways;
  const SourceText& _source;
};

}  // namespace dcheck::parse::cspl
