#pragma once
// How the program gets its transport: through MPI where a launcher (mpirun, srun) started it, and as a
// cluster of one, without touching MPI, where it was started alone.

#include <memory>
#include <string>

#include "dcheck/comm/transport/transport.hpp"

namespace dcheck {

/// Collective over all ranks the launcher started; at most once a process, from the main thread.
///
/// Before MPI is begun it is asked to yield when idle where the ranks of this machine outnumber its
/// cores, unless OMPI_MCA_mpi_yield_when_idle is set already.
///
/// DCHECK_DELAY_US=N, for experiments and tests: every batch is held back for a random time of up to N
/// microseconds before it is sent (order between two ranks is kept).
///
/// Throws InputError where that is no number.
std::unique_ptr<Transport> connect();

/// One line for people where a launcher seems to have started several processes and MPI knows of this one alone: a
/// launcher of another MPI than ours. Each of them then does the whole run. Empty where all is well.
std::string warning_about(const Transport& transport);

}  // namespace dcheck
