#pragma once
// Work that is the same on all ranks, because it looks at nothing but what they all have: the net, formulas, markings.

#include "dcheck/ranks/ranks.hpp"

namespace dcheck {

/// What it throws, all ranks throw: so all know of it, and nothing needs to be sent.
template <typename Work>
auto alike(const Ranks& ranks, Work&& work) {
  try {
    return work();
  } catch (const ResourceError& error) {
    if (ranks.is_alone()) throw;
    throw AgreedStop(error.what(), error.signal());
  }
}

}  // namespace dcheck
