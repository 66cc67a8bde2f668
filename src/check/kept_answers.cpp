#include "check/kept_answers.hpp"

#include <boost/serialization/map.hpp>
#include <boost/serialization/vector.hpp>

#include "dcheck/net/serialize.hpp"
#include "dcheck/ranks/share.hpp"

namespace dcheck {

namespace {

constexpr const char* column_name = "column ";
constexpr const char* growing_name = "growing ";

struct KeptResult {
  Verdict verdict = Verdict::unknown;
  std::optional<Tokens> bound;
  std::optional<std::uint64_t> sat_states;
  double seconds = 0;

  template <typename Archive>
  void serialize(Archive& archive, unsigned) {
    archive& verdict& seconds;
    serialize_optional(archive, bound);
    serialize_optional(archive, sat_states);
  }
};

struct KeptAnswers {
  std::map<CoreId, bool> constants, decided;
  Truth all_return = Truth::unknown;
  std::vector<KeptResult> results;
  std::size_t decided_locally = 0;

  template <typename Archive>
  void serialize(Archive& archive, unsigned) {
    archive& constants& decided& all_return& results& decided_locally;
  }
};

}  // namespace

std::string bytes_of_answers(const LabelsSoFar& labels, const Answers& answers) {
  KeptAnswers kept{labels.constants, labels.decided, labels.all_return, {}, answers.labels.decided_locally};
  for (const PropertyResult& result : answers.properties)
    kept.results.push_back({result.verdict, result.bound, result.sat_states, result.seconds});
  return to_bytes(kept);
}

LabelsSoFar answers_of_bytes(const std::string& bytes, Answers& answers) {
  KeptAnswers kept;
  from_bytes(bytes, kept);
  for (std::size_t i = 0; i < answers.properties.size() && i < kept.results.size(); ++i) {
    PropertyResult& result = answers.properties[i];
    const KeptResult& known = kept.results[i];
    if (result.verdict == Verdict::unknown) result.verdict = known.verdict;
    if (!result.bound) result.bound = known.bound;
    result.sat_states = known.sat_states;
    result.seconds = known.seconds;
  }
  answers.labels.decided_locally = kept.decided_locally;
  LabelsSoFar labels;
  labels.constants = std::move(kept.constants);
  labels.decided = std::move(kept.decided);
  labels.all_return = kept.all_return;
  return labels;
}

SetColumn column_of(const std::string& name, const StateSet& set, const Operators& operators) {
  return {name, [&](Row row, std::uint64_t* to) { operators.write_lanes(set, row, to); }};
}

std::vector<SetColumn> columns_of(const LabelsSoFar& labels, const Operators& operators) {
  std::vector<SetColumn> columns;
  for (const auto& [id, set] : labels.columns)
    columns.push_back(column_of(column_name + std::to_string(id), set, operators));
  for (const auto& [id, set] : labels.growing)
    columns.push_back(column_of(growing_name + std::to_string(id), set, operators));
  return columns;
}

void restore_sets(StateKeeper& keeper, const StateSpace& space, Operators& operators, LabelsSoFar& labels) {
  std::vector<StateSet*> sets;
  for (const std::string& name : keeper.columns()) {
    const bool is_growing = name.starts_with(growing_name);
    const std::string number = name.substr(std::string(is_growing ? growing_name : column_name).size());
    auto& of_kind = is_growing ? labels.growing : labels.columns;
    sets.push_back(&of_kind.emplace(static_cast<CoreId>(std::stoul(number)), operators.empty_set()).first->second);
  }
  const ExploreState& state = space.state;
  const std::size_t words = space.plan->words();
  keeper.restore_columns(space, [&](const StreamedRow& row) {
    const Row here{state.slots ? state.slots->find(*row.key).value() : state.rows->find(row.key).value()};
    for (std::size_t i = 0; i < sets.size(); ++i) operators.set_lanes(*sets[i], here, row.masks + i * words);
  });
}

}  // namespace dcheck
