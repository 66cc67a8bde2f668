// Finding keys among chains.

#include <cstring>

#include "dcheck/base/bits.hpp"
#include "store/chains/chain_store.hpp"

namespace dcheck {

namespace {
constexpr std::uint32_t tested_links = 2;
}  // namespace

bool ChainStore::same(const std::uint64_t* a, const std::uint64_t* b) const {
  return std::memcmp(a, b, _words * 8) == 0;
}

void ChainStore::find(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes, std::span<Row> out) {
  if (!_has_index) make_index();
  look_up(keys, hashes, _lookup);
  std::copy_n(_lookup.found.begin(), hashes.size(), out.begin());
}

void ChainStore::look_up(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes, Lookup& lookup) {
  const std::size_t count = hashes.size();
  for (std::size_t i = 0; i < count; ++i) {
    lookup.hash[i] = mixed_bits(hashes[i]);
    _index.prefetch(lookup.hash[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    lookup.candidate[i] = _index.first(lookup.hash[i]);
    if (lookup.candidate[i].row == none) continue;
    _cache.prefetch(lookup.candidate[i].row);
    prefetch_link(lookup.candidate[i].row);
  }
  std::size_t open = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (begin_walk(keys.data() + i * _words, i, lookup)) lookup.open[open++] = static_cast<std::uint8_t>(i);
  while (open != 0) {
    std::size_t still_open = 0;
    for (std::size_t o = 0; o < open; ++o) {
      const std::size_t i = lookup.open[o];
      if (walk_on(keys.data() + i * _words, i, lookup)) lookup.open[still_open++] = lookup.open[o];
    }
    open = still_open;
  }
}

void ChainStore::note_found(Row row, Depth depth, std::size_t i, Lookup& lookup) {
  lookup.found[i] = row;
  lookup.depth[i] = depth;
}

/// Takes the next candidate whose key is not at hand, and true; false where the answer is known without one.
bool ChainStore::begin_walk(const std::uint64_t* key, std::size_t i, Lookup& lookup) {
  for (TwoLevelIndex::Candidates& at = lookup.candidate[i]; at.row != none; _index.advance(at, lookup.hash[i])) {
    ++_figures.comparisons;
    const std::uint64_t* known = _cache.find(at.row);
    if (known == nullptr && _walks_back) {
      std::uint64_t* const undone = lookup.undone.data() + i * _words;
      if (_has_values)
        std::memset(undone, 0, _words * 8);
      else
        std::memcpy(undone, key, _words * 8);
      lookup.at[i] = at.row;
      lookup.links[i] = 0;
      lookup.anchor[i] = none;
      return true;
    }
    if (known == nullptr) {
      _figures.comparison_links += count_links(at.row);
      make_key(at.row, _made.data());
      known = _made.data();
    } else {
      ++_figures.cache_hits;
    }
    if (!same(known, key)) continue;
    note_found(at.row, _cache.find(at.row) != nullptr ? _cache.depth(at.row) : count_links(at.row), i, lookup);
    return false;
  }
  lookup.found[i] = none;
  return false;
}

/// One link up the chain; false once the answer is known.
bool ChainStore::walk_on(const std::uint64_t* key, std::size_t i, Lookup& lookup) {
  std::uint64_t* const undone = lookup.undone.data() + i * _words;
  bool is_same = false;
  Depth depth = lookup.links[i];
  if (lookup.anchor[i] != none) {
    is_same = ends_at(lookup.anchor[i], key, undone);
  } else {
    const LinkTable::Link link = _links.get(lookup.at[i]);
    if (link.is_explicit()) {
      lookup.anchor[i] = link.label;
      _keys.prefetch(link.label);
      return true;
    }
    ++_figures.comparison_links;
    if (take_back(lookup.at[i], link, depth, key, undone)) {
      lookup.links[i] = ++depth;
      lookup.at[i] = link.parent;
      const std::uint64_t* const known = _cache.find(link.parent);
      if (known == nullptr) {
        prefetch_link(link.parent);
        return true;
      }
      ++_figures.cache_hits;
      is_same = is_rest(known, key, undone);
      depth += _cache.depth(link.parent);
    }
  }
  if (is_same) {
    _cache.put(lookup.candidate[i].row, depth, key);
    note_found(lookup.candidate[i].row, depth, i, lookup);
    return false;
  }
  _index.advance(lookup.candidate[i], lookup.hash[i]);
  return begin_walk(key, i, lookup);
}

/// Takes the link of a row on the chain back; false: the key is another one than the chain's.
bool ChainStore::take_back(Row row, const LinkTable::Link& link, Depth depth, const std::uint64_t* key,
                           std::uint64_t* undone) {
  if (!_has_values) {
    const std::uint32_t effect = _effects.only_effect_of(link.label);
    // Another key is found out by its first links or hardly ever, so later ones are not tested.
    if (depth < tested_links && !_effects.can_undo(effect, undone)) return false;
    _effects.undo(effect, undone);
    return true;
  }
  LinkValues::Reader values(_values, _values.begin_of(row, _links, _effects));
  for (const BitRun& run : _effects.runs_of(link.label)) {
    const std::uint64_t differs = (key[run.word] ^ values.read(run.width) << run.shift) & run.mask();
    std::uint64_t& compared = undone[run.word];
    if ((differs & ~compared) != 0) return false;
    compared |= run.mask();
  }
  return true;
}

/// Whether a key up the chain is what was left of the key.
bool ChainStore::is_rest(const std::uint64_t* known, const std::uint64_t* key, const std::uint64_t* undone) const {
  if (!_has_values) return same(known, undone);
  for (std::size_t w = 0; w < _words; ++w)
    if (((known[w] ^ key[w]) & ~undone[w]) != 0) return false;
  return true;
}

/// The same for an explicit key.
bool ChainStore::ends_at(std::uint64_t explicit_key, const std::uint64_t* key, const std::uint64_t* undone) {
  if (!_has_values) return _keys.equals(explicit_key, undone);
  _keys.read(explicit_key, _made.data());
  return is_rest(_made.data(), key, undone);
}

/// A row from `first` on, one that this batch added, with this key.
ChainStore::Row ChainStore::find_young(std::span<const std::uint64_t> keys, const std::uint64_t* key,
                                       std::uint64_t mixed, Row first) const {
  if (!_young[mixed % _young.size()]) return none;
  for (TwoLevelIndex::Candidates at = _index.first(mixed); at.row != none; _index.advance(at, mixed))
    if (at.row >= first && same(keys.data() + _source[at.row - first] * _words, key)) return at.row;
  return none;
}

/// Takes every effect back, and looks which of the keys before are rows. A parent of a key needs no transition that is
/// enabled there, only the difference. Of several the one with the shortest chain.
ChainStore::Parent ChainStore::find_parent(const std::uint64_t* key, std::uint64_t hash) {
  Parent best;
  std::size_t count = 0;
  for (std::uint32_t effect = 0; effect < _effects.count(); ++effect) {
    if (!_effects.can_undo(effect, key)) continue;
    std::uint64_t* const before = _parent_keys.data() + count * _words;
    std::memcpy(before, key, _words * 8);
    _effects.undo(effect, before);
    _parent_hashes[count] = hash - _effects.hash_delta(effect);
    _parent_effects[count] = effect;
    if (++count < batch_limit) continue;
    try_parents(count, best);
    count = 0;
  }
  try_parents(count, best);
  return best;
}

void ChainStore::try_parents(std::size_t count, Parent& best) {
  look_up(std::span(_parent_keys).first(count * _words), std::span(_parent_hashes).first(count), _parents);
  for (std::size_t i = 0; i < count; ++i)
    if (_parents.found[i] != none && (best.row == none || _parents.depth[i] < best.depth))
      best = {_parents.found[i], _parent_effects[i], _parents.depth[i]};
}

}  // namespace dcheck
