// One property at a time: its verdict by labels, its states counted, its evidence.

#include "check/answering.hpp"

namespace dcheck {

void Answering::decide(std::size_t i, const Operators& operators, Labelling& labels) {
  PropertyResult& result = _answers.properties[i];
  if (result.is_upper_bound || !_space->is_complete) return;
  labels.fulfil(i);
  if (_options.sat_counts && !result.sat_states) result.sat_states = operators.size(labels.sat(_agenda.root(i)));
  if (result.verdict != Verdict::unknown) return;
  result.verdict = labels.holds_initially(_agenda.root(i)) ? Verdict::holds : Verdict::fails;
}

void Answering::show(std::size_t i, Operators& operators, Labelling& labels) {
  PropertyResult& result = _answers.properties[i];
  const bool is_complete = _space->is_complete;
  if (!is_settled(result) || !can_show(i)) return;
  const auto initial_truth = [&](CoreId id) { return _agenda.truth(id, _found, is_complete); };
  WitnessFinder finder(_net, _agenda.pool(), operators, labels, initial_truth, is_complete);
  Formula formula = _properties[i].formula;
  if (result.is_upper_bound)
    formula = Formula::of(
        Formula::Kind::ef,
        {Formula::atom_of(Expression::of(Expression::Kind::less_equal,
                                         {Expression::constant_of(*result.bound), _properties[i].bound_of}))});
  Evidence evidence = finder.show(formula, result.is_upper_bound || result.verdict == Verdict::holds);
  if (evidence.has_path()) result.witness = std::move(evidence);
}

bool Answering::can_show(std::size_t i) const {
  if (_space->is_complete || _properties[i].is_upper_bound) return true;
  return Agenda::is_shown_by_search(_properties[i].formula) && _agenda.is_decided(i, _found, false);
}

void Answering::leave_open(const std::string& reason) {
  for (PropertyResult& result : _answers.properties) {
    if (!is_settled(result)) result.reason = reason;
    if (is_settled(result) && _options.witness && !result.witness) result.witness_reason = reason;
  }
}

}  // namespace dcheck
