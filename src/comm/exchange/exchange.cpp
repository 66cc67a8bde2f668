#include "dcheck/comm/exchange/exchange.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "comm/exchange/packing.hpp"
#include "dcheck/base/finally.hpp"
#include "dcheck/base/narrow.hpp"

namespace dcheck {

namespace {

// Counts of words are int in MPI, counts of records 32 bits in the header.
constexpr std::size_t largest_buffer = std::size_t{1} << 30;
// Of all ranks of one process together: each has a buffer for each other.
constexpr std::size_t buffers_of_process = std::size_t{4} << 30;

std::size_t most_buffer_bytes(const Transport& transport) {
  const auto ranks = static_cast<std::size_t>(transport.size());
  const std::size_t pairs = ranks * static_cast<std::size_t>(transport.ranks_in_process());
  return std::min(largest_buffer, buffers_of_process / pairs);
}

}  // namespace

Exchange::Exchange(Cluster& cluster, const ExchangeOptions& options)
    : _cluster(cluster),
      _transport(cluster.transport()),
      _options(options),
      _flush_after_ns(options.flush_after_ms * 1'000'000),
      _ring(cluster.rank(), cluster.size()),
      _boxes(static_cast<std::size_t>(cluster.size())),
      _packer(std::make_unique<Packer>()) {
  _options.buffer_bytes = std::min(_options.buffer_bytes, most_buffer_bytes(_transport));
  if (_options.max_in_flight == 0) _options.max_in_flight = 2 * _boxes.size() + 2;
}

Exchange::~Exchange() = default;

void Exchange::begin(const RecordShape& shape, Merging merging, std::uint32_t plan, Handler handler) {
  if (_is_running) throw std::logic_error("a phase begins before the last one is over");
  if (shape.key_words == 0 || (merging == Merging::counting) != shape.has_transition)
    if (merging != Merging::none) throw std::logic_error("these records cannot be merged so");
  _shape = shape;
  _merging = merging;
  _plan = plan;
  _handler = std::move(handler);
  _phase = _cluster.begin_phase();
  _capacity = std::max<std::uint64_t>(1, _options.buffer_bytes / 8 / shape.words());
  _ring = TokenRing(_cluster.rank(), _cluster.size());
  _stop = _asked = Stop::none;
  _is_running = true;
  _now = _oldest = _transport.now();
  if (_cluster.size() == 1) return;
  _transport.set_batch_words(_capacity * shape.words());
  if (merging == Merging::idempotent) _sent.reset(shape, _options.cache_bytes);
}

void Exchange::open(Rank to) {
  if (!_is_running || _is_handling) refuse_commit();
  Batch batch = _transport.take_batch(_capacity * _shape.words());
  const bool is_indexed = _merging != Merging::none && _shape.mask_words != 0;
  _boxes[index(to)].open(std::move(batch), _shape, _capacity, is_indexed, _now);
}

void Exchange::flush(Rank to, Cause cause) {
  if (_is_handling) refuse_commit();
  const std::uint64_t begin = _transport.now();
  const std::uint64_t other_before = _figures.receiving_ns + _figures.handling_ns;
  if (_stop != Stop::drop) wait_for_room();
  Outbox& box = _boxes[index(to)];
  const std::uint64_t records = box.count();
  Batch batch = box.close();
  if (_stop == Stop::drop) {
    _figures.dropped_records += records;
    _transport.give_back(std::move(batch));
    return;
  }
  batch = seal(std::move(batch), records);
  _figures.records += records;
  ++_figures.messages;
  _figures.bytes += batch.wire_words() * 8;
  ++(cause == Cause::full      ? _figures.full_flushes
     : cause == Cause::timeout ? _figures.timeout_flushes
                               : _figures.idle_flushes);
  _ring.count_sent();
  _transport.send(to, std::move(batch));
  _now = _transport.now();
  _figures.sending_ns += _now - begin - (_figures.receiving_ns + _figures.handling_ns - other_before);
}

Batch Exchange::seal(Batch batch, std::uint64_t records) {
  BatchHeader header{BatchKind::records, _phase, _plan, narrow<std::uint32_t>(records)};
  const std::size_t words = _shape.mask_words == 0 ? 0 : _packer->measure(_shape, batch.payload(), records);
  if (words != 0) {
    Batch packed = _transport.take_batch(words);
    _packer->pack(packed.payload());
    packed.set_used(words);
    header.kind = BatchKind::packed;
    _transport.give_back(std::exchange(batch, std::move(packed)));
  }
  batch.set_header(header);
  return batch;
}

void Exchange::flush_all(std::uint64_t until, Cause cause) {
  std::uint64_t oldest = _now;
  for (const Rank to : _cluster.all_ranks()) {
    Outbox& box = _boxes[index(to)];
    if (box.count() == 0)
      box.set_opened_at(_now);
    else if (box.opened_at() <= until)
      flush(to, cause);
    else
      oldest = std::min(oldest, box.opened_at());
  }
  _oldest = oldest;
}

void Exchange::wait_for_room() {
  while (_transport.unfinished() >= _options.max_in_flight && _stop != Stop::drop)
    if (!take_one()) _transport.idle();
}

bool Exchange::take_one() {
  const std::uint64_t begin = _transport.now();
  std::optional<Arrival> arrival = _cluster.take(_phase);
  _now = _transport.now();
  _figures.receiving_ns += _now - begin;
  if (!arrival) return false;
  const std::uint64_t* words = arrival->batch.payload();
  switch (arrival->batch.header().kind) {
    case BatchKind::records:
    case BatchKind::packed:
      handle_records(*arrival);
      break;
    case BatchKind::token:
      _ring.take({static_cast<std::int64_t>(words[0]), words[1] != 0, static_cast<Stop>(words[2])});
      break;
    case BatchKind::stop:
      _stop = std::max(_stop, static_cast<Stop>(words[0]));
      break;
    case BatchKind::over:
      end_phase(static_cast<Stop>(words[0]));
      break;
    default:
      throw std::logic_error("a batch of no kind that belongs to a phase");
  }
  _transport.give_back(std::move(arrival->batch));
  return true;
}

void Exchange::handle_records(Arrival& arrival) {
  const BatchHeader header = arrival.batch.header();
  const bool is_packed = header.kind == BatchKind::packed;
  if (header.plan != _plan || (!is_packed && arrival.batch.used().size() != header.records * _shape.words()))
    throw std::logic_error("records of another plan or shape came");
  _ring.count_received();
  ++_figures.received_messages;
  _figures.received_records += header.records;
  if (_stop == Stop::drop) {
    _figures.dropped_records += header.records;
    return;
  }
  if (is_packed) _transport.give_back(std::exchange(arrival.batch, unpacked(arrival.batch)));
  {
    // A handler may throw, and the phase can still be ended then.
    const Finally has_handled([&] { _is_handling = false; });
    _is_handling = true;
    _handler({arrival.from, _shape, header.records, arrival.batch.payload()});
  }
  _has_handled = true;
  const std::uint64_t begin = std::exchange(_now, _transport.now());
  _figures.handling_ns += _now - begin;
}

Batch Exchange::unpacked(const Batch& batch) {
  const std::uint64_t begin = _now;
  const std::size_t records = batch.header().records;
  Batch plain = _transport.take_batch(records * _shape.words());
  unpack(batch.used(), _shape, records, plain.payload());
  _now = _transport.now();
  _figures.receiving_ns += _now - begin;
  return plain;
}

bool Exchange::handle_some() {
  for (std::size_t i = 0; i < 2 * _options.max_in_flight && _is_running; ++i)
    if (!take_one()) break;
  return std::exchange(_has_handled, false);
}

void Exchange::commit_words(const std::uint64_t* keys, const Rank* to, std::size_t count) {
  if (_merging != Merging::idempotent || _shape.words() != 1) refuse_commit();
  for (std::size_t i = 0; i < count; ++i) _sent.fetch(keys[i]);
  std::uint64_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Outbox& box = _boxes[index(to[i])];
    if (!box.is_open()) [[unlikely]]
      open(to[i]);
    *box.end() = keys[i];
    const bool is_wanted = _sent.add_key<1>(keys + i, 0);
    box.append_if<1, 0>(is_wanted, false);
    kept += is_wanted ? 1 : 0;
    if (box.count() == _capacity) [[unlikely]]
      flush(to[i], Cause::full);
  }
  _figures.suppressed += count - kept;
}

bool Exchange::poll() {
  if (_cluster.size() == 1) return false;
  const bool has_handled = handle_some();
  if (_is_running && _now - _oldest >= _flush_after_ns) flush_all(_now - _flush_after_ns, Cause::timeout);
  return std::exchange(_has_handled, false) || has_handled;
}

bool Exchange::is_over(bool is_passive) {
  if (!_is_running) return true;
  if (poll() || !is_passive) return !_is_running;
  if (!_is_running) return true;
  flush_all(_now, Cause::idle);
  // Waiting to send may have brought work.
  if (std::exchange(_has_handled, false)) return false;
  pass_token();
  if (!_is_running) return true;
  const std::uint64_t begin = _transport.now();
  _transport.idle();
  _now = _transport.now();
  _figures.idle_ns += _now - begin;
  return false;
}

void Exchange::pass_token() {
  const std::optional<Token> token = _ring.pass(_stop);
  if (token) {
    const std::uint64_t words[] = {static_cast<std::uint64_t>(token->balance), token->is_black ? 1U : 0U,
                                   static_cast<std::uint64_t>(token->stop)};
    send_note(_ring.next(), BatchKind::token, words);
  } else if (_ring.is_over()) {
    send_to_others(BatchKind::over, static_cast<std::uint64_t>(_ring.stop()));
    end_phase(_ring.stop());
  }
}

void Exchange::ask_to_stop(Stop stop) {
  if (!_is_running || stop <= _asked) return;
  _asked = stop;
  _stop = std::max(_stop, stop);
  send_to_others(BatchKind::stop, static_cast<std::uint64_t>(stop));
}

void Exchange::send_note(Rank to, BatchKind kind, std::span<const std::uint64_t> words) {
  Batch batch = _transport.take_batch(words.size());
  batch.set_header({kind, _phase, _plan, 0});
  copy_words(batch.payload(), words.data(), words.size());
  batch.set_used(words.size());
  _transport.send(to, std::move(batch));
}

void Exchange::send_to_others(BatchKind kind, std::uint64_t word) {
  _transport.for_each_other_rank([&](Rank to) { send_note(to, kind, {&word, 1}); });
}

void Exchange::end_phase(Stop stop) {
  _is_running = false;
  _stop = stop;
  _figures.token_rounds += _ring.rounds();
  for (Outbox& box : _boxes) {
    if (box.count() != 0) throw std::logic_error("a phase was closed while records waited to be sent");
    if (box.is_open()) _transport.give_back(box.close());
  }
}

void Exchange::refuse_overlap() {
  throw std::logic_error("two records with the same key and transition have a lane in common");
}

void Exchange::refuse_commit() {
  throw std::logic_error("a record was written outside a phase, in a handler, or with the wrong shape");
}

}  // namespace dcheck
