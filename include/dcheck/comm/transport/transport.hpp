#pragma once
// How batches get from rank to rank. Called by Cluster and Exchange only, one virtual call a batch and
// never one a record; from one thread of each rank.
//
// Every transport guarantees:
//   - what is sent arrives exactly once, and two batches from one rank to another arrive in the order in
//     which they were sent; nothing is promised across pairs of ranks;
//   - send() and receive() never wait for anybody;
//   - a send is unfinished until its receiver has taken it up in receive(). So a bound on unfinished
//     sends bounds the memory of sender, network and receiver together.

#include <cstdint>
#include <optional>
#include <string>

#include "dcheck/comm/transport/batch.hpp"

namespace dcheck {

class Transport {
 public:
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  Rank rank() const { return _rank; }
  int size() const { return _size; }
  FirstIds<Rank> all_ranks() const { return FirstIds<Rank>(static_cast<std::size_t>(_size)); }
  template <typename Visit>
  void for_each_other_rank(Visit&& visit) const {
    for (const Rank other : all_ranks())
      if (other != _rank) visit(other);
  }
  /// How many of the ranks are on this one's machine, itself included.
  int ranks_on_host() const { return _ranks_on_host; }
  /// How many of them are in this one's process and share its memory. More than one: they are threads, for a test or in
  /// virtual time.
  int ranks_in_process() const { return _ranks_in_process; }

  /// How much payload most batches will have room for: those are pooled, others are made as needed.
  virtual void set_batch_words(std::size_t payload_words) = 0;
  /// A batch with room for at least so many words of payload and nothing in it.
  virtual Batch take_batch(std::size_t payload_words) = 0;
  virtual void give_back(Batch batch) = 0;

  /// @pre `to` is another rank, and the header is set.
  virtual void send(Rank to, Batch batch) = 0;
  /// The next batch that has come, if any.
  virtual std::optional<Arrival> receive() = 0;
  /// How many sends of this rank are unfinished now.
  virtual std::size_t unfinished() = 0;

  /// Called when there is nothing to do until something comes: gives the core away for a moment, longer
  /// (up to about 1 ms) the more often it is called in a row with nothing sent or received.
  virtual void idle() = 0;

  /// Nanoseconds since some moment in the past. Cost: some 25 ns.
  virtual std::uint64_t now() = 0;

  /// A rank that is silent for so long, whatever it or others are doing, ends the job: its machine, its link or its
  /// process is gone. 0: never. Until it is called, a generous time. Where ranks cannot be lost nothing happens.
  virtual void set_dead_after(double /*seconds*/) {}

  /// Ends the job at once, for when others do not answer: says `message` on stderr where it can.
  [[noreturn]] virtual void abort(const std::string& message, int exit_code) = 0;

  /// Tells the transport that all ranks have said goodbye (Cluster does), so that its destructor may
  /// close in peace. Without it the destructor ends the job.
  virtual void set_closed() = 0;

 protected:
  Transport(Rank rank, int size) : Transport(rank, size, size) {}
  Transport(Rank rank, int size, int ranks_on_host, int ranks_in_process = 1)
      : _rank(rank), _size(size), _ranks_on_host(ranks_on_host), _ranks_in_process(ranks_in_process) {}

 private:
  Rank _rank;
  int _size, _ranks_on_host, _ranks_in_process;
};

}  // namespace dcheck
