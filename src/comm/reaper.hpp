#pragma once
// Makes sure that a job ends. Where a link is cut, mpirun waits for ever for what it cannot reach, MPI_Abort or not,
// and so does its daemon on the other side.

#include <optional>
#include <string>

namespace dcheck {

/// The process that started this one for mpirun: mpirun itself or its daemon, found among the ancestors. None under
/// srun, or alone.
std::optional<int> launcher_process();

/// Leaves a process behind that gives the launcher so much time to end by itself; then it kills it, and this process.
/// Only the first call counts. False where the system gives no process. May be called from any thread.
bool leave_reaper(double patience_seconds);

/// The same at once, for when there is nobody to leave it to.
[[noreturn]] void end_launcher_and_self(int exit_code);

}  // namespace dcheck
