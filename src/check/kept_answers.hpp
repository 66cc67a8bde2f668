#pragma once
// Answers so far, and the labels they come from, as something that can be kept beside the states and be gone on with.

#include <span>
#include <string>

#include "dcheck/check/check.hpp"
#include "dcheck/explore/explore.hpp"
#include "dcheck/label/labelling.hpp"

namespace dcheck {

/// Its name among the parts that are kept.
inline constexpr const char* answers_part = "answers";

/// What is known of labels but the sets, and of properties what is settled.
std::string bytes_of_answers(const LabelsSoFar& labels, const Answers& answers);
/// Fills in what was settled; of labels everything but the sets.
LabelsSoFar answers_of_bytes(const std::string& bytes, Answers& answers);

/// The sets of labels beside rows, under names by which they are found again. All must outlive the columns.
std::vector<SetColumn> columns_of(const LabelsSoFar& labels, const Operators& operators);
/// A set of states beside rows.
SetColumn column_of(const std::string& name, const StateSet& set, const Operators& operators);

/// Collective: the sets that were kept with these states, made again for these operators.
void restore_sets(StateKeeper& keeper, const StateSpace& space, Operators& operators, LabelsSoFar& labels);

}  // namespace dcheck
