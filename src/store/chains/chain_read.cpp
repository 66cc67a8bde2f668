// Reading keys out of chains.

#include <cstring>
#include <stdexcept>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/finally.hpp"
#include "store/chains/chain_store.hpp"

namespace dcheck {

/// Of a parent, which is asked for many times in a row; or more, where chains became shorter since.
ChainStore::Depth ChainStore::depth_of(Row row) {
  if (row == _asked) return _asked_depth;
  _asked = row;
  Depth links = 0;
  for (Row at = row;; ++links) {
    if (_cache.find(at) != nullptr) return _asked_depth = links + _cache.depth(at);
    const LinkTable::Link link = _links.get(at);
    if (link.is_explicit()) return _asked_depth = links;
    at = link.parent;
  }
}

ChainStore::Depth ChainStore::count_links(Row row) const {
  Depth links = 0;
  for (LinkTable::Link link = _links.get(row); !link.is_explicit(); link = _links.get(link.parent)) ++links;
  return links;
}

void ChainStore::key(Row row, std::uint64_t* out) {
  if (row == _visited) {
    std::memcpy(out, _visited_key.data(), _words * 8);
    return;
  }
  ++_figures.reads;
  if (const std::uint64_t* const known = _cache.find(row)) {
    ++_figures.cache_hits;
    std::memcpy(out, known, _words * 8);
    return;
  }
  make_key(row, out);
}

/// Up to the first row whose key is known, and down again. Rows on the way are remembered: neighbours have them in
/// common.
void ChainStore::make_key(Row row, std::uint64_t* out) {
  _path.clear();
  Depth depth = 0;
  for (Row at = row;;) {
    const std::uint64_t* const known = _path.empty() ? nullptr : _cache.find(at);
    if (known != nullptr) {
      std::memcpy(out, known, _words * 8);
      depth = _cache.depth(at);
      break;
    }
    const LinkTable::Link link = _links.get(at);
    if (link.is_explicit()) {
      _keys.read(link.label, out);
      _cache.put(at, 0, out);
      break;
    }
    _path.push_back({at, link.label});
    at = link.parent;
  }
  _figures.read_links += _path.size();
  std::uint64_t hash = _choice.family_labels ? linear_hash(out) : 0;
  for (auto step = _path.rbegin(); step != _path.rend(); ++step) {
    if (_has_values) {
      write_values(step->row, step->label, out);
    } else {
      const std::uint32_t effect = effect_into(step->row, step->label, hash);
      hash += _effects.hash_delta(effect);
      _effects.apply(effect, out);
    }
    _cache.put(step->row, ++depth, out);
  }
}

/// Which effect of a label leads to the row, from a key with this hash: the one that gives it the row's descriptor.
std::uint32_t ChainStore::effect_into(Row row, std::uint32_t label, std::uint64_t hash) const {
  const std::span<const std::uint32_t> effects = _effects.effects_of(label);
  if (effects.size() == 1) return effects.front();
  for (const std::uint32_t effect : effects)
    if (_index.holds(mixed_bits(hash + _effects.hash_delta(effect)), row)) return effect;
  throw std::logic_error("a row's label does not lead to it");
}

/// Turns the key of the row's parent into that of the row.
void ChainStore::write_values(Row row, std::uint32_t label, std::uint64_t* key) const {
  LinkValues::Reader values(_values, _values.begin_of(row, _links, _effects));
  for (const BitRun& run : _effects.runs_of(label))
    key[run.word] = (key[run.word] & ~run.mask()) | values.read(run.width) << run.shift;
}

/// The trees that links form, with explicit rows as roots; temporary.
struct ChainStore::Trees {
  explicit Trees(MemoryBudget* budget) : first_child(budget), next_sibling(budget), overwritten(budget) {}

  /// Keeps the words of a key that values will overwrite,
  void save(std::span<const BitRun> runs, const std::uint64_t* key) {
    overwritten.ensure(saved + runs.size());
    for (const BitRun& run : runs) overwritten[saved++] = key[run.word];
  }
  /// and gives back those that were saved last.
  void restore(std::span<const BitRun> runs, std::uint64_t* key) {
    saved -= runs.size();
    for (std::size_t i = runs.size(); i-- != 0;) key[runs[i].word] = overwritten[saved + i];
  }

  PageVector<Row> first_child, next_sibling;  // per row; none where there is none
  PageVector<std::uint64_t> overwritten;      // on the way from the root to the row at hand
  std::size_t saved = 0;
};

bool ChainStore::make_trees(Trees& trees) const {
  try {
    trees.first_child.ensure(_size);
    trees.next_sibling.ensure(_size);
  } catch (const ResourceError&) {
    return false;
  }
  std::memset(trees.first_child.data(), 255, _size * sizeof(Row));
  for (auto row = static_cast<Row>(_size); row-- != 0;) {
    const LinkTable::Link link = _links.get(row);
    if (link.is_explicit()) continue;
    trees.next_sibling[row] = trees.first_child[link.parent];
    trees.first_child[link.parent] = row;
  }
  return true;
}

/// Where there is no room for lists of children, chains are followed, row by row.
void ChainStore::for_each(const std::function<void(Row)>& visit) {
  if (_size == 0) return;
  Trees trees(_budget);
  if (_choice.family_labels || !make_trees(trees)) {
    for (std::uint64_t row = 0; row < _size; ++row) visit(static_cast<Row>(row));
    return;
  }
  const Finally forget([&] { _visited = none; });
  for (std::uint64_t row = 0; row < _size; ++row)
    if (_links.get(static_cast<Row>(row)).is_explicit()) visit_tree(static_cast<Row>(row), trees, visit);
}

/// Going down a tree one fires, going up one unfires: two firings per row.
void ChainStore::visit_tree(Row root, Trees& trees, const std::function<void(Row)>& visit) {
  std::uint64_t* const key = _visited_key.data();
  _keys.read(_links.get(root).label, key);
  const auto enter = [&](Row row) {
    const std::uint32_t label = _links.get(row).label;
    if (_has_values) {
      trees.save(_effects.runs_of(label), key);
      write_values(row, label, key);
    } else {
      _effects.apply(_effects.only_effect_of(label), key);
    }
    ++_figures.read_links;
    _visited = row;
    visit(row);
  };
  _visited = root;
  visit(root);
  for (Row at = root;;) {
    Row next = trees.first_child[at];
    while (next == none && at != root) {
      const LinkTable::Link link = _links.get(at);
      if (_has_values)
        trees.restore(_effects.runs_of(link.label), key);
      else
        _effects.undo(_effects.only_effect_of(link.label), key);
      ++_figures.read_links;
      next = trees.next_sibling[at];
      at = link.parent;
    }
    if (next == none) return;
    enter(next);
    at = next;
  }
}

}  // namespace dcheck
