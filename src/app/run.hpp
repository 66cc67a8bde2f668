#pragma once
// The stages of one run between the command line and the exit code, each a call with a named result.

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/options.hpp"
#include "app/task.hpp"
#include "dcheck/parse/model.hpp"
#include "dcheck/report/report.hpp"

namespace dcheck {

/// What the command line asks, or else the model's own checks. Throws InputError on a bad formula.
std::vector<Property> properties_asked(const Options& options, const Model& model);

/// The test that the command line asks for. Throws InputError where it is about eating and the model is not.
std::optional<TestChoice> test_asked(const Options& options, const Model& model);

/// The task without its net and its properties. Throws InputError where an option does not fit the net.
Task task_of(const Options& options, const Net& net);

/// Collective. Decides the task within the limits and until somebody asks one of the ranks to stop;
/// `shows_progress`: on stderr, for rank 0. What the machine cannot do (ResourceError, no memory left) ends, where all
/// ranks know of it, in an exploration that is not complete and says why: what was asked is then unknown, not lost.
CheckOutcome check_together(const Task& task, Cluster& cluster, StopRequest& stop, bool shows_progress);

/// Throws ResourceError where not everything could be written.
void write_to_stdout(std::string_view text);

/// Where the reports go. Opened before the exploration: nobody wants to hear after hours that a
/// file cannot be written. Throws InputError where it cannot.
class Output {
 public:
  explicit Output(const std::string& json_target);
  /// Throws as write_to_stdout() does.
  void write(const RunReport& report);

 private:
  std::string _json_target;
  std::ofstream _json_file;
};

}  // namespace dcheck
