#pragma once
// The names that a formula over a finished model may use.

#include "dcheck/parse/model.hpp"
#include "parse/expression/scope.hpp"

namespace dcheck::parse {

class FinishedNames : public NetNames {
 public:
  explicit FinishedNames(const Net& net) : _net(net) {}

  std::optional<Place> find_place(std::string_view name) const override { return _net.find_place(name); }
  std::optional<Transition> find_transition(std::string_view name) const override { return _net.find_transition(name); }
  std::optional<std::span<const Place>> colours_of(std::string_view place) const override;
  std::optional<std::span<const Transition>> bindings_of(std::string_view transition) const override;
  void for_each_place(const std::function<void(const std::string&)>& visit) const override;
  void for_each_transition(const std::function<void(const std::string&)>& visit) const override;

 private:
  const Net& _net;
};

/// Places, transitions, parameters and definitions. Refers to the model: it must outlive this.
class FormulaScope {
 public:
  explicit FormulaScope(const Model& model);
  FormulaScope(const FormulaScope&) = delete;
  FormulaScope& operator=(const FormulaScope&) = delete;

  Scope& scope() { return _scope; }

 private:
  FinishedNames _names;
  Scope _scope;
};

}  // namespace dcheck::parse
