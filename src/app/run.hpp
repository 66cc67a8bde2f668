#pragma once
// The stages of one run between the command line and the exit code, each a call with a named result.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/graph_files.hpp"
#include "app/options.hpp"
#include "app/output_file.hpp"
#include "app/stop_signals.hpp"
#include "app/task.hpp"
#include "dcheck/archive/run_record.hpp"
#include "dcheck/parse/model.hpp"
#include "dcheck/report/report.hpp"

namespace dcheck {

/// What the command line asks, or else the model's own checks. Throws InputError on a bad formula.
std::vector<Property> properties_asked(const Options& options, const Model& model);

/// The test that the command line asks for. Throws InputError where it is about eating and the model is not.
std::optional<TestChoice> test_asked(const Options& options, const Model& model);

/// The task without its net and its properties. Throws InputError where an option does not fit the net.
Task task_of(const Options& options, const Net& net);

/// What came of a task, and what was kept of it.
struct Outcome : CheckOutcome {
  std::size_t checkpoints = 0;  // that were written
  double keeping_seconds = 0;   // to write them, and what was saved
  bool has_checkpoint = false;  // the same command goes on from one
};

/// What rank 0 does besides.
struct Showing {
  bool shows_progress = false;  // on stderr
  /// Called where the task asks for a graph and there is one.
  std::function<void(const StateGraph&)> use_graph = {};
};

/// Collective; the record is rank 0's. Decides the task within the limits and until somebody asks one of the ranks to
/// stop. What the machine cannot do (ResourceError, no memory left) ends, where all ranks know of it, in an exploration
/// that is not complete and says why: what was asked is then unknown, not lost.
Outcome check_together(const Task& task, const RunRecord& record, Cluster& cluster, const Wishes& wishes,
                       const Showing& showing);

/// The files that the run reads.
std::vector<std::string> inputs_of(const Options& options);

/// Throws ResourceError where not everything could be written.
void write_to_stdout(std::string_view text);

/// Where the reports go.
class Output {
 public:
  /// Before the exploration. Throws InputError where the JSON cannot be written.
  explicit Output(const Options& options);
  enum class Order : std::uint8_t { stdout_first, file_first };
  /// The text first, then the JSON; or what goes to a file first, where nobody may read stdout to its end: mpirun takes
  /// about 10 KB of it once it has got a signal. What cannot be written is a line on stderr, and does not keep the
  /// other from being written; then false.
  bool write(const RunReport& report, Order order = Order::stdout_first);
  /// The same with other texts, each made only where it is wanted.
  using MakeText = std::function<std::string()>;
  bool write(const MakeText& text, const MakeText& json, Order order = Order::stdout_first);

 private:
  std::optional<OutputFile> _json;
  bool _is_json_on_stdout;
  Detail _detail;
};

}  // namespace dcheck
