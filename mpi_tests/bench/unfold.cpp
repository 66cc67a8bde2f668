// How long reading a model takes, unfolding it included, and how much memory: unfold FILE...; one line each. The peak
// is the process's, so large models come last.

#include <fmt/format.h>

#include <cstdlib>
#include <exception>

#include "dcheck/base/memory.hpp"
#include "dcheck/base/readable.hpp"
#include "dcheck/base/stopwatch.hpp"
#include "dcheck/parse/model.hpp"

int main(int argc, char** argv) {
  using namespace dcheck;
  for (int i = 1; i < argc; ++i) {
    try {
      const Stopwatch watch;
      const Model model = read_model(argv[i], {});
      const double seconds = watch.seconds();
      const Net& net = model.net;
      std::size_t arcs = 0;
      for (std::size_t t = 0; t < net.transition_count(); ++t)
        arcs += net.pre(static_cast<Transition>(t)).size() + net.post(static_cast<Transition>(t)).size();
      fmt::print("{}: {} places, {} transitions, {} arcs, {:.3f} s, {:.2f} us an arc, {} peak\n", net.name(),
                 net.place_count(), net.transition_count(), arcs, seconds, seconds * 1e6 / static_cast<double>(arcs),
                 as_bytes(peak_rss_bytes()));
    } catch (const std::exception& error) {
      fmt::print("{}\n", error.what());
    }
  }
  return EXIT_SUCCESS;
}
