// What answers keep in files, and go on from: labels in the midst of a labelling, and at the end the sets of states
// that satisfy the properties.

#include "check/answering.hpp"
#include "check/kept_answers.hpp"

namespace dcheck {

bool Answering::is_saving() const {
  return keeper() != nullptr && keeper()->is_saving() && _space->is_complete;
}

bool Answering::is_break_due() const {
  return keeper() != nullptr && keeper()->is_due();
}

RunLimit Answering::limit_with_breaks(LimitCheck& limit) const {
  RunLimit with = limit.run_limit();
  with.is_break_due = [this] { return is_break_due(); };
  return with;
}

bool Answering::has_answers() const {
  return keeper() != nullptr && keeper()->has_states() && keeper()->parts().contains(answers_part);
}

void Answering::take_answers() {
  _ranks.together([&] { _left = answers_of_bytes(keeper()->parts().at(answers_part), _answers); });
}

void Answering::go_on_with_labels(Operators& operators, Labelling& labels) {
  if (!_left) return;
  LabelsSoFar known{_left->constants, _left->decided, {}, {}, _left->all_return};
  restore_sets(*keeper(), *_space, operators, known);
  labels.begin_with(std::move(known));
}

void Answering::keep_answers(const LabelsSoFar& labels, const Operators* operators) {
  if (keeper() == nullptr || !keeper()->keeps_checkpoints() || !_space->is_complete) return;
  std::vector<SetColumn> columns;
  if (operators != nullptr) columns = columns_of(labels, *operators);
  KeptParts parts{{search_part, _search}};
  parts[answers_part] = bytes_of_answers(labels, _answers);
  _is_kept = keeper()->keep(*_space, parts, std::move(columns));
}

void Answering::keep_labels(Operators& operators, const Labelling& labels) {
  const LabelsSoFar known = labels.so_far();
  keep_answers(known, &operators);
  std::uint64_t size = _next + known.constants.size() + known.decided.size() + known.columns.size();
  for (const auto& [id, set] : known.growing) size += operators.size(set);
  if (size == _known && keeper() != nullptr) keeper()->wait_longer();
  _known = size;
}

void Answering::add_saved_set(std::size_t i, Operators& operators, Labelling& labels) {
  if (!is_saving() || _properties[i].is_upper_bound) return;
  _sets.insert_or_assign(i, operators.copy_of(labels.sat(_agenda.root(i))));
}

void Answering::save_states(const Operators* operators) {
  if (keeper() == nullptr || !keeper()->is_saving() || _answers.stop_signal != 0) return;
  if (!_space->is_complete) {
    _answers.save_failure = "not all states were reached, nothing was written";
    return;
  }
  std::vector<SetColumn> columns;
  if (operators != nullptr)
    for (const auto& [i, set] : _sets) columns.push_back(column_of(_properties[i].id, set, *operators));
  try {
    keeper()->save(*_space, {{search_part, _search}}, std::move(columns));
  } catch (const ResourceError& error) {
    if (!_ranks.is_agreed(error)) throw;
    _answers.save_failure = error.what();
  }
  _is_saved = true;
  _sets.clear();
}

}  // namespace dcheck
