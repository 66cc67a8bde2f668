#pragma once
// How a run ends, for the shell. A contract: never renumber.

#include "dcheck/report/report.hpp"

namespace dcheck {

enum class ExitCode : int {
  all_hold = 0,        // every property holds, or none was asked
  some_fails = 1,      // some property fails
  bad_input = 2,       // bad usage or bad input
  unknown = 3,         // a limit was reached, memory or disk ran out, a verdict is not known
  stopped = 4,         // stopped on a signal: the same command goes on from a checkpoint
  internal_error = 70  // we are wrong
  // 128 + a signal (129 HUP, 130 INT, 143 TERM): it stopped the run before everything asked was known. This comes
  // before all of the above but 70 and 2, also where a property was found to fail: the report is not the whole answer.
};

inline ExitCode exit_code_of_signal(int signal) {
  return static_cast<ExitCode>(128 + signal);
}

/// `counts_are_asked`: no verdict was asked for, or all states were asked for besides (--full), so
/// that an exploration that is not complete leaves a question open even if every verdict is known.
inline ExitCode exit_code_of(const RunReport& report, bool counts_are_asked) {
  bool is_open = counts_are_asked && !report.exploration.complete;
  if (report.test && !report.test->sat_states) is_open = true;
  for (const PropertyResult& property : report.properties) {
    if (property.is_upper_bound) continue;
    if (property.verdict == Verdict::fails) return ExitCode::some_fails;
    if (property.verdict == Verdict::unknown) is_open = true;
  }
  return is_open ? ExitCode::unknown : ExitCode::all_hold;
}

}  // namespace dcheck
