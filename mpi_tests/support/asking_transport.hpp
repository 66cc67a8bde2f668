#pragma once
// Another transport, and after so many calls of it somebody asks this rank to stop: a signal at a moment that is the
// same each time.

#include "dcheck/base/stop_request.hpp"
#include "dcheck/comm/transport/transport.hpp"

namespace dcheck::test {

class AskingTransport final : public Transport {
 public:
  /// Both must outlive this one.
  AskingTransport(Transport& inner, StopRequest& request, int signal, std::uint64_t after_calls)
      : Transport(inner.rank(), inner.size(), inner.ranks_on_host()),
        _inner(inner),
        _request(request),
        _signal(signal),
        _left(after_calls) {}

  void set_batch_words(std::size_t payload_words) override { _inner.set_batch_words(payload_words); }
  Batch take_batch(std::size_t payload_words) override { return _inner.take_batch(payload_words); }
  void give_back(Batch batch) override { _inner.give_back(std::move(batch)); }
  void send(Rank to, Batch batch) override {
    count();
    _inner.send(to, std::move(batch));
  }
  std::optional<Arrival> receive() override {
    count();
    return _inner.receive();
  }
  std::size_t unfinished() override { return _inner.unfinished(); }
  void idle() override { _inner.idle(); }
  std::uint64_t now() override { return _inner.now(); }
  void abort(const std::string& message, int exit_code) override { _inner.abort(message, exit_code); }
  void set_closed() override { _inner.set_closed(); }

 private:
  void count() {
    if (_left == 0) return;
    if (--_left == 0) _request.ask(_signal);
  }

  Transport& _inner;
  StopRequest& _request;
  int _signal;
  std::uint64_t _left;
};

}  // namespace dcheck::test
