// parse_cspl: text to tokens to program, which is run to build the net, and whose functions become guards, weights,
// definitions and the property `assert`.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "dcheck/base/sha256.hpp"
#include "dcheck/parse/model.hpp"
#include "parse/cspl/library.hpp"
#include "parse/cspl/marking_functions.hpp"
#include "parse/cspl/net_calls.hpp"
#include "parse/extended/conditions.hpp"
#include "parse/extended/translate.hpp"
#include "parse/nearest.hpp"
#include "parse/parameters.hpp"

namespace dcheck {
namespace parse::cspl {
namespace {

constexpr Tokens no_error = 0, error = 1;

/// Functions that SPNP calls by itself.
constexpr std::array special{"options", "parameters", "net", "assert", "ac_init", "ac_reach", "ac_final", "main"};

class Elaborator {
 public:
  Elaborator(const SourceText& source, const ParameterTexts& texts)
      : _source(source),
        _tokenized(tokenize(source, texts)),
        _program(parse_program(source, _tokenized.tokens)),
        _given(texts, declared()),
        _calls(source),
        _ways(source),
        _interpreter(
            source, _program,
            {[this](Call& call) { return outside(call); }, [](const std::string& name) { return constant(name); }},
            [this](const Expression& condition, Offset at) { return _ways.decide(condition, at); }),
        _functions(_interpreter, _ways, source) {}

  Model all() {
    _calls.net.name = name_of_file(_source.file());
    _calls.net.is_without_vanishing = true;
    _interpreter.begin([this](const std::string& name) { return _given.value(name); });
    run("parameters", false);
    run("options", false);
    run("net", true);
    if (_calls.net.places.empty())
      throw InputError(_source.file(), {}, "the net has no place: expected at least one call of 'place'");
    _interpreter.keep_globals();
    _looks_at_markings = true;
    add_functions();
    _translation = translated(_calls.net, _source);
    Model model;
    model.sha256 = sha256_hex(_source.text());
    model.parameters = parameters();
    add_definitions(model);
    add_assert(model);
    model.net = std::move(_translation.net);
    return model;
  }

 private:
  std::vector<std::string> declared() const {
    std::vector<std::string> names;
    for (const Parameter& constant : _tokenized.constants) names.push_back(constant.name);
    for (const Declaration& global : _program.globals)
      if (global.dimensions.empty() && global.type != Base::character) names.push_back(global.name);
    return names;
  }

  void run(const char* name, bool is_required) {
    const auto function = _program.function_named.find(name);
    if (function != _program.function_named.end()) {
      _interpreter.call(*function->second, {}, function->second->at);
    } else if (is_required) {
      throw InputError(_source.file(), {}, fmt::format("no function '{}', which builds the net", name));
    }
  }

  Value outside(Call& call) {
    if (call.name == "mark" || call.name == "enabled" || call.name == "rate") return asked(call);
    if (!_looks_at_markings && _calls.run(call, _interpreter.arithmetic())) return {};
    if (auto value = call_library(call, _interpreter.arithmetic(), _source, _looks_at_markings))
      return std::move(*value);
    NearestName nearest(call.name);
    for (const std::string_view name : NetCalls::names()) nearest.consider(name);
    for (const auto& function : _program.functions) nearest.consider(function->name);
    _source.fail(call.at, fmt::format("unknown function '{}'{}", shown(call.name), nearest.suggestion()));
  }

  /// What a function asks of the marking.
  Value asked(const Call& call) {
    require_arguments(call, 1, _source);
    const std::string& name = text_argument(call, 0, _source);
    if (!_looks_at_markings)
      _source.fail(call.at, fmt::format("'{}' has no value while the net is built: expected it in a function that is "
                                        "given to guard, viarc ...",
                                        call.name));
    if (call.name == "rate") _source.fail(call.at, "'rate' is not supported where a marking is looked at");
    if (call.name == "mark") return SymbolicNumber{Expression::tokens_in(_calls.place_named(name, call.at)), false};
    return SymbolicTruth{Expression::fireable_of(_calls.transition_named(name, call.at))};
  }

  static std::optional<Value> constant(const std::string& name) {
    if (name == "VAL_YES" || name == "RES_ERROR") return Tokens{error};
    if (name == "VAL_NO" || name == "RES_NOERR" || name == "NULL") return Tokens{no_error};
    if (name == "INFINITY") return std::numeric_limits<double>::infinity();
    for (const std::string_view prefix : {"IOP_", "FOP_", "VAL_", "PR", "std"})
      if (name.starts_with(prefix)) return std::make_shared<Text>(Text{name, 0, false});
    return std::nullopt;
  }

  static bool asks_enabledness(const Expression& expression) {
    return expression.kind == Expression::Kind::fireable || std::ranges::any_of(expression.children, asks_enabledness);
  }

  Expression predicate(const Function& function) {
    Expression predicate = _functions.predicate(function);
    if (asks_enabledness(predicate))
      _source.fail(function.at, fmt::format("function '{}' asks which transitions are enabled, which a guard cannot",
                                            shown(function.name)));
    return predicate;
  }

  void add_functions() {
    ExtendedNet& net = _calls.net;
    for (const NetCalls::Guard& guard : _calls.guards)
      net[guard.transition].guards.push_back(predicate(*guard.function));
    if (_calls.goes_on != nullptr) net.goes_on = predicate(*_calls.goes_on);
    for (const NetCalls::FunctionArc& arc : _calls.function_arcs) {
      VariableArc made{arc.place, {}, arc.at};
      for (auto& [condition, weight] : _functions.numbers(*arc.weight)) {
        if (asks_enabledness(condition))
          _source.fail(arc.at, fmt::format("function '{}' asks which transitions are enabled, which a weight cannot",
                                           shown(arc.weight->name)));
        made.cases.push_back({std::move(condition), std::move(weight)});
      }
      ExtendedTransition& t = net[arc.transition];
      auto& arcs = arc.kind == NetCalls::FunctionArc::Kind::input    ? t.variable_inputs
                   : arc.kind == NetCalls::FunctionArc::Kind::output ? t.variable_outputs
                                                                     : t.variable_inhibitors;
      arcs.push_back(std::move(made));
    }
  }

  /// Enabledness of a transition of the file is that of what became of it.
  Expression translated_predicate(Expression expression) const {
    if (expression.kind == Expression::Kind::fireable) {
      std::vector<Expression> either;
      for (const Transition t : _translation.became[index(expression.transition)])
        either.push_back(Expression::fireable_of(t));
      return any_of(std::move(either));
    }
    for (Expression& child : expression.children) child = translated_predicate(std::move(child));
    return expression;
  }

  std::vector<Parameter> parameters() const {
    std::vector<Parameter> all = _tokenized.constants;
    for (const Declaration& global : _program.globals) {
      if (!global.dimensions.empty() || global.type != Base::integer || global.initializer.empty()) continue;
      const Expr& written = global.initializer[0];
      if (written.kind != Expr::Kind::integer) continue;
      all.push_back({global.name, _given.value(global.name).value_or(written.integer)});
    }
    return all;
  }

  /// Functions that are predicates or numbers of a marking, for formulas. Those that are neither are left out.
  void add_definitions(Model& model) {
    std::set<std::string> taken;
    for (const Parameter& parameter : model.parameters) taken.insert(parameter.name);
    for (const auto& function : _program.functions) {
      if (std::ranges::find(special, function->name) != special.end() || !function->parameters.empty()) continue;
      if (function->type == Base::nothing || function->returns_text || taken.contains(function->name)) continue;
      if (_calls.net.find_place(function->name) || _calls.net.find_transition(function->name)) continue;
      try {
        add_definition(*function, model);
      } catch (const InputError&) {
        continue;  // it computes a rate, or does something else that no formula can use
      }
    }
  }

  void add_definition(const Function& function, Model& model) {
    const std::vector<std::pair<Expression, Expression>> cases = _functions.numbers(function);
    Definition definition;
    definition.name = function.name;
    const auto is_truth = [](const auto& one) {
      return one.second.kind == Expression::Kind::constant && (one.second.value == 0 || one.second.value == 1);
    };
    if (std::ranges::all_of(cases, is_truth)) {
      definition.formula = Formula::atom_of(translated_predicate(_functions.predicate(function)));
    } else if (cases.size() == 1 && cases[0].first.kind == Expression::Kind::always) {
      definition.is_number = true;
      definition.number = cases[0].second;
    } else {
      return;
    }
    model.definitions.push_back(std::move(definition));
  }

  void add_assert(Model& model) {
    const auto function = _program.function_named.find("assert");
    if (function == _program.function_named.end() || function->second->type == Base::nothing) return;
    // Real files leave it empty: what returns nothing finds no error.
    const Expression wrong = _functions.predicate(*function->second, true);
    if (wrong.kind == Expression::Kind::never) return;
    Expression right = negation(translated_predicate(wrong));
    model.checks.push_back({"assert",
                            "AG assert() == RES_NOERR",
                            Formula::of(Formula::Kind::ag, {Formula::atom_of(std::move(right))}),
                            false,
                            {}});
  }

  const SourceText& _source;
  Tokenized _tokenized;
  Program _program;
  GivenParameters _given;
  NetCalls _calls;
  Ways _ways;
  Interpreter _interpreter;
  MarkingFunctions _functions;
  Translation _translation;
  bool _looks_at_markings = false;
};

}  // namespace
}  // namespace parse::cspl

Model parse_cspl(std::string_view text, const std::string& file, const ParameterTexts& parameters) {
  const parse::SourceText source(text, file);
  source.require_utf8();
  return parse::cspl::Elaborator(source, parameters).all();
}

}  // namespace dcheck
