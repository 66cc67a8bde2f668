#include "parse/extended/initial_marking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "parse/extended/conditions.hpp"

namespace dcheck::parse {
namespace {

using Tokenss = std::vector<Tokens>;

constexpr std::size_t most_markings = 100'000;

class Start {
 public:
  Start(const ExtendedNet& net, const SourceText& source) : _net(net), _source(source) {
    for (const ExtendedTransition& t : net.transitions)
      if (t.is_immediate) _immediates.push_back({&t, all_of(own_conditions(t)), effect_of(t)});
    std::ranges::stable_sort(_immediates, std::greater{}, [](const auto& i) { return i.transition->priority; });
  }

  /// The tangible markings that are reached.
  std::set<Tokenss> tangible() {
    Tokenss initial;
    for (const ExtendedPlace& place : _net.places) initial.push_back(place.initial);
    visit(initial);
    return _tangible;
  }

 private:
  struct Immediate {
    const ExtendedTransition* transition;
    Expression condition;
    Effect effect;
  };

  void visit(const Tokenss& marking) {
    // Depth first, with its own stack: a marking that is met again above itself is a circle.
    struct Frame {
      Tokenss marking;
      std::vector<const Immediate*> enabled;
      std::size_t next = 0;
    };
    std::set<Tokenss> done, open;
    std::vector<Frame> stack;
    const auto enter = [&](Tokenss reached) {
      if (done.contains(reached)) return;
      std::vector<const Immediate*> enabled = enabled_in(reached);
      if (enabled.empty()) {
        _tangible.insert(reached);
        done.insert(std::move(reached));
        return;
      }
      if (!open.insert(reached).second || done.size() + open.size() > most_markings)
        _source.fail(enabled.front()->transition->at,
                     fmt::format("immediate transition '{}' fires again and again before the first state",
                                 shown(enabled.front()->transition->name)));
      stack.push_back({std::move(reached), std::move(enabled)});
    };
    enter(marking);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.enabled.size()) {
        open.erase(top.marking);
        done.insert(std::move(top.marking));
        stack.pop_back();
        continue;
      }
      Tokenss reached = top.marking;
      for (const auto& [place, change] : top.enabled[top.next++]->effect) reached[index(place)] += change;
      enter(std::move(reached));
    }
  }

  /// Those of the highest priority.
  std::vector<const Immediate*> enabled_in(const Tokenss& marking) const {
    static const Net no_net;  // conditions are about tokens only
    std::vector<const Immediate*> enabled;
    for (const Immediate& immediate : _immediates) {
      if (!enabled.empty() && enabled.front()->transition->priority > immediate.transition->priority) break;
      if (evaluate(immediate.condition, no_net, marking)) enabled.push_back(&immediate);
    }
    return enabled;
  }

  const ExtendedNet& _net;
  const SourceText& _source;
  std::vector<Immediate> _immediates;
  std::set<Tokenss> _tangible;
};

}  // namespace

void begin_tangible(ExtendedNet& net, const SourceText& source) {
  const std::set<Tokenss> tangible = Start(net, source).tangible();
  if (tangible.size() != 1) {
    const auto immediate = std::ranges::find_if(net.transitions, &ExtendedTransition::is_immediate);
    source.fail(immediate->at, fmt::format("immediate transitions lead from the initial marking to {} different ones: "
                                           "expected one to begin with",
                                           tangible.size()));
  }
  for (std::size_t p = 0; p < net.places.size(); ++p) net.places[p].initial = (*tangible.begin())[p];
}

}  // namespace dcheck::parse
