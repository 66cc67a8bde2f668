#include "parse/cspl/marking_functions.hpp"

#include <fmt/format.h>

#include <span>

#include "parse/extended/conditions.hpp"
#include "parse/extended/interval.hpp"

namespace dcheck::parse::cspl {
namespace {

constexpr std::size_t most_ways = 4'096, most_steps = 2'000'000;

Expression constant(bool truth) {
  return Expression::of(truth ? Expression::Kind::always : Expression::Kind::never);
}

Expression condition_of(const Outcome& outcome) {
  std::vector<Expression> all;
  for (const auto& [condition, taken] : outcome.decisions) all.push_back(taken ? condition : negation(condition));
  return all_of(std::move(all));
}

/// The truth of each of the outcomes, which are alike in what was decided before `depth`, as one predicate.
Expression joined(std::span<const Outcome> outcomes, std::span<const Expression> truths, std::size_t depth) {
  if (outcomes.size() == 1) return truths.front();
  const Expression& condition = outcomes.front().decisions[depth].condition;
  std::size_t taken = 0;
  while (taken < outcomes.size() && outcomes[taken].decisions[depth].taken) ++taken;
  Expression holds = joined(outcomes.first(taken), truths.first(taken), depth + 1);
  Expression fails = joined(outcomes.subspan(taken), truths.subspan(taken), depth + 1);
  if (holds == fails) return holds;
  // `c || f` and `!c || t` say the same as the two cases where one of them is always true.
  if (holds.kind == Expression::Kind::always) return any_of({condition, std::move(fails)});
  if (fails.kind == Expression::Kind::always) return any_of({negation(condition), std::move(holds)});
  return any_of({all_of({condition, std::move(holds)}), all_of({negation(condition), std::move(fails)})});
}

}  // namespace

void Ways::begin() {
  _decisions.clear();
  _at = 0;
  _ways = 1;
}

bool Ways::decide(const Expression& condition, Offset at) {
  if (_at < _decisions.size()) return _decisions[_at++].taken;
  Box known;
  for (const Decision& decision : _decisions) known.learn(decision.condition, decision.taken);
  for (const Decision& decision : _decisions)
    if (decision.condition == condition) return decision.taken;
  if (const Truth truth = known.truth(condition); truth != Truth::unknown) return truth == Truth::yes;
  if (_decisions.size() >= most_ways) _source.fail(at, "the function asks too many questions about the marking");
  _decisions.push_back({condition, true});
  ++_at;
  return true;
}

bool Ways::next() {
  _at = 0;
  while (!_decisions.empty() && !_decisions.back().taken) _decisions.pop_back();
  if (_decisions.empty() || ++_ways > most_ways) return false;
  _decisions.back().taken = false;
  return true;
}

std::vector<Outcome> MarkingFunctions::outcomes(const Function& function) {
  std::vector<Outcome> outcomes;
  _interpreter.allow_steps(most_steps);
  _ways.begin();
  do {
    if (outcomes.size() >= most_ways)
      _source.fail(function.at, fmt::format("function '{}' has more than {} ways through its conditions on the marking",
                                            shown(function.name), most_ways));
    Value value = _interpreter.call(function, {}, function.at);
    outcomes.push_back({_ways.decisions(), std::move(value)});
  } while (_ways.next());
  return outcomes;
}

Expression MarkingFunctions::predicate(const Function& function, bool allows_nothing) {
  const std::vector<Outcome> ways = outcomes(function);
  std::vector<Expression> truths;
  for (const Outcome& outcome : ways) {
    const bool is_nothing = allows_nothing && std::holds_alternative<std::monostate>(outcome.value);
    const Value truth = is_nothing ? Value(Tokens{0}) : _interpreter.arithmetic().truth(outcome.value, function.at);
    const auto* symbolic = std::get_if<SymbolicTruth>(&truth);
    truths.push_back(symbolic != nullptr ? symbolic->predicate : constant(std::get<Tokens>(truth) != 0));
  }
  return joined(ways, truths, 0);
}

std::vector<std::pair<Expression, Expression>> MarkingFunctions::numbers(const Function& function) {
  std::vector<std::pair<Expression, Expression>> cases;
  for (Outcome& outcome : outcomes(function)) {
    Expression condition = condition_of(outcome);
    if (auto* number = std::get_if<SymbolicNumber>(&outcome.value)) {
      cases.emplace_back(std::move(condition), std::move(number->expression));
    } else if (auto* truth = std::get_if<SymbolicTruth>(&outcome.value)) {
      cases.emplace_back(all_of({condition, truth->predicate}), Expression::constant_of(1));
      cases.emplace_back(all_of({condition, negation(truth->predicate)}), Expression::constant_of(0));
    } else {
      const Tokens known = _interpreter.arithmetic().integer(outcome.value, function.at, "the value of the function");
      cases.emplace_back(std::move(condition), Expression::constant_of(known));
    }
  }
  return cases;
}

}  // namespace dcheck::parse::cspl
