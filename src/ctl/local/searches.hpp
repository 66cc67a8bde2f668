#pragma once
// The two searches of local_search.hpp: for a path that shows E[p U q], and for one that refutes A[p U q].

#include "dcheck/ctl/local/local_search.hpp"

namespace dcheck {

/// The states that one search has met. Searches are inside each other, each with an array of its own.
class LocalSearch::Scope {
 public:
  explicit Scope(LocalSearch& search) : _search(search), _depth(search._depth++) {
    if (_search._visited.size() <= _depth) _search._visited.emplace_back();
    ++visited().current;
  }
  ~Scope() { _search._depth = _depth; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  bool contains(State state) const {
    const Visited& states = visited();
    return state < states.stamp.size() && states.stamp[state] == states.current;
  }
  void add(State state) {
    Visited& states = visited();
    if (states.stamp.size() <= state) states.stamp.resize(_search._graph.state_count(), 0);
    states.stamp[state] = states.current;
  }
  void drop(State state) { visited().stamp[state] = 0; }

 private:
  Visited& visited() const { return _search._visited[_depth]; }

  LocalSearch& _search;
  std::size_t _depth;
};

/// What both searches know: their formula, how many states they may meet, and searches inside them.
struct LocalSearch::Until {
  Until(LocalSearch& search, CoreId id, std::uint64_t allowance)
      : _search(search),
        _id(id),
        _lasts(search._pool[id].children[0]),
        _ends(search._pool[id].children[1]),
        _allowance(allowance),
        _inner(std::max<std::uint64_t>(allowance / 8, 8)) {}

  LocalSearch& _search;
  CoreId _id, _lasts, _ends;
  std::uint64_t _allowance, _inner;
};

/// Depth first, through states in which p holds and q does not, until q holds in one.
class LocalSearch::ExistsUntil : Until {
 public:
  ExistsUntil(LocalSearch& search, CoreId id, std::uint64_t allowance) : Until(search, id, allowance), _scope(search) {}

  Truth from(State state) {
    meet(state, no_parent);
    while (!_open.empty()) {
      if (_met.size() > _allowance || _search.is_out_of_steps()) {
        _search._was_cut = true;
        return Truth::unknown;
      }
      const std::uint32_t number = _open.back();
      _open.pop_back();
      if (ends_in(number)) return show(number);
    }
    if (_has_gap) return Truth::unknown;
    for (const Met& met : _met) _search.remember(_id, met.state, Truth::no);
    return Truth::no;
  }

 private:
  static constexpr std::uint32_t no_parent = ~std::uint32_t{0};
  struct Met {
    State state;
    std::uint32_t parent;  // into _met
  };

  void meet(State state, std::uint32_t parent) {
    _scope.add(state);
    _open.push_back(static_cast<std::uint32_t>(_met.size()));
    _met.push_back({state, parent});
  }

  /// Whether the search ends here; if not, its successors are met.
  bool ends_in(std::uint32_t number) {
    const State state = _met[number].state;
    const Truth known = _search.known(_id, state);
    if (known != Truth::unknown) return known == Truth::yes;
    const Truth ends = _search.at(_ends, state, _inner);
    if (ends == Truth::yes) return true;
    const Truth lasts = _search.at(_lasts, state, _inner);
    if (lasts == Truth::no && ends == Truth::no) return false;
    if (ends == Truth::unknown || lasts == Truth::unknown) _has_gap = true;
    if (lasts != Truth::yes) return false;
    const std::size_t count = _search._graph.successor_count(state);
    for (std::size_t i = 0; i < count; ++i)
      if (const State next = _search._graph.successor(state, i); !_scope.contains(next)) meet(next, number);
    return false;
  }

  Truth show(std::uint32_t number) {
    for (; number != no_parent; number = _met[number].parent) _search.remember(_id, _met[number].state, Truth::yes);
    return Truth::yes;
  }

  Scope _scope;
  std::vector<Met> _met;
  std::vector<std::uint32_t> _open;  // into _met
  bool _has_gap = false;             // somewhere it is not known whether p or q holds
};

/// Depth first, through states in which p holds and q does not. A[p U q] is refuted for all of the path by a circle, a
/// deadlock, or a state in which neither holds; it is shown for a state by all of its successors.
class LocalSearch::AlwaysUntil : Until {
 public:
  AlwaysUntil(LocalSearch& search, CoreId id, std::uint64_t allowance)
      : Until(search, id, allowance), _on_path(search) {}

  Truth from(State state) {
    if (const Step step = enter(state); step != Step::goes_on) return truth_of_step(step);
    while (true) {
      if (_entered > _allowance || _search.is_out_of_steps()) {
        _search._was_cut = true;
        return Truth::unknown;
      }
      Level& top = _path.back();
      if (top.next == top.count) {
        const Truth truth = leave();
        if (_path.empty()) return truth;
        continue;
      }
      const State next = _search._graph.successor(top.state, top.next++);
      const Step step = _on_path.contains(next) ? Step::refuted : enter(next);
      if (step == Step::refuted) return refute();
      if (step == Step::unknown) _path[_path.size() - 1].has_gap = true;
    }
  }

 private:
  enum class Step : std::uint8_t { shown, refuted, unknown, goes_on };
  struct Level {
    State state;
    std::size_t next, count;  // of its successors
    bool has_gap;             // of some successor it is not known
  };

  static Truth truth_of_step(Step step) {
    return step == Step::shown ? Truth::yes : step == Step::refuted ? Truth::no : Truth::unknown;
  }

  /// What is known of a state by itself; where it depends on its successors, it is put on the path. An unknown q or p
  /// makes a state unknown: what comes after it would not tell about those before it.
  Step enter(State state) {
    const Truth known = _search.known(_id, state);
    if (known != Truth::unknown) return known == Truth::yes ? Step::shown : Step::refuted;
    if (!_path.empty() && _search.is_given_up(_id, state)) return Step::unknown;
    ++_entered;
    const Truth ends = _search.at(_ends, state, _inner);
    if (ends == Truth::yes) return settled(state, Truth::yes);
    const Truth lasts = ends == Truth::no ? _search.at(_lasts, state, _inner) : Truth::unknown;
    if (lasts != Truth::yes) return settled(state, lasts);
    const std::size_t count = _search._graph.successor_count(state);
    if (count == 0) return settled(state, Truth::no);
    _on_path.add(state);
    _path.push_back({state, 0, count, false});
    return Step::goes_on;
  }

  Step settled(State state, Truth truth) {
    _search.remember(_id, state, truth);
    return truth == Truth::yes ? Step::shown : truth == Truth::no ? Step::refuted : Step::unknown;
  }

  Truth leave() {
    const Level level = _path.back();
    _path.pop_back();
    _on_path.drop(level.state);
    if (level.has_gap && !_path.empty()) _path.back().has_gap = true;
    return _search.remember(_id, level.state, level.has_gap ? Truth::unknown : Truth::yes);
  }

  Truth refute() {
    for (const Level& level : _path) _search.remember(_id, level.state, Truth::no);
    return Truth::no;
  }

  Scope _on_path;
  std::vector<Level> _path;
  std::uint64_t _entered = 0;
};

}  // namespace dcheck
