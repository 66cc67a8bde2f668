#include "dcheck/comm/side_notes.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

namespace dcheck {

namespace {

void send(Transport& transport, Rank to, BatchKind kind, std::span<const std::uint64_t> words) {
  Batch batch = transport.take_batch(words.size());
  batch.set_header({kind, 0, 0, 0});
  std::copy(words.begin(), words.end(), batch.payload());
  batch.set_used(words.size());
  transport.send(to, std::move(batch));
}

}  // namespace

void SideNotes::tell_all(Transport& transport) {
  _has_told = true;
  const auto signal = static_cast<std::uint64_t>(_request->signal());
  transport.for_each_other_rank([&](Rank to) { send(transport, to, BatchKind::asked_to_stop, {&signal, 1}); });
}

void SideNotes::ask_all(Transport& transport) {
  transport.for_each_other_rank([&](Rank to) {
    if (_is_closed || _is_asked[index(to)]) return;
    _is_asked[index(to)] = true;
    send(transport, to, BatchKind::how_are_you, {});
  });
}

void SideNotes::take(const Arrival& arrival, Transport& transport) {
  const std::span<const std::uint64_t> words = arrival.batch.used();
  const std::size_t from = index(arrival.from);
  switch (arrival.batch.header().kind) {
    case BatchKind::asked_to_stop:
      if (_request != nullptr) _request->ask(static_cast<int>(words[0]));
      break;
    case BatchKind::how_are_you:
      if (!_is_closed) send(transport, arrival.from, BatchKind::status, _status);
      break;
    case BatchKind::status:
      std::copy_n(words.begin(), _status.size(), _statuses[from].begin());
      _is_asked[from] = false;
      break;
    default:
      throw std::logic_error("a batch that is no side note");
  }
}

}  // namespace dcheck
