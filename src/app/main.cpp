// dcheck: options -> read model -> check -> report, then what went wrong as an exit code. Rank 0 reads and
// writes, the others get their task from it; a run that no launcher started is a cluster of one.

#include <fmt/format.h>

#include <new>
#include <optional>

#include "app/estimating.hpp"
#include "app/exit_code.hpp"
#include "app/memory.hpp"
#include "app/options.hpp"
#include "app/run.hpp"
#include "app/run_files.hpp"
#include "app/stop_signals.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/stopwatch.hpp"
#include "dcheck/comm/collectives.hpp"
#include "dcheck/comm/connect.hpp"

namespace dcheck {
namespace {

/// Collective: all ranks are told what to do, or that there is nothing to do.
void assign(Cluster& cluster, std::optional<Task>& task) {
  bool is_there = task.has_value();
  broadcast(cluster, is_there);
  if (!is_there) return;
  if (!task) task.emplace();
  broadcast(cluster, *task);
}

/// What stopped the run before everything was known; empty: nothing did.
std::string stop_line(const Outcome& outcome, double seconds) {
  const Exploration& exploration = outcome.exploration;
  if (outcome.stop_signal != 0 && outcome.has_checkpoint)
    return fmt::format("{} after {:.1f} s: the same command goes on from the checkpoint",
                       stopped_by(outcome.stop_signal), seconds);
  if (outcome.stop_signal != 0)
    return fmt::format("{} after {:.1f} s: what was not proven by then is unknown", stopped_by(outcome.stop_signal),
                       seconds);
  if (!exploration.complete && !exploration.is_enough) return "stopped: " + exploration.stop_reason;
  if (!outcome.stop_reason.empty()) return "stopped while checking: " + outcome.stop_reason;
  return "";
}

/// Ranks of one process have equal parts of it, as far as the system can tell.
std::uint64_t own_peak_bytes(Cluster& cluster) {
  return peak_rss_bytes() / static_cast<std::uint64_t>(cluster.transport().ranks_in_process());
}

ExitCode run(Cluster& cluster, StopSignals& signals, Options options) {
  const Stopwatch watch;
  expect_writable(options.states);
  Model model = model_asked(options);
  std::optional<Task> task = task_of(options, model.net);
  task->properties = properties_asked(options, model);
  RunRecord record;
  if (options.states.is_used()) record = record_of(options, model, task->properties);
  expect_own_checkpoint(options.states, record);
  model.text = {};
  task->options.test = test_asked(options, model);
  task->options.explore.start = watch.start();
  task->net = std::move(model.net);
  RunReport report{.version = DCHECK_VERSION, .net = &task->net, .model_sha256 = model.sha256};
  if (options.simulation) report.simulated_network = options.simulation->network.name;
  for (const Parameter& parameter : model.parameters) report.parameters.emplace_back(parameter.name, parameter.value);
  signals.ask_to_stop();
  Output output(options);
  GraphFiles graph_files(options.exports, model, inputs_of(options));
  assign(cluster, task);
  report.parse_seconds = watch.seconds();

  bool is_graph_written = !graph_files.are_asked();
  const auto write_graph = [&](const StateGraph& graph) { is_graph_written = graph_files.write(graph); };
  Outcome outcome = check_together(*task, record, cluster, signals.wishes(),
                                   {.shows_progress = !options.quiet, .use_graph = write_graph});
  const std::string line = stop_line(outcome, watch.seconds());
  report.peak_rss_bytes = gather(cluster, own_peak_bytes(cluster));
  report.exploration = std::move(outcome.exploration);
  report.properties = std::move(outcome.properties);
  report.test = std::move(outcome.test);
  report.labels = outcome.labels;
  report.check_seconds = outcome.seconds;
  report.resumed_from = options.states.from;
  report.checkpoints = outcome.checkpoints;
  report.keeping_seconds = outcome.keeping_seconds;
  report.ranks = std::move(outcome.ranks);
  for (std::size_t i = 0; i < report.ranks.size(); ++i) report.ranks[i].peak_rss_bytes = report.peak_rss_bytes[i];
  if (!line.empty()) fmt::print(stderr, "dcheck: {}\n", line);
  if (!outcome.save_failure.empty()) fmt::print(stderr, "dcheck: --save: {}\n", outcome.save_failure);

  report.total_seconds = watch.seconds();
  const bool is_stopped = outcome.stop_signal != 0;
  const bool is_written = output.write(report, is_stopped ? Output::Order::file_first : Output::Order::stdout_first);
  if (is_stopped) return outcome.has_checkpoint ? ExitCode::stopped : exit_code_of_signal(outcome.stop_signal);
  const ExitCode code = exit_code_of(report, task->properties.empty() || options.full);
  const bool is_all_written = is_written && is_graph_written && outcome.save_failure.empty();
  return is_all_written || code != ExitCode::all_hold ? code : ExitCode::unknown;
}

/// How the program was called.
struct Call {
  int argc;
  const char* const* argv;
  bool is_simulated = false;  // the ranks that --simulate asks for are those that run
};

int run_as_rank(Cluster& cluster, StopSignals& signals, const Call& call);

/// Runs everything again on ranks of this process. The exit code is that of their rank 0.
ExitCode simulate(const VirtualTimeOptions& options, StopSignals& signals, Call call) {
  call.is_simulated = true;
  int code = 0;
  run_in_virtual_time(options, [&](Transport& transport) {
    Cluster cluster(transport);
    const int of_rank = run_as_rank(cluster, signals, call);
    if (cluster.rank() == rank_0) code = of_rank;
  });
  return static_cast<ExitCode>(code);
}

/// What rank 0 does.
ExitCode lead(Cluster& cluster, StopSignals& signals, const Call& call) {
  signals.end_at_once();
  const CommandLine command_line = read_command_line(call.argc, call.argv);
  const auto& simulation = command_line.options.simulation;
  const bool simulates = simulation && !call.is_simulated && !command_line.answer;
  if (simulates && cluster.size() > 1)
    throw InputError("dcheck: --simulate runs all ranks in one process: leave mpirun or srun out");
  const bool estimates = !command_line.answer && command_line.options.exports.estimate.has_value();
  if (!command_line.answer && !simulates && !estimates) return run(cluster, signals, command_line.options);
  std::optional<Task> nothing;
  assign(cluster, nothing);
  if (estimates && !simulates) {
    signals.ask_to_stop();
    return write_estimate(command_line.options, cluster, signals.request()) ? ExitCode::all_hold : ExitCode::unknown;
  }
  if (simulates) return simulate(*simulation, signals, call);
  write_to_stdout(*command_line.answer);
  return ExitCode::all_hold;
}

/// What every other rank does. Rank 0 alone has an exit code: mpirun and srun then give that one.
void follow(Cluster& cluster, StopSignals& signals) {
  std::optional<Task> task;
  assign(cluster, task);
  if (!task) return;
  const Outcome outcome = check_together(*task, {}, cluster, signals.wishes(), {});
  gather(cluster, own_peak_bytes(cluster));
}

/// Tells the others about the exception that is being handled here, and returns what is decided.
Failure fail(Cluster& cluster) {
  const auto end = [&](const std::string& message, ExitCode code) {
    return cluster.fail(message, static_cast<int>(code));
  };
  try {
    throw;
  } catch (const RemoteFailure& remote) {
    return remote.failure;
  } catch (const InputError& error) {
    return end(fmt::format("{}{}{}", error.what(), error.excerpt().empty() ? "" : "\n", error.excerpt()),
               ExitCode::bad_input);
  } catch (const ResourceError& error) {
    if (error.signal() != 0) return end(error.what(), exit_code_of_signal(error.signal()));
    return end(fmt::format("stopped: {}", error.what()), ExitCode::unknown);
  } catch (const std::bad_alloc&) {
    return end("stopped: the machine has no more memory to give", ExitCode::unknown);
  } catch (const std::exception& error) {
    return end(fmt::format("internal error: {}", error.what()), ExitCode::internal_error);
  }
}

/// Bad input is the user's, whatever rank it was noticed on.
std::string line_of(const Failure& failure, const Cluster& cluster) {
  if (failure.exit_code == static_cast<int>(ExitCode::bad_input)) return failure.message;
  const std::string where = cluster.size() == 1 ? "" : fmt::format("rank {}: ", index(failure.rank));
  return fmt::format("dcheck: {}{}", where, failure.message);
}

int run_as_rank(Cluster& cluster, StopSignals& signals, const Call& call) {
  try {
    ExitCode code = ExitCode::all_hold;
    if (cluster.rank() == rank_0)
      code = lead(cluster, signals, call);
    else
      follow(cluster, signals);
    cluster.close();
    return static_cast<int>(code);
  } catch (...) {
    const Failure failure = fail(cluster);
    if (cluster.rank() != rank_0) return static_cast<int>(ExitCode::all_hold);
    fmt::print(stderr, "{}\n", line_of(failure, cluster));
    return failure.exit_code;
  }
}

}  // namespace
}  // namespace dcheck

int main(int argc, char** argv) {
  using namespace dcheck;
  try {
    StopSignals signals;
    const std::unique_ptr<Transport> transport = connect();
    if (const std::string warning = warning_about(*transport); !warning.empty())
      fmt::print(stderr, "dcheck: warning: {}\n", warning);
    Cluster cluster(*transport);
    return run_as_rank(cluster, signals, {argc, argv});
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(ExitCode::bad_input);
  } catch (const std::exception& error) {
    fmt::print(stderr, "dcheck: internal error: {}\n", error.what());
    return static_cast<int>(ExitCode::internal_error);
  }
}
