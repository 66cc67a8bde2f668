// The ring alone, in a world of ranks that send, receive and rest at random: it never closes a phase too
// early and always in the end. A ring whose token forgets its colour does close too early: so this world
// would show it.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "dcheck/comm/exchange/token_ring.hpp"

namespace dcheck {
namespace {

class World {
 public:
  World(int ranks, std::uint64_t seed, bool has_colour) : _random(seed), _has_colour(has_colour) {
    for (int rank = 0; rank < ranks; ++rank) _rings.emplace_back(Rank{rank}, ranks);
    for (int rank = 0; rank < ranks; ++rank) _is_active.push_back(_random() % 2 == 0);
    _inbox.resize(_rings.size());
    _letters_left = static_cast<int>(_random() % 200);
  }

  /// False where the phase is closed.
  bool step() {
    const std::size_t rank = _random() % _rings.size();
    if (_random() % 2 == 0)
      receive(rank);
    else if (_is_active[rank])
      work(rank);
    else
      rest(rank);
    return !_rings[0].is_over();
  }

  bool is_quiet() const {
    return std::none_of(_is_active.begin(), _is_active.end(), [](bool active) { return active; }) &&
           std::all_of(_inbox.begin(), _inbox.end(), [](int letters) { return letters == 0; });
  }

 private:
  void receive(std::size_t rank) {
    if (_inbox[rank] == 0) return;
    --_inbox[rank];
    _rings[rank].count_received();
    _is_active[rank] = true;
  }
  void work(std::size_t rank) {
    if (_letters_left > 0 && _random() % 2 == 0) {
      --_letters_left;
      _rings[rank].count_sent();
      ++_inbox[_random() % _rings.size()];
    } else {
      _is_active[rank] = false;
    }
  }
  void rest(std::size_t rank) {
    std::optional<Token> token = _rings[rank].pass(Stop::none);
    if (!token) return;
    token->is_black = token->is_black && _has_colour;
    _rings[index(_rings[rank].next())].take(*token);
  }

  std::mt19937_64 _random;
  bool _has_colour;
  std::vector<TokenRing> _rings;
  std::vector<bool> _is_active;
  std::vector<int> _inbox;  // letters under way
  int _letters_left = 0;
};

/// How many of many worlds are closed while somebody works or a letter is under way.
int closed_too_early(bool has_colour) {
  int early = 0;
  for (std::uint64_t seed = 1; seed <= 30000; ++seed) {
    World world(static_cast<int>(1 + seed % 6), seed, has_colour);
    int steps = 0;
    while (world.step() && ++steps < 100'000) {
    }
    EXPECT_LT(steps, 100'000) << "never closed, seed " << seed;
    early += world.is_quiet() ? 0 : 1;
  }
  return early;
}

TEST(TokenRing, ClosesWhenAllRestAndNothingIsUnderWay) {
  EXPECT_EQ(closed_too_early(true), 0);
}

TEST(TokenRing, WithoutColourWouldCloseTooEarly) {
  EXPECT_GT(closed_too_early(false), 10);
}

TEST(TokenRing, OneRankClosesAtOnce) {
  TokenRing ring(rank_0, 1);
  EXPECT_FALSE(ring.pass(Stop::drop));
  EXPECT_TRUE(ring.is_over());
  EXPECT_EQ(ring.stop(), Stop::drop);
}

TEST(TokenRing, CarriesTheStrongestStopRound) {
  TokenRing zero(rank_0, 3), one(Rank{1}, 3), two(Rank{2}, 3);
  const auto round = [&](Stop at_one, Stop at_two) {
    two.take(*zero.pass(Stop::none));
    one.take(*two.pass(at_two));
    zero.take(*one.pass(at_one));
  };
  round(Stop::pause, Stop::drop);
  EXPECT_FALSE(zero.pass(Stop::none));
  EXPECT_TRUE(zero.is_over());
  EXPECT_EQ(zero.stop(), Stop::drop);
  EXPECT_EQ(two.rounds(), 1);
}

TEST(TokenRing, StopOfAnEarlierRoundIsNotCarriedOn) {
  TokenRing zero(rank_0, 2), one(Rank{1}, 2);
  zero.count_sent();
  one.take(*zero.pass(Stop::none));
  zero.take(*one.pass(Stop::pause));
  one.count_received();
  const std::optional<Token> again = zero.pass(Stop::none);
  ASSERT_TRUE(again) << "a batch was under way";
  EXPECT_EQ(again->stop, Stop::none);
}

}  // namespace
}  // namespace dcheck
