#include "app/run.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <new>
#include <set>

#include "app/memory.hpp"
#include "app/quantity.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/parse/formula.hpp"
#include "dcheck/report/progress.hpp"

namespace dcheck {
namespace {

Property deadlock_property() {
  Formula deadlock = Formula::atom_of(Expression::of(Expression::Kind::deadlock));
  return {"ReachabilityDeadlock", "EF deadlock", Formula::of(Formula::Kind::ef, {std::move(deadlock)}), false, {}};
}

void refuse_repeated_ids(const std::vector<Property>& properties) {
  std::set<std::string> ids;
  for (const Property& property : properties)
    if (!ids.insert(property.id).second)
      throw InputError(fmt::format("dcheck: the id '{}' is given to two properties", property.id));
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

/// Nothing could be explored: everything asked is unknown, not lost.
CheckOutcome stopped(const std::vector<Property>& properties, const std::string& reason) {
  CheckOutcome outcome;
  outcome.exploration.stop_reason = reason;
  for (const Property& property : properties) {
    PropertyResult result{.id = property.id, .formula = property.text, .reason = reason};
    result.is_upper_bound = property.is_upper_bound;
    outcome.properties.push_back(std::move(result));
  }
  return outcome;
}

}  // namespace

std::vector<Property> properties_asked(const Options& options, const Model& model) {
  std::vector<Property> asked;
  for (std::size_t i = 0; i < options.formulas.size(); ++i)
    asked.push_back(parse_property(options.formulas[i], fmt::format("ctl-{}", i + 1), model));
  for (const std::string& file : options.formula_files) {
    std::vector<Property> more = read_formulas(file, model);
    std::move(more.begin(), more.end(), std::back_inserter(asked));
  }
  if (options.deadlock) asked.push_back(deadlock_property());
  refuse_repeated_ids(asked);
  const bool is_asked = !options.formulas.empty() || !options.formula_files.empty() || options.deadlock;
  return is_asked || options.no_checks ? asked : model.checks;
}

CheckOutcome check_as_asked(const Options& options, const Net& net, const std::vector<Property>& properties) {
  ProgressPrinter printer(stderr, ProgressPrinter::style_for(stderr, options.quiet));
  CheckOptions how;
  how.explore.lanes = lane_choice(options, net);
  how.explore.limits = limits_with_default_memory(options.limits);
  how.explore.levels = options.levels;
  if (!options.quiet) how.explore.progress = [&printer](const Progress& progress) { printer.show(progress); };
  how.sat_counts = options.sat_counts;
  how.witness = options.witness;
  how.full = options.full;
  try {
    return check(net, properties, how);
  } catch (const InputError& error) {
    throw InputError(fmt::format("dcheck: --lanes: {}", error.what()));
  } catch (const ResourceError& error) {
    return stopped(properties, error.what());
  } catch (const std::bad_alloc&) {
    return stopped(properties, "the machine has no more memory to give");
  }
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
