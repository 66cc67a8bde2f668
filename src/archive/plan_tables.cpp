#include "archive/plan_tables.hpp"

#include <algorithm>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

NumberTable key_table(const Plan& plan) {
  NumberTable table{"plan/key", 4, {}};
  for (std::size_t i = 0; i < plan.key_places().size(); ++i) {
    const StoredField& field = plan.layout().stored_field(i);
    table.numbers.insert(table.numbers.end(), {static_cast<std::int64_t>(index(plan.key_places()[i])), field.word,
                                               field.shift, field.width});
  }
  return table;
}

NumberTable lane_table(const Plan& plan) {
  NumberTable table{"plan/lanes", plan.leaf().size(), {}};
  if (plan.leaf().empty()) return table;
  for (const LeafMarking& lane : plan.lanes().lanes)
    table.numbers.insert(table.numbers.end(), lane.begin(), lane.end());
  return table;
}

}  // namespace

std::vector<NumberTable> tables_of(const Plan& plan) {
  NumberTable leaf{"plan/leaf", 1, {}}, dependent{"plan/dependent", 4, {}}, terms{"plan/terms", 2, {}};
  for (const Place place : plan.leaf()) leaf.numbers.push_back(static_cast<std::int64_t>(index(place)));
  for (const Dependent& one : plan.dependents()) {
    dependent.numbers.insert(dependent.numbers.end(), {static_cast<std::int64_t>(index(one.place)), one.scale,
                                                       one.constant, static_cast<std::int64_t>(one.terms.size())});
    for (const LinearForm::Term& term : one.terms)
      terms.numbers.insert(terms.numbers.end(), {static_cast<std::int64_t>(index(term.place)), term.coefficient});
  }
  return {key_table(plan), std::move(leaf), lane_table(plan), std::move(dependent), std::move(terms)};
}

void write_plan(H5Writer& file, const Plan& plan) {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < plan.net().place_count(); ++p) names.push_back(plan.net().name(static_cast<Place>(p)));
  file.add_group("plan");
  file.put_texts("plan/places", names);
  for (const NumberTable& table : tables_of(plan)) file.put_numbers(table.name, table.numbers, table.width);
}

void expect_plan(const H5Reader& file, const Plan& plan) {
  const auto is_same = [&](const NumberTable& table) { return file.numbers(table.name) == table.numbers; };
  if (!std::ranges::all_of(tables_of(plan), is_same))
    throw InputError(file.path(), {},
                     "its rows are laid out otherwise than this dcheck would: it was written by another version");
}

}  // namespace dcheck
