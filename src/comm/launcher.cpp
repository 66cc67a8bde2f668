#include "comm/launcher.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

std::optional<std::uint64_t> number(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> number_of(const Environment& environment, const std::string& name) {
  const std::optional<std::string> text = environment(name);
  return text ? number(*text) : std::nullopt;
}

}  // namespace

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

bool has_launcher(const Environment& environment) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (environment(name)) return true;
  // srun without a way to reach the other tasks: MPI says so, and better than n runs that know nothing
  // of each other.
  return number_of(environment, "SLURM_STEP_NUM_TASKS").value_or(1) > 1;
}

std::optional<std::string> sign_of_company(const Environment& environment) {
  const auto is_above = [&](const char* name, std::uint64_t least) {
    return number_of(environment, name).value_or(0) > least;
  };
  // SLURM_NTASKS is set in a batch script too, where one process runs: its task has number 0.
  const std::pair<const char*, std::uint64_t> signs[] = {
      {"OMPI_COMM_WORLD_SIZE", 1}, {"PMI_SIZE", 1},  {"MV2_COMM_WORLD_SIZE", 1},
      {"SLURM_STEP_NUM_TASKS", 1}, {"PMIX_RANK", 0}, {"PMI_RANK", 0},
      {"SLURM_PROCID", 0}};
  for (const auto& [name, least] : signs)
    if (is_above(name, least)) return std::string(name) + "=" + *environment(name);
  return std::nullopt;
}

bool is_oversubscribed(const Environment& environment, long cores) {
  const std::optional<std::uint64_t> allowed = number_of(environment, "SLURM_CPUS_ON_NODE");
  if (allowed && *allowed > 0 && *allowed < static_cast<std::uint64_t>(cores)) cores = static_cast<long>(*allowed);
  std::optional<std::uint64_t> local = number_of(environment, "OMPI_COMM_WORLD_LOCAL_SIZE");
  // "4(x3),2" of srun: tasks a node, the first number will do.
  if (const auto tasks = environment("SLURM_STEP_TASKS_PER_NODE"); !local && tasks)
    local = number(tasks->substr(0, tasks->find_first_not_of("0123456789")));
  return local.value_or(1) > static_cast<std::uint64_t>(cores);
}

std::uint64_t delay_us(const Environment& environment) {
  const std::optional<std::string> text = environment("DCHECK_DELAY_US");
  if (!text) return 0;
  const std::optional<std::uint64_t> value = number(*text);
  if (!value || *value > 60'000'000) throw InputError("dcheck: DCHECK_DELAY_US must be a number up to 60000000");
  return *value;
}

}  // namespace dcheck
