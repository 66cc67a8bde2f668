#pragma once
// When is a phase over? When every rank is passive and no batch of records is under way. No rank can see
// that, so a token goes round and counts (the method is Safra's).
//
// The rules. A rank keeps a balance: batches sent minus batches received, and a colour. Receiving a batch
// makes the rank black. The token carries a sum and a colour. A rank that has the token keeps it until it
// is passive; then it adds its balance to the sum, makes the token black if it is black itself, becomes
// white and passes the token on, from rank r to r - 1, and from 0 to the last. Rank 0, when the token is
// back and it is passive, closes the phase if token and rank are white and sum plus balance is zero;
// otherwise it becomes white and sends a new, white and empty token. A passive rank sends nothing and
// becomes active only by receiving a batch.
//
// Why it is right. Take a round after which rank 0 closes the phase, and call a rank's visit the moment at
// which it passed the token on (for rank 0: the moment of closing). Every batch was sent before or after
// its sender's visit, and received before its receiver's visit or not. The closing sum is the number of
// batches sent before and received after (or never), minus the number of those sent after and received
// before: all others cancel or are not counted.
//  1. No batch was sent after and received before. It was sent after the round had begun, so its receiver
//     became black by it and was black at its visit, for only a visit (of rank 0: the beginning of the
//     round) washes. Then the closing would have seen black.
//  2. So, the sum being zero, no batch was sent before and received after, or is under way since.
//  3. Suppose some rank became active after its visit, and take the first. It received a batch after its
//     visit; by 2 that was sent after its sender's visit, so its sender had become active before: it was
//     not the first. So nobody became active after its visit, nobody sent, and every batch was sent and
//     received before the visits. All are passive and nothing is under way.
//
// Why it ends. Once all are passive and nothing is under way, the round under way comes back, the next one
// washes every rank white, and the one after that, with the true balances, closes the phase.
//
// The token also carries how far the phase was asked to stop. Asking is no batch of records and is not
// counted, so it may come late, even after the closing. That does no harm: a rank that drops or keeps
// back work does so before its visit in the closing round, for it has no work and gets none afterwards.
// So the closing token knows of it, and what it says is the truth on all ranks.

#include <cstdint>
#include <optional>

#include "dcheck/base/ids.hpp"

namespace dcheck {

/// How a phase may be asked to end early. The larger one wins.
enum class Stop : std::uint8_t {
  none,
  pause,  // records under way are delivered and handled, work is kept: the phase can be gone on with
  drop    // nobody needs the rest: work and records may be dropped
};

struct Token {
  std::int64_t balance = 0;
  bool is_black = false;
  Stop stop = Stop::none;
};

/// One rank's part of the ring, for one phase. Plain data: no pointers, nothing under way inside.
class TokenRing {
 public:
  TokenRing(Rank rank, int size) : _rank(rank), _size(size), _has_token(rank == rank_0) {}

  Rank next() const { return static_cast<Rank>((_rank == rank_0 ? _size : static_cast<int>(_rank)) - 1); }

  /// For every batch of records that is handed to, or taken from, the transport.
  void count_sent() { ++_balance; }
  void count_received() {
    --_balance;
    _is_black = true;
  }

  /// The token has come.
  void take(const Token& token);

  /// The rank is passive now, and was asked to stop so far. Returns the token where it is here and must
  /// be sent to next(); on rank 0 closes the phase where it is over.
  std::optional<Token> pass(Stop stop);

  /// Rank 0 only: the phase is closed, and what its stop came to on all ranks together.
  bool is_over() const { return _is_over; }
  Stop stop() const { return _token.stop; }

  /// How often the token was passed on from here.
  std::uint64_t rounds() const { return _rounds; }

 private:
  Rank _rank;
  int _size;
  std::int64_t _balance = 0;
  bool _is_black = false, _has_token, _has_gone_round = false, _is_over = false;
  Token _token;
  std::uint64_t _rounds = 0;
};

}  // namespace dcheck
