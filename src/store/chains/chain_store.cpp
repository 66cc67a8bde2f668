#include "store/chains/chain_store.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/finally.hpp"

namespace dcheck {

namespace {
constexpr std::uint64_t least_cache = 1024;
constexpr std::uint32_t links_worth_a_block = 64;  // saved by an update for which a block is written anew
constexpr std::uint32_t most_alike = 4;            // rows with one descriptor, before others get a second one

KeyEffects::Alike alike_for(const StoreChoice& choice) {
  if (choice.kind == StoreChoice::Kind::difference) return KeyEffects::Alike::places;
  return choice.family_labels ? KeyEffects::Alike::family : KeyEffects::Alike::effect;
}
}  // namespace

ChainStore::ChainStore(const Plan& plan, const StoreChoice& choice, std::uint32_t k, MemoryBudget* budget)
    : RowStore(plan.layout().stored_words(), plan.hash_factors()),
      _choice(choice),
      _k(k),
      _has_values(choice.kind == StoreChoice::Kind::difference),
      _walks_back(choice.backward_firing && !choice.family_labels),
      _budget(budget),
      _effects(plan, alike_for(choice)),
      _index(empty_index()),
      _links(budget),
      _values(budget),
      _keys(plan.layout().stored_words(), plan.layout().stored_bytes(), choice.collapse, budget),
      _cache(_words, budget),
      _lookup(_words),
      _parents(_words),
      _made(_words),
      _parent_keys(_words * batch_limit),
      _parent_hashes(batch_limit),
      _parent_effects(batch_limit),
      _visited_key(_words) {
  resize_cache();
}

void ChainStore::insert(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes,
                        std::span<const Via> vias, std::span<Inserted> out) {
  if (!_has_index) make_index();
  look_up(keys, hashes, _lookup);
  _young.reset();
  const auto first = static_cast<Row>(_size);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const std::uint64_t* const key = keys.data() + i * _words;
    const Via via = vias.empty() ? Via{} : vias[i];
    Row row = _lookup.found[i];
    if (row != none) {
      if (via.parent != Via::unknown) shorten(hashes[i], row, _lookup.depth[i], via);
      out[i] = {row, false};
      continue;
    }
    row = find_young(keys, key, _lookup.hash[i], first);
    if (row != none) {
      out[i] = {row, false};
      continue;
    }
    row = append(key, hashes[i], _lookup.hash[i], via);
    _source[row - first] = static_cast<std::uint8_t>(i);
    _young.set(_lookup.hash[i] % _young.size());
    out[i] = {row, true};
  }
}

ChainStore::Row ChainStore::append(const std::uint64_t* key, std::uint64_t hash, std::uint64_t mixed, const Via& via) {
  if (_size >= std::numeric_limits<Row>::max() - 1) throw ResourceError("more than 2^32 rows on one rank");
  const bool is_whole = _links.size() == _size && _keys.size() == _links.explicit_count();
  if (!is_whole || (_has_values && _values.size() != _size))  // memory ended in the midst of a row
    throw ResourceError(_budget != nullptr ? _budget->reason : MemoryBudget().reason);
  Parent parent;
  if (via.parent != Via::unknown)
    parent = {via.parent, _effects.effect_of(via.transition), depth_of(via.parent)};
  else if (parent = find_parent(key, hash); parent.row != none)
    ++_figures.parents_found;

  const auto row = static_cast<Row>(_size);
  Depth depth = parent.depth + 1;
  std::uint64_t* why_explicit = nullptr;
  if (parent.row == none)
    why_explicit = &_figures.explicit_without_parent;
  else if (!fits(depth))
    why_explicit = &_figures.explicit_by_k;
  else if (!is_told_apart(hash, parent.effect))
    why_explicit = &_figures.explicit_by_label;
  append_row(key, parent, why_explicit != nullptr);
  if (why_explicit != nullptr) {
    ++*why_explicit;
    depth = 0;
  }
  _index.insert(mixed, row);
  _figures.chain_links += depth;
  _figures.longest_chain = std::max<std::uint64_t>(_figures.longest_chain, depth);
  if (++_size >= _next_resize) resize_cache();
  _cache.put(row, depth, key);
  return row;
}

void ChainStore::append_row(const std::uint64_t* key, const Parent& parent, bool is_explicit) {
  if (is_explicit) {
    _keys.append(key);
    if (_has_values) _values.append_explicit();
    _links.append_explicit();
    return;
  }
  const std::uint32_t label = _effects.label_for(parent.effect);
  if (_has_values) _values.append(_effects.runs_of(label), key);
  _links.append(parent.row, label);
}

/// Whether a family's label, and the descriptor of the key, say which of the family's effects leads to the key.
bool ChainStore::is_told_apart(std::uint64_t hash, std::uint32_t effect) const {
  if (!_choice.family_labels) return true;
  const std::uint64_t before = hash - _effects.hash_delta(effect);
  const std::uint64_t descriptor = _index.descriptor(mixed_bits(hash));
  for (const std::uint32_t other : _effects.family_of(effect))
    if (other != effect && _index.descriptor(mixed_bits(before + _effects.hash_delta(other))) == descriptor)
      return false;
  return true;
}

/// The row was found again, over another parent: the shorter chain is kept.
void ChainStore::shorten(std::uint64_t hash, Row row, Depth depth, const Via& via) {
  if (!_choice.update_predecessors || _has_values || depth <= 1) return;
  const Depth next = depth_of(via.parent) + 1;
  if (next >= depth) return;
  const std::uint32_t effect = _effects.effect_of(via.transition);
  const std::uint32_t label = _effects.label_for(effect);
  const bool may_rewrite = depth - next >= links_worth_a_block;
  if (!may_rewrite && !_links.has_room_for(row, via.parent, label)) return;
  depth = count_links(row);
  _cache.set_depth(row, depth);
  if (next >= depth || !is_told_apart(hash, effect)) return;
  _links.update(row, via.parent, label);
  _cache.set_depth(row, next);
  ++_figures.updated_predecessors;
}

void ChainStore::resize_cache() {
  const std::uint64_t affordable = _size / 4 * 3 / _cache.bytes_a_place();  // three quarters of a byte per row
  const std::uint64_t most = _choice.cache_rows.value_or(std::max(least_cache, affordable));
  const std::uint64_t places = std::min(most, std::max(least_cache, 2 * _size));
  if (places != _cache.places()) _cache.resize(places);
  const bool is_final = _choice.cache_rows && places == *_choice.cache_rows;
  _next_resize = is_final ? ~std::uint64_t{0} : _size + std::max(least_cache, _size / 4);
}

void ChainStore::condense() {
  if (_choice.family_labels) return;
  _index = empty_index();
  _has_index = false;
  const std::uint64_t places = std::min(_cache.places(), least_cache);
  _cache = KeyCache(_words, _budget);
  _cache.resize(places);
}

TwoLevelIndex ChainStore::empty_index() const {
  return {_choice.hash_bits, _has_values ? most_alike : 0, _budget};
}

/// Of all rows, by walking over them once. Somebody else may be walking, and goes on afterwards where he was.
void ChainStore::make_index() {
  _index = empty_index();
  std::vector<std::uint64_t> at(_words);
  const Finally go_on([&, visited = _visited, visited_key = _visited_key] {
    _visited = visited;
    std::copy(visited_key.begin(), visited_key.end(), _visited_key.begin());
  });
  for_each([&](Row row) {
    key(row, at.data());
    _index.insert(mixed_bits(linear_hash(at.data())), row);
  });
  _has_index = true;
  _next_resize = _size;
}

std::size_t ChainStore::bytes() const {
  return _index.bytes() + _links.bytes() + _values.bytes() + _keys.bytes() + _cache.bytes() + _effects.bytes();
}

StoreFigures ChainStore::figures() const {
  StoreFigures figures = _figures;
  figures.index_bytes = _index.bytes();
  figures.link_bytes = _links.bytes() + _values.bytes() + _effects.bytes();
  figures.key_bytes = _keys.bytes();
  figures.cache_bytes = _cache.bytes();
  figures.explicit_rows = _links.explicit_count();
  figures.second_level_rows = _index.second_size();
  return figures;
}

}  // namespace dcheck
