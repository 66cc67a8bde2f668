#include "dcheck/comm/exchange/token_ring.hpp"

#include <algorithm>
#include <stdexcept>

namespace dcheck {

void TokenRing::take(const Token& token) {
  if (_has_token) throw std::logic_error("a second token came");
  _token = token;
  _has_token = true;
}

std::optional<Token> TokenRing::pass(Stop stop) {
  if (!_has_token || _is_over) return std::nullopt;
  Token sum{_token.balance + _balance, _token.is_black || _is_black, std::max(_token.stop, stop)};
  const bool closes = _rank == rank_0 && (_has_gone_round || _size == 1) && !sum.is_black && sum.balance == 0;
  if (closes) {
    _token = sum;
    _is_over = true;
    return std::nullopt;
  }
  _is_black = false;
  _has_token = false;
  _has_gone_round = true;
  ++_rounds;
  return _rank == rank_0 ? Token{} : sum;
}

}  // namespace dcheck
