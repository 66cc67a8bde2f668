#include "dcheck/comm/connect.hpp"

#include <unistd.h>

#include <cstdlib>

#include "comm/launcher.hpp"
#include "comm/transport/delayed_transport.hpp"
#include "comm/transport/local_transport.hpp"
#include "comm/transport/mpi_transport.hpp"

namespace dcheck {

std::unique_ptr<Transport> connect() {
  const Environment environment = environment_variable;
  if (!has_launcher(environment)) return std::make_unique<LocalTransport>();
  const std::uint64_t delay = delay_us(environment);
  const bool has_few_cores = is_oversubscribed(environment, sysconf(_SC_NPROCESSORS_ONLN));
  if (has_few_cores) setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  std::unique_ptr<Transport> transport = std::make_unique<MpiTransport>(has_few_cores);
  if (delay != 0) transport = std::make_unique<DelayedTransport>(std::move(transport), Delay{0, delay * 1000});
  return transport;
}

std::string warning_about(const Transport& transport) {
  const std::optional<std::string> sign = transport.size() == 1 ? sign_of_company(environment_variable) : std::nullopt;
  if (!sign) return "";
  return "a launcher seems to have started several processes (" + *sign +
         "), but MPI finds no other than this one: it runs alone. Use Open MPI's mpirun, or srun --mpi=pmix";
}

}  // namespace dcheck
