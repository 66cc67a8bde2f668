#include "dcheck/base/stop_request.hpp"

#include <csignal>

namespace dcheck {

std::string signal_name(int signal) {
  switch (signal) {
    case SIGHUP:
      return "SIGHUP";
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return "signal " + std::to_string(signal);
  }
}

std::string stopped_by(int signal) {
  return "stopped by " + signal_name(signal);
}

}  // namespace dcheck
