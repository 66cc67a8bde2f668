#pragma once
// Nets and what is made of them, for Boost.Serialization: rank 0 reads a model, the others get it whole.
// Every program that writes them reads them back itself, so there are no versions.

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <optional>

#include "dcheck/net/structure.hpp"

namespace dcheck {

/// Not every version of Boost that we build with has archives for std::optional.
template <typename Archive, typename T>
void serialize_optional(Archive& archive, std::optional<T>& value) {
  bool is_there = value.has_value();
  archive& is_there;
  if (!is_there)
    value.reset();
  else
    archive&(value ? *value : value.emplace());
}

template <typename Archive, typename T>
void serialize_optionals(Archive& archive, std::vector<std::optional<T>>& values) {
  std::size_t count = values.size();
  archive& count;
  values.resize(count);
  for (std::optional<T>& value : values) serialize_optional(archive, value);
}

template <typename Archive>
void serialize(Archive& archive, Arc& arc, unsigned) {
  archive& arc.place& arc.weight;
}

template <typename Archive>
void serialize(Archive& archive, Unit& unit, unsigned) {
  archive& unit.name& unit.places& unit.subunits;
}

template <typename Archive>
void serialize(Archive& archive, Expression& expression, unsigned) {
  archive& expression.kind& expression.value& expression.place& expression.transition& expression.children;
}

template <typename Archive>
void serialize(Archive& archive, LinearForm::Term& term, unsigned) {
  archive& term.place& term.coefficient;
}

template <typename Archive>
void serialize(Archive& archive, Invariant& invariant, unsigned) {
  archive& invariant.terms& invariant.constant;
}

template <typename Archive>
void serialize(Archive& archive, Structure& structure, unsigned) {
  archive& structure.invariants& structure.semiflows& structure.semiflows_of& structure.dead;
  serialize_optionals(archive, structure.bounds);
}

template <typename Archive>
void serialize(Archive& archive, UnboundedEvidence& evidence, unsigned) {
  archive& evidence.place& evidence.prefix& evidence.pump;
}

template <typename Archive>
void serialize(Archive& archive, Family& family, unsigned) {
  archive& family.name& family.is_coloured;
}

template <typename Id>
template <typename Archive>
void Families<Id>::serialize(Archive& archive, unsigned) {
  archive& _families& _members& _family_of;
}

template <typename Archive>
void Net::Runs::serialize(Archive& archive, unsigned) {
  archive& arcs& begin;
}

template <typename Archive>
void Net::serialize(Archive& archive, unsigned) {
  archive& _name& _place_names& _transition_names& _positions& _initial;
  archive& _pre& _post& _inhibitors& _effect;
  serialize_optionals(archive, _guards);
  serialize_optionals(archive, _rates);
  archive& _bindings& _place_families& _transition_families;
  archive& _units& _has_guards& _units_claim_safe;
  if constexpr (Archive::is_loading::value) {
    _place_index = NameIndex(_place_names);
    _transition_index = NameIndex(_transition_names);
  }
}

}  // namespace dcheck
