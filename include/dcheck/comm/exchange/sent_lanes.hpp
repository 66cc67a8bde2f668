#pragma once
// Remembers lanes that were sent, so that they are not sent again: a direct-mapped cache by key. It may
// forget, and never claims what was not sent. Where there are no masks it remembers keys.
//
// For idempotent phases only; emptied at every phase, and so at every change of the plan.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "dcheck/comm/exchange/records.hpp"

namespace dcheck {

class SentLanes {
 public:
  /// Forgets everything; takes about `bytes` bytes from now on, and at least what two keys need.
  void reset(const RecordShape& shape, std::size_t bytes) {
    _key_words = shape.key_words;
    _mask_words = shape.mask_words;
    const std::size_t entries = std::bit_floor(std::max<std::size_t>(2, bytes / (entry_words() * 8)));
    _shift = std::countl_zero(entries - 1);
    _words.assign(entries * entry_words(), 0);
    if (entry_words() == 1) forget_words();
  }

  /// Writes the lanes of `mask` that are not known to be sent to `fresh`, and remembers them. False where
  /// there are none. `place`: a hash of the key, of which the highest bits are used. Mask words > 0.
  template <int K, int M>
  bool add(const std::uint64_t* key, std::uint64_t place, const std::uint64_t* mask, std::uint64_t* fresh) {
    const std::size_t keys = words_or<K>(_key_words), masks = words_or<M>(_mask_words);
    std::uint64_t* const entry = entry_at<K, M>(place);
    std::uint64_t* const known = entry + keys;
    if (!equal_words(entry, key, keys)) {
      copy_words(entry, key, keys);
      copy_words(known, mask, masks);
      copy_words(fresh, mask, masks);
      return true;
    }
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < masks; ++i) {
      fresh[i] = mask[i] & ~known[i];
      known[i] |= fresh[i];
      any |= fresh[i];
    }
    return any != 0;
  }

  /// No masks: false where the key is known to be sent. No branch on that: nobody could predict it. Keys of one word
  /// have a place of their own.
  template <int K>
  bool add_key(const std::uint64_t* key, std::uint64_t place) {
    const std::size_t keys = words_or<K>(_key_words);
    if (keys == 1) {
      std::uint64_t& known = _words[place_of_word(*key) >> _shift];
      const bool is_new = known != *key;
      known = *key;
      return is_new;
    }
    std::uint64_t* const entry = entry_at<K, 0>(place);
    std::uint64_t difference = entry[keys] ^ 1;
    for (std::size_t i = 0; i < keys; ++i) {
      difference |= entry[i] ^ key[i];
      entry[i] = key[i];
    }
    entry[keys] = 1;
    return difference != 0;
  }

  /// Starts to fetch the entry of a key of one word without masks.
  void fetch(std::uint64_t key) const { __builtin_prefetch(_words.data() + (place_of_word(key) >> _shift), 1); }

 private:
  static std::uint64_t place_of_word(std::uint64_t key) { return key * 0x9E3779B97F4A7C15U; }
  /// Every entry gets a key whose place is elsewhere: nobody has sent it, and nobody will look for it there.
  void forget_words() {
    const std::size_t place_of_0 = place_of_word(0) >> _shift;
    std::uint64_t other = 1;
    while (place_of_word(other) >> _shift == place_of_0) ++other;
    _words[place_of_0] = other;
  }

  /// A key and its mask; without masks a word that says that the key was sent, but for keys of one word.
  std::size_t entry_words() const { return _key_words + (_mask_words != 0 ? _mask_words : _key_words == 1 ? 0 : 1); }
  template <int K, int M>
  std::uint64_t* entry_at(std::uint64_t place) {
    const std::size_t words = words_or<K>(_key_words) + std::max<std::size_t>(1, words_or<M>(_mask_words));
    return _words.data() + (place >> _shift) * words;
  }

  std::size_t _key_words = 1, _mask_words = 0;
  int _shift = 63;
  // The key, then its lanes that were sent (an empty entry has none), or 1 where there are no masks; just the key where
  // it has one word and there are no masks.
  std::vector<std::uint64_t> _words;
};

}  // namespace dcheck
