// dcheck: options -> read model -> check -> report, then what went wrong as an exit code.

#include <fmt/format.h>

#include <chrono>
#include <new>

#include "app/exit_code.hpp"
#include "app/memory.hpp"
#include "app/options.hpp"
#include "app/run.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ExitCode run(const Options& options) {
  const auto start = Clock::now();
  const Model model = in_structural_order(read_model(options.model, options.parameters));
  const std::vector<Property> properties = properties_asked(options, model);
  RunReport report{.version = DCHECK_VERSION, .net = &model.net, .model_sha256 = model.sha256};
  for (const Parameter& parameter : model.parameters) report.parameters.emplace_back(parameter.name, parameter.value);
  report.parse_seconds = seconds_since(start);

  Output output(options.json);
  CheckOutcome outcome = check_as_asked(options, model.net, properties);
  report.exploration = std::move(outcome.exploration);
  report.properties = std::move(outcome.properties);
  report.check_seconds = outcome.check_seconds;
  if (!report.exploration.complete && !report.exploration.is_enough)
    fmt::print(stderr, "dcheck: stopped: {}\n", report.exploration.stop_reason);

  report.peak_rss_bytes = peak_rss_bytes();
  report.total_seconds = seconds_since(start);
  output.write(report);
  return exit_code_of(report, properties.empty() || options.full);
}

int fail(ExitCode code, const std::string& line) {
  fmt::print(stderr, "{}\n", line);
  return static_cast<int>(code);
}

}  // namespace
}  // namespace dcheck

int main(int argc, char** argv) {
  using namespace dcheck;
  try {
    const CommandLine command_line = read_command_line(argc, argv);
    if (!command_line.answer) return static_cast<int>(run(command_line.options));
    fmt::print("{}", *command_line.answer);
    return static_cast<int>(ExitCode::all_hold);
  } catch (const InputError& error) {
    return fail(ExitCode::bad_input,
                fmt::format("{}{}{}", error.what(), error.excerpt().empty() ? "" : "\n", error.excerpt()));
  } catch (const ResourceError& error) {
    return fail(ExitCode::unknown, fmt::format("dcheck: stopped: {}", error.what()));
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::unknown, "dcheck: stopped: the machine has no more memory to give");
  } catch (const std::exception& error) {
    return fail(ExitCode::internal_error, fmt::format("dcheck: internal error: {}", error.what()));
  }
}
