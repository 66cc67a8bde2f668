#pragma once
// What must happen when a block is left, by an exception too.

#include <utility>

namespace dcheck {

/// Calls what it was given when it is left.
template <typename Action>
class Finally {
 public:
  explicit Finally(Action action) : _action(std::move(action)) {}
  ~Finally() { _action(); }
  Finally(const Finally&) = delete;
  Finally& operator=(const Finally&) = delete;

 private:
  Action _action;
};

}  // namespace dcheck
