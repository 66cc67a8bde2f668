#pragma once
// Who has fallen silent, and who says so: the rules, without threads, clocks or MPI (heart.hpp has those).
//
// Ranks stand in a ring. Each lets its two neighbours hear from it at least every interval(), whatever else it is
// doing, and listens to both. A neighbour that was not heard for as long as the limit is lost. Only time in which this
// rank listened counts: one that was itself stopped, or got no core, does not blame others for it. One that was
// never heard may still be starting, and has half a minute at least.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcheck {

struct Silence {
  int by = 0;    // who noticed
  int rank = 0;  // who was not heard
  std::string host;
  double seconds = 0;
};

/// One line for people.
std::string describe(const Silence& silence);

class Pulse {
 public:
  Pulse(int rank, int size);

  /// 0: nobody is ever lost. Limits below a second are taken for one: a rank must get a core now and then.
  void set_limit(double seconds);
  /// How often the neighbours should hear from here. Short until the limit is set: others may know it before.
  std::uint64_t interval_ns() const { return _interval_ns; }

  /// The ranks to listen to: none where it is alone, one where there are two of them.
  const std::vector<int>& neighbours() const { return _neighbours; }

  void hear(int from, const std::string& host);
  /// `rank` has said goodbye: nothing more is expected from it.
  void release(int rank);
  bool are_all_released() const;

  /// Called every interval, after everything that has come was heard. Who is lost, if anybody.
  std::optional<Silence> look(std::uint64_t now_ns);

 private:
  struct Neighbour {
    std::uint64_t silent_ns = 0;  // while this rank listened
    bool was_heard = false;       // since the last look
    bool was_ever_heard = false, is_released = false;
    std::string host;
  };

  Neighbour* find(int rank);

  int _rank;
  std::uint64_t _limit_ns, _interval_ns;
  std::optional<std::uint64_t> _last_look;
  std::vector<int> _neighbours;
  std::vector<Neighbour> _of;  // in the same order
};

/// What a rank knows of a loss. It is said once on either side of a cut link: by rank 0 where it gets to know, else by
/// the least rank that noticed. For that, a rank that notices first tells all others, and so does rank 0 when it is
/// told.
class Alarm {
 public:
  explicit Alarm(int rank) : _rank(rank) {}

  /// This rank has noticed (silence.by is this one), or `teller` says so. True: now tell all others.
  bool raise(int teller, const Silence& silence);

  /// The first silence that was heard of.
  const std::optional<Silence>& silence() const { return _silence; }
  /// After all had the time to tell.
  bool is_mine_to_say() const { return _has_told && _least_teller == _rank; }

 private:
  int _rank, _least_teller = 0;
  bool _has_told = false;
  std::optional<Silence> _silence;
};

}  // namespace dcheck
