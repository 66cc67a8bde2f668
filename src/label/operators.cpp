#include "dcheck/label/operators.hpp"

#include <algorithm>
#include <stdexcept>

#include "dcheck/base/bits.hpp"
#include "label/make_row_operators.hpp"

namespace dcheck {

StateSet Operators::empty_set() {
  // All ranks took and gave back the same number of sets: either all have one left over or none has.
  if (sets().has_some()) return sets().empty_set();
  StateSet set;
  _ranks.together([&] { set = sets().empty_set(); });
  return set;
}

StateSet Operators::copy_of(const StateSet& set) {
  StateSet copy = empty_set();
  copy.assign(set);
  return copy;
}

void Operators::write_lanes(const StateSet& set, Row row, std::uint64_t* to) const {
  if (has_one_lane())
    *to = set.data()[bit_of(row) / 64] >> (bit_of(row) % 64) & 1;
  else
    std::copy_n(set.mask(index(row)), set.mask_words(), to);
}

void Operators::set_lanes(StateSet& set, Row row, const std::uint64_t* lanes) const {
  if (!has_one_lane()) return set.set_mask(index(row), lanes);
  std::uint64_t& word = set.data()[bit_of(row) / 64];
  word = (word & ~(std::uint64_t{1} << (bit_of(row) % 64))) | (*lanes & 1) << (bit_of(row) % 64);
}

StateSet Operators::label(const Expression& predicate) {
  const Expression* const predicates[] = {&predicate};
  return std::move(label_all(predicates)[0]);
}

std::vector<StateSet> Operators::ex_all(Sets targets) {
  std::vector<StateSet> columns;
  for (const StateSet* target : targets) columns.push_back(ex(*target));
  return columns;
}

void Operators::keep_graph(LabellingStep&) {
  throw std::logic_error("only rows with many lanes keep their graph beside what they are walked by");
}

bool Operators::contains(const StateSet& set, std::span<const Tokens> marking) const {
  const StateSet* const in[] = {&set};
  bool is_in = false;
  _ranks.together([&] { is_in = (look_up_here(marking, in) & 2) != 0; });
  return _ranks.any(is_in);
}

Truth Operators::holds_of_all(const StateSet& set) const {
  std::uint64_t others[] = {set == reached() ? 0U : 1U, set.empty() ? 0U : 1U};
  _ranks.agree(others, Combine::max);
  if (others[0] != 0 && others[1] != 0) return Truth::unknown;
  return truth_of(others[0] == 0);
}

std::vector<std::uint64_t> Operators::look_up(std::span<const Marking> markings, Sets in) const {
  if (in.size() > 63) throw std::logic_error("too many sets to look a marking up in");
  std::vector<std::uint64_t> found(markings.size());
  _ranks.together([&] {
    for (std::size_t i = 0; i < markings.size(); ++i) found[i] = look_up_here(markings[i], in);
  });
  if (!found.empty()) _ranks.agree(found, Combine::max);  // only the owner of a marking found any bit
  return found;
}

std::vector<std::optional<std::uint64_t>> Operators::levels_of(const Levels& levels,
                                                               std::span<const Marking> markings) const {
  std::vector<const StateSet*> in{&levels.known};
  for (const StateSet& bits : levels.bits) in.push_back(&bits);
  std::vector<std::optional<std::uint64_t>> result;
  result.reserve(markings.size());
  for (const std::uint64_t found : look_up(markings, in))
    result.push_back((found & 2) != 0 ? std::optional(found >> 2) : std::nullopt);
  return result;
}

std::unique_ptr<Operators> make_portable_operators(const StateSpace& space, AuMethod au, const RunLimit& limit) {
  return make_row_operators<PortableBits>(space, au, limit);
}

std::unique_ptr<Operators> make_operators(const StateSpace& space, AuMethod au, const RunLimit& limit) {
  std::unique_ptr<Operators> operators;
  space.ranks.together([&] {
    operators = cpu_has_fast_bits() ? make_fast_operators(space, au, limit) : make_portable_operators(space, au, limit);
  });
  return operators;
}

}  // namespace dcheck
