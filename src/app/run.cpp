#include "app/run.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "app/memory.hpp"
#include "app/quantity.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/parse/formula.hpp"
#include "dcheck/report/progress.hpp"

namespace dcheck {
namespace {

Formula ef_deadlock() {
  Formula atom;
  atom.predicate = Expression::of(Expression::Kind::deadlock);
  Formula formula;
  formula.kind = Formula::Kind::ef;
  formula.children.push_back(std::move(atom));
  return formula;
}

bool says_deadlock(const Formula& formula) {
  return formula.kind == Formula::Kind::atom && formula.predicate.kind == Expression::Kind::deadlock;
}

bool says_no_deadlock(const Formula& formula) {
  if (formula.kind == Formula::Kind::negation) return says_deadlock(formula.children.front());
  return formula.kind == Formula::Kind::atom && formula.predicate.kind == Expression::Kind::negation &&
         formula.predicate.children.front().kind == Expression::Kind::deadlock;
}

LaneChoice lane_choice(const Options& options, const Net& net) {
  LaneChoice choice;
  choice.kind = options.lanes;
  for (const std::string& name : options.lane_places) {
    const auto place = net.find_place(name);
    if (!place) {
      std::vector<std::string> names;
      for (std::size_t p = 0; p < net.place_count(); ++p) names.push_back(net.name(static_cast<Place>(p)));
      const std::string close = nearest(name, names);
      throw InputError(fmt::format("dcheck: --lanes: the net has no place '{}'{}", name,
                                   close.empty() ? "" : ", did you mean '" + close + "'?"));
    }
    choice.places.push_back(*place);
  }
  return choice;
}

Limits limits_with_default_memory(Limits limits) {
  if (!limits.max_memory_bytes) {
    const auto allowed = allowed_memory_bytes();
    if (allowed) limits.max_memory_bytes = *allowed / 10 * 9;
  }
  return limits;
}

Exploration stopped(std::string reason) {
  Exploration found;
  found.stop_reason = std::move(reason);
  return found;
}

PropertyResult decide_one(const Property& property, const Exploration& found) {
  PropertyResult result;
  result.id = property.id;
  result.formula = property.text;
  result.is_upper_bound = property.is_upper_bound;
  const bool asks_for_deadlock = !property.is_upper_bound && property.formula.kind == Formula::Kind::ef &&
                                 says_deadlock(property.formula.children.front());
  const bool asks_for_none = !property.is_upper_bound && property.formula.kind == Formula::Kind::ag &&
                             says_no_deadlock(property.formula.children.front());
  if (!asks_for_deadlock && !asks_for_none) {
    result.reason = property.is_upper_bound ? "upper bounds are not decided by this version"
                                            : "CTL properties are not decided by this version";
  } else if (found.deadlocks > 0) {
    result.verdict = asks_for_deadlock ? Verdict::holds : Verdict::fails;
  } else if (found.complete) {
    result.verdict = asks_for_deadlock ? Verdict::fails : Verdict::holds;
  } else {
    result.reason = "not all states were reached: " + found.stop_reason;
  }
  return result;
}

}  // namespace

std::vector<Property> properties_asked(const Options& options, const Model& model) {
  std::vector<Property> asked;
  for (std::size_t i = 0; i < options.formulas.size(); ++i) {
    const std::string id = fmt::format("ctl-{}", i + 1);
    asked.push_back({id, options.formulas[i], parse_formula(options.formulas[i], id, model), false, {}});
  }
  if (options.deadlock) asked.push_back({"ReachabilityDeadlock", "EF deadlock", ef_deadlock(), false, {}});
  return asked.empty() && !options.no_checks ? model.checks : asked;
}

Exploration explore_as_asked(const Options& options, const Net& net) {
  ProgressPrinter printer(stderr, ProgressPrinter::style_for(stderr, options.quiet));
  ExploreOptions how{lane_choice(options, net), limits_with_default_memory(options.limits), {}};
  if (!options.quiet) how.progress = [&printer](const Progress& progress) { printer.show(progress); };
  try {
    return explore(net, how);
  } catch (const InputError& error) {
    throw InputError(fmt::format("dcheck: --lanes: {}", error.what()));
  } catch (const ResourceError& error) {
    return stopped(error.what());
  } catch (const std::bad_alloc&) {
    return stopped("the machine has no more memory to give");
  }
}

std::vector<PropertyResult> decide(const std::vector<Property>& properties, const Exploration& found) {
  std::vector<PropertyResult> results;
  results.reserve(properties.size());
  for (const Property& property : properties) results.push_back(decide_one(property, found));
  return results;
}

Output::Output(const std::string& json_target) : _json_target(json_target) {
  if (_json_target.empty() || _json_target == "-") return;
  _json_file.open(_json_target, std::ios::binary);
  if (!_json_file) {
    throw InputError(fmt::format("dcheck: --json: cannot write '{}': {}", _json_target, std::strerror(errno)));
  }
}

void Output::write(const RunReport& report) {
  if (_json_file.is_open()) {
    _json_file << json_report(report) << std::flush;
    if (!_json_file) throw ResourceError(fmt::format("--json: '{}' could not be written whole", _json_target));
  }
  const std::string text = _json_target == "-" ? json_report(report) : text_report(report);
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!is_written || std::fflush(stdout) != 0) throw ResourceError("stdout could not be written whole");
}

}  // namespace dcheck
