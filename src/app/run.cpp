#include "app/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <set>

#include "app/joint_progress.hpp"
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

std::vector<Place> places_named(const char* option, const std::vector<std::string>& wanted, const Net& net) {
  std::vector<Place> places;
  for (const std::string& name : wanted) {
    const auto place = net.find_place(name);
    if (!place) {
      std::vector<std::string> names;
      for (std::size_t p = 0; p < net.place_count(); ++p) names.push_back(net.name(static_cast<Place>(p)));
      const std::string close = nearest(name, names);
      throw InputError(fmt::format("dcheck: {}: the net has no place '{}'{}", option, name,
                                   close.empty() ? "" : ", did you mean '" + close + "'?"));
    }
    if (std::find(places.begin(), places.end(), *place) != places.end())
      throw InputError(fmt::format("dcheck: {}: place '{}' is named twice", option, name));
    places.push_back(*place);
  }
  return places;
}

/// Collective: what each rank may use where the user has not said. The same on all ranks, so the machine that has the
/// least for each of its ranks decides.
std::optional<std::uint64_t> default_memory_bytes(Cluster& cluster) {
  constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
  const std::optional<std::uint64_t> allowed = allowed_memory_bytes();
  std::uint64_t share[] = {allowed ? share_of_memory(*allowed, cluster.transport().ranks_on_host()) : unknown};
  cluster.agree(share, Combine::min);
  return share[0] == unknown ? std::nullopt : std::optional(share[0]);
}

/// Nothing could be explored: everything asked is unknown, not lost.
CheckOutcome stopped(const Task& task, const std::string& reason, int signal = 0) {
  CheckOutcome outcome;
  outcome.stop_signal = outcome.exploration.stop_signal = signal;
  if (task.options.test) outcome.test = TestResult{.kind = task.options.test->kind, .reason = reason};
  outcome.exploration.stop_reason = reason;
  for (const Property& property : task.properties) {
    PropertyResult result{.id = property.id, .formula = property.text, .reason = reason};
    result.is_upper_bound = property.is_upper_bound;
    outcome.properties.push_back(std::move(result));
  }
  return outcome;
}

/// Collective. Why there is none is a line on stderr.
void hand_graph_over(const Task& task, const CheckOutcome& outcome, Ranks& ranks,
                     const std::function<void(const StateGraph&)>& use_graph) {
  const Exploration& found = outcome.exploration;
  std::string reason = "not all states were explored";
  if (found.complete) {
    try {
      const Tokens most = *std::max_element(found.max_tokens.begin(), found.max_tokens.end());
      const auto graph = gather_graph(*outcome.space, found.states, task.export_states, most);
      if (graph) use_graph(*graph);
      return;
    } catch (const ResourceError& error) {
      if (!ranks.is_agreed(error)) throw;
      reason = error.what();
    }
  }
  if (ranks.rank() == rank_0) fmt::print(stderr, "dcheck: --export: nothing was written: {}\n", reason);
}

CheckOutcome check_on(const Task& task, const CheckOptions& options, Ranks& ranks) {
  try {
    return check(task.net, task.properties, options, ranks);
  } catch (const InputError& error) {
    const bool is_about_file = std::string_view(error.what()).starts_with(task.states.from);
    if (!task.states.from.empty() && is_about_file) throw;
    throw InputError(fmt::format("dcheck: --lanes: {}", error.what()));
  } catch (const ResourceError& error) {
    if (!ranks.is_agreed(error)) throw;
    return stopped(task, error.what(), error.signal());
  } catch (const std::bad_alloc& error) {
    if (!ranks.is_agreed(error)) throw;
    return stopped(task, "the machine has no more memory to give");
  }
}

/// Whether the same command has nothing more to find out.
bool is_finished(const CheckOutcome& outcome) {
  const Exploration& exploration = outcome.exploration;
  const bool is_explored = exploration.complete || exploration.is_enough || exploration.unbounded;
  return is_explored && outcome.stop_signal == 0 && outcome.stop_reason.empty() && outcome.save_failure.empty();
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
  return is_asked || options.no_checks || options.test ? asked : model.checks;
}

std::optional<TestChoice> test_asked(const Options& options, const Model& model) {
  if (!options.test) return std::nullopt;
  if (!is_about_eating(*options.test)) return TestChoice{*options.test};
  for (const Definition& definition : model.definitions)
    if (definition.name == "eating" && !definition.is_number) return TestChoice{*options.test, definition.formula};
  throw InputError(
      fmt::format("dcheck: --test {}: the model has no predicate 'eating', which 'let eating = ...;' defines",
                  name_of(*options.test)));
}

Task task_of(const Options& options, const Net& net) {
  Task task;
  task.options.explore.lanes = {options.lanes, places_named("--lanes", options.lane_places, net)};
  task.options.explore.allocation = {options.allocation, places_named("--allocation", options.allocation_places, net)};
  task.options.au = options.au;
  task.options.local = options.local;
  task.options.graph = options.graph;
  task.options.explore.limits = options.limits;
  task.options.explore.levels = options.levels;
  task.options.explore.store = options.rows.store;
  task.options.explore.order = options.rows.order;
  task.options.explore.waiting = options.rows.waiting;
  task.options.explore.masks = options.rows.masks;
  task.options.sat_counts = options.sat_counts;
  task.options.witness = options.witness;
  task.options.full = options.full;
  task.exchange = options.exchange;
  if (!options.exports.targets.empty()) task.export_states = options.exports.most_states;
  task.states = options.states;
  return task;
}

Outcome check_together(const Task& task, const RunRecord& record, Cluster& cluster, const Wishes& wishes,
                       const Showing& showing) {
  CheckOptions options = task.options;
  Limits& limits = options.explore.limits;
  if (!limits.max_memory_bytes) {
    limits.max_memory_bytes = default_memory_bytes(cluster);
    limits.is_machines_memory = true;
  }
  // What ranks of one process use is what the process uses.
  if (limits.max_memory_bytes)
    *limits.max_memory_bytes *= static_cast<std::uint64_t>(cluster.transport().ranks_in_process());
  limits.stop = wishes.stop;
  cluster.notes().share(wishes.stop);
  cluster.transport().set_dead_after(task.exchange.dead_after_seconds);
  if (task.exchange.delay_ms != 0) cluster.set_delay(task.exchange.delay_ms * 1'000'000);
  ProgressPrinter printer(stderr, ProgressPrinter::style_for(stderr, !showing.shows_progress),
                          limits.max_memory_bytes.value_or(0));
  std::function<void(const Progress&)> show;
  if (showing.shows_progress) show = [&printer](const Progress& progress) { printer.show(progress); };
  JointProgress progress(cluster, std::move(show));
  options.explore.progress = [&progress](const Progress& own) { progress.note(own); };
  Ranks ranks(cluster, task.exchange);
  const auto say = [&](const std::string& line) {
    if (ranks.rank() == rank_0) fmt::print(stderr, "dcheck: {}\n", line);
  };
  FileKeeper keeper(task.states, record, ranks, wishes.checkpoint, say);
  if (task.states.is_used()) limits.keeper = &keeper;
  Outcome outcome{check_on(task, options, ranks)};
  if (task.export_states != 0) hand_graph_over(task, outcome, ranks, showing.use_graph);
  if (is_finished(outcome)) keeper.remove_checkpoint();
  outcome.checkpoints = keeper.checkpoints();
  outcome.keeping_seconds = keeper.seconds();
  outcome.has_checkpoint = keeper.has_checkpoint();
  return outcome;
}

void write_to_stdout(std::string_view text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!is_written || std::fflush(stdout) != 0)
    throw ResourceError(fmt::format("stdout could not be written: {}", std::strerror(errno)));
}

std::vector<std::string> inputs_of(const Options& options) {
  std::vector<std::string> inputs = options.formula_files;
  for (const std::string& input : {options.model, options.states.from, options.states.checkpoint})
    if (!input.empty()) inputs.push_back(input);
  return inputs;
}

Output::Output(const Options& options)
    : _is_json_on_stdout(options.json == "-"), _detail(options.verbose ? Detail::full : Detail::brief) {
  if (options.json.empty() || _is_json_on_stdout) return;
  _json.emplace("--json", options.json, inputs_of(options));
}

bool Output::write(const RunReport& report, Order order) {
  return write([&] { return text_report(report, _detail); }, [&] { return json_report(report); }, order);
}

bool Output::write(const MakeText& text, const MakeText& json, Order order) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader who has left is no reason to lose what others are to read
  bool is_all_written = true;
  const auto try_to = [&](const auto& write_one) {
    try {
      write_one();
    } catch (const ResourceError& error) {
      fmt::print(stderr, "dcheck: {}\n", error.what());
      is_all_written = false;
    } catch (const std::bad_alloc&) {
      fmt::print(stderr, "dcheck: the machine has no memory left for the report\n");
      is_all_written = false;
    }
  };
  const auto write_file = [&] { _json->write(json()); };
  const bool is_text_wanted = !_is_json_on_stdout && !(_json && _json->is_stdout());
  if (_json && order == Order::file_first) try_to(write_file);
  if (is_text_wanted) try_to([&] { write_to_stdout(text()); });
  if (_is_json_on_stdout) try_to([&] { write_to_stdout(json()); });
  if (_json && order == Order::stdout_first) try_to(write_file);
  return is_all_written;
}

}  // namespace dcheck
