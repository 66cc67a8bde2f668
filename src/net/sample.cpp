#include "dcheck/net/sample.hpp"

#include <algorithm>

#include "dcheck/base/random.hpp"
#include "dcheck/net/marking.hpp"

namespace dcheck {

namespace {

constexpr std::size_t walk_length = 256;
constexpr std::size_t sampled_markings = 4;

class Walker {
 public:
  explicit Walker(const Net& net) : _net(net), _marking(net.initial().begin(), net.initial().end()) {}

  const std::vector<Tokens>& marking() const { return _marking; }
  void restart() { _marking.assign(_net.initial().begin(), _net.initial().end()); }

  /// Fires a random enabled transition; false in a deadlock or where a count would leave 63 bits.
  bool step() {
    _enabled.clear();
    for (std::size_t i = 0; i < _net.transition_count(); ++i)
      if (_net.is_enabled(static_cast<Transition>(i), _marking)) _enabled.push_back(static_cast<Transition>(i));
    return !_enabled.empty() && fire(_net, _enabled[_random.next() % _enabled.size()], _marking);
  }

 private:
  const Net& _net;
  std::vector<Tokens> _marking;
  std::vector<Transition> _enabled;
  Random _random{1};
};

}  // namespace

Sample take_sample(const Net& net, std::size_t steps, Patience& patience) {
  Sample sample{{net.initial().begin(), net.initial().end()}, std::vector<float>(net.place_count(), 0), {}};
  const std::size_t count =
      std::clamp<std::size_t>(steps / (net.transition_count() * 2 + net.place_count() + 1), 16, 4096);
  Walker walker(net);
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<Tokens>& marking = walker.marking();
    patience.spend(marking.size() + 2 * net.transition_count());
    for (std::size_t p = 0; p < marking.size(); ++p) {
      sample.largest[p] = std::max(sample.largest[p], marking[p]);
      if (marking[p] > 0) sample.marked_share[p] += 1.0F / static_cast<float>(count);
    }
    if (i % (count / sampled_markings + 1) == 0) sample.markings.push_back(marking);
    if (!walker.step() || i % walk_length == walk_length - 1) walker.restart();
  }
  return sample;
}

}  // namespace dcheck
