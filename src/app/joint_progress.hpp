#pragma once
// How all ranks are getting on together. Each rank notes its own numbers; rank 0 asks the others for theirs a few times
// a second, by side notes, and adds up what it knows of each.

#include <functional>

#include "dcheck/comm/cluster.hpp"
#include "dcheck/explore/explore.hpp"

namespace dcheck {

class JointProgress {
 public:
  /// `show` gets the sums, on rank 0; empty: nobody wants to see them. The cluster must outlive it.
  JointProgress(Cluster& cluster, std::function<void(const Progress&)> show);

  /// How this rank is getting on. Not collective. Also hears what other ranks have to tell beside their work.
  void note(Progress own);

 private:
  Cluster& _cluster;
  std::function<void(const Progress&)> _show;
  std::uint64_t _start, _last_question = 0;
  Progress _last;  // of this rank
};

/// The numbers of a rank as it tells them to rank 0.
RankStatus status_of(const Progress& progress);
/// Adds the numbers of another rank to those of this one, which may be further or not so far. What is under way is
/// told by `all`: rows done of another step are not added.
void add_status(Progress& all, const RankStatus& other);

}  // namespace dcheck
