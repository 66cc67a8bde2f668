#pragma once
// The stages of one run between the command line and the exit code, each a call with a named result.

#include <fstream>
#include <string>
#include <vector>

#include "app/options.hpp"
#include "dcheck/check/check.hpp"
#include "dcheck/parse/model.hpp"
#include "dcheck/report/report.hpp"

namespace dcheck {

/// What the command line asks, or else the model's own checks. Throws InputError on a bad formula.
std::vector<Property> properties_asked(const Options& options, const Model& model);

/// Decides within the limits. What the machine cannot do (ResourceError, no memory left) ends in an
/// exploration that is not complete and says why: what was asked is then unknown, not lost.
CheckOutcome check_as_asked(const Options& options, const Net& net, const std::vector<Property>& properties);

/// Where the reports go. Opened before the exploration: nobody wants to hear after hours that a
/// file cannot be written. Throws InputError where it cannot.
class Output {
 public:
  explicit Output(const std::string& json_target);
  /// Throws ResourceError where not everything could be written.
  void write(const RunReport& report);

 private:
  std::string _json_target;
  std::ofstream _json_file;
};

}  // namespace dcheck
