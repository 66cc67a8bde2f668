#pragma once
// Batches of the usual size that wait to be used again, so that their pages are touched once.

#include <utility>
#include <vector>

#include "dcheck/comm/transport/batch.hpp"

namespace dcheck {

class BatchPool {
 public:
  void set_usual(std::size_t payload_words) {
    if (payload_words != _usual) _free.clear();
    _usual = payload_words;
  }

  /// Notes of a few words are made anew: a whole buffer for each would be a waste.
  Batch take(std::size_t payload_words) {
    if (payload_words <= note_words || payload_words > _usual) return Batch(payload_words);
    if (_free.empty()) return Batch(_usual);
    Batch batch = std::move(_free.back());
    _free.pop_back();
    return batch;
  }

  void give_back(Batch batch) {
    if (batch.capacity() != _usual || _usual <= note_words) return;
    batch.set_used(0);
    _free.push_back(std::move(batch));
  }

 private:
  static constexpr std::size_t note_words = 16;

  std::size_t _usual = 0;
  std::vector<Batch> _free;
};

}  // namespace dcheck
