#include "app/estimating.hpp"

#include "app/memory.hpp"
#include "app/run.hpp"
#include "dcheck/estimate/estimate_text.hpp"
#include "dcheck/report/heading.hpp"

namespace dcheck {

namespace {

/// What the heading of the report is made from.
RunReport report_of(const Model& model, int ranks) {
  RunReport report{.version = DCHECK_VERSION, .net = &model.net, .model_sha256 = model.sha256};
  for (const Parameter& parameter : model.parameters) report.parameters.emplace_back(parameter.name, parameter.value);
  report.peak_rss_bytes.resize(static_cast<std::size_t>(ranks));
  return report;
}

}  // namespace

bool write_estimate(const Options& options, const Cluster& cluster, const StopRequest& stop) {
  Output output(options);
  const Model model = in_structural_order(read_model(options.model, options.parameters, options.format));
  const Task task = task_of(options, model.net);
  EstimateOptions how;
  how.explore = task.options.explore;
  how.explore.limits.stop = &stop;
  if (!how.explore.limits.max_memory_bytes) {
    how.explore.limits.max_memory_bytes = allowed_memory_bytes();
    how.explore.limits.is_machines_memory = true;
  }
  how.ranks = cluster.size();
  how.states = options.exports.estimate->states;
  const Estimate found = estimate(model.net, how);
  const RunReport report = report_of(model, cluster.size());
  return output.write([&] { return estimate_text(found, heading(report)); },
                      [&] { return estimate_json(found, report.version, model.net.name()); });
}

}  // namespace dcheck
