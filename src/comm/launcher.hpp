#pragma once
// What the environment says about how this process was started. Private to comm.

#include <functional>
#include <optional>
#include <string>

namespace dcheck {

/// Looks up an environment variable; none where it is not set or empty.
using Environment = std::function<std::optional<std::string>(const std::string&)>;
std::optional<std::string> environment_variable(const std::string& name);

/// Whether mpirun, or srun with several tasks, started this process, so that MPI must be begun. A script
/// that sbatch runs, and what it calls, is not started by a launcher.
bool has_launcher(const Environment& environment);

/// A variable by which a launcher, of whatever kind, says that it started several processes: "PMI_SIZE=4". None where
/// nothing says so.
std::optional<std::string> sign_of_company(const Environment& environment);

/// Whether the ranks on this machine outnumber its `cores`, as far as the environment tells.
bool is_oversubscribed(const Environment& environment, long cores);

/// The value of DCHECK_DELAY_US in microseconds, 0 where it is not set. Throws InputError where it is no
/// number.
std::uint64_t delay_us(const Environment& environment);

}  // namespace dcheck
