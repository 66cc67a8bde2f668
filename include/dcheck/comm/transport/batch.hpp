#pragma once
// What travels between ranks: a batch is a header of two words and a payload of 64-bit words, in one
// piece of memory that is sent as it lies there. Ranks are of one kind of machine: nothing is converted.
//
// A batch is owned by exactly one place at a time: an output buffer, the transport while it is under
// way, the one who handles it. It comes from and goes back to Transport::take_batch and give_back.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "dcheck/base/ids.hpp"

namespace dcheck {

enum class BatchKind : std::uint32_t {
  records,  // of a phase
  packed,   // of a phase: records too, in fewer words
  token,    // of a phase: the ring's (token_ring.hpp)
  stop,     // of a phase: somebody asks to stop it
  over,     // of a phase: rank 0 says that it is closed
  cold,     // part of a collective (cluster.hpp)
  report,   // to rank 0: the sender failed
  failure,  // from rank 0: the cluster ends, and why
  goodbye,  // the last batch from its sender
  // Side notes (side_notes.hpp):
  asked_to_stop,  // somebody asks the run to stop, by this signal
  how_are_you,    // from rank 0
  status          // the answer
};

/// Which of the kinds belong to a phase of an exchange.
constexpr bool is_of_phase(BatchKind kind) {
  return kind <= BatchKind::over;
}

/// Which of them nobody waits for.
constexpr bool is_side_note(BatchKind kind) {
  return kind >= BatchKind::asked_to_stop;
}

struct BatchHeader {
  BatchKind kind = BatchKind::records;
  std::uint32_t phase = 0;    // of an exchange; of a cold batch: the number of the collective
  std::uint32_t plan = 0;     // of the keys and lanes of its records
  std::uint32_t records = 0;  // in the payload; 0 where it has none
};

class Batch {
 public:
  static constexpr std::size_t header_words = 2;
  static_assert(sizeof(BatchHeader) == header_words * 8);

  /// No memory, no words.
  Batch() = default;
  /// Room for so many words of payload, not touched yet; used() is 0.
  explicit Batch(std::size_t capacity)
      : _words(std::make_unique_for_overwrite<std::uint64_t[]>(header_words + capacity)), _capacity(capacity) {}
  // An emptied batch has no capacity either: it is as a new one.
  Batch(Batch&& other) noexcept { swap(other); }
  Batch& operator=(Batch&& other) noexcept {
    Batch taken(std::move(other));
    swap(taken);
    return *this;
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() = default;

  std::size_t capacity() const { return _capacity; }
  BatchHeader header() const { return std::bit_cast<BatchHeader>(std::array{_words[0], _words[1]}); }
  void set_header(const BatchHeader& header) {
    const auto words = std::bit_cast<std::array<std::uint64_t, header_words>>(header);
    std::copy(words.begin(), words.end(), _words.get());
  }

  std::uint64_t* payload() { return _words.get() + header_words; }
  std::span<const std::uint64_t> used() const { return {_words.get() + header_words, _used}; }
  void set_used(std::size_t payload_words) { _used = payload_words; }

  /// Header and payload, as they travel.
  std::uint64_t* wire() { return _words.get(); }
  std::size_t wire_words() const { return header_words + _used; }

 private:
  void swap(Batch& other) noexcept {
    std::swap(_words, other._words);
    std::swap(_capacity, other._capacity);
    std::swap(_used, other._used);
  }

  std::unique_ptr<std::uint64_t[]> _words;
  std::size_t _capacity = 0, _used = 0;
};

/// A batch that has come, and who sent it.
struct Arrival {
  Rank from{};
  Batch batch;
};

}  // namespace dcheck
