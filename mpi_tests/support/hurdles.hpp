#pragma once
// A limit that work runs into again and again.

#include <cstdint>

#include "dcheck/base/error.hpp"
#include "dcheck/base/run_limit.hpp"

namespace dcheck::test {

/// A limit that is reached whenever it has been asked so often. Then work is paused and goes on at once, or it ends
/// with an error.
class Hurdles {
 public:
  enum class Kind : std::uint8_t { pause, error };
  Hurdles(Kind kind, std::uint64_t every) : _kind(kind), _every(every) {}

  RunLimit limit() {
    return {[this] { return is_reached(); },
            [this] {
              if (!is_reached() || _kind == Kind::pause) return;
              _is_reached = false;
              _every *= 2;  // so that it gets through in the end
              throw ResourceError("a hurdle");
            }};
  }
  std::uint64_t met() const { return _met; }

 private:
  bool is_reached() {
    if (_is_reached && _kind == Kind::error) return true;
    _is_reached = ++_asked % _every == 0;
    _met += _is_reached ? 1 : 0;
    return _is_reached;
  }

  Kind _kind;
  std::uint64_t _every, _asked = 0, _met = 0;
  bool _is_reached = false;
};

}  // namespace dcheck::test
