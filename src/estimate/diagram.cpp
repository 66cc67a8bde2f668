#include "estimate/diagram.hpp"

#include <algorithm>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {
constexpr std::size_t chunk_words = std::size_t{1} << 18;
constexpr std::size_t first_index = std::size_t{1} << 14;
constexpr std::size_t united_entries = std::size_t{1} << 19;
}  // namespace

Diagram::Diagram(std::size_t most_bytes, Patience& patience)
    : _most_words(most_bytes / sizeof(std::uint32_t)),
      _patience(patience),
      _index(first_index, none),
      _united(united_entries) {
  for (int i = 0; i < 2; ++i) {  // none and end
    _nodes.push_back(room_for(header));
    std::fill_n(_nodes.back(), header, 0U);
  }
}

Diagram::Children Diagram::children(Node node) const {
  const std::uint32_t* const at = _nodes[node];
  return {at[1], {at + header, at[2]}};
}

std::uint32_t* Diagram::room_for(std::size_t words) {
  if (_left_in_chunk < words) {
    const std::size_t size = std::max(chunk_words, words);
    if (_words + size > _most_words) throw ResourceError("the decision diagram grew too large");
    _chunks.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(size));
    _words += size;
    _next = _chunks.back().get();
    _left_in_chunk = size;
  }
  std::uint32_t* const room = _next;
  _next += words;
  _left_in_chunk -= words;
  return room;
}

std::size_t Diagram::hash_of(const std::uint32_t* node) {
  std::uint64_t hash = std::uint64_t{node[0]} << 32 | node[1];
  for (std::size_t i = 0; i < node[2]; ++i) hash = (hash ^ node[header + i]) * 0x9E3779B97F4A7C15U + (hash >> 29);
  return mixed_bits(hash);
}

void Diagram::grow_index() {
  _index.assign(_index.size() * 2, none);
  for (Node node = end + 1; node < _nodes.size(); ++node) {
    std::size_t at = hash_of(_nodes[node]) & (_index.size() - 1);
    while (_index[at] != none) at = (at + 1) & (_index.size() - 1);
    _index[at] = node;
  }
}

Diagram::Node Diagram::make(std::uint32_t tier, std::uint32_t first, std::span<const Node> children) {
  while (!children.empty() && children.front() == none) {
    children = children.subspan(1);
    ++first;
  }
  while (!children.empty() && children.back() == none) children = children.first(children.size() - 1);
  if (children.empty()) return none;
  _patience.spend(children.size());
  std::uint32_t* const node = room_for(header + children.size());
  node[0] = tier;
  node[1] = first;
  node[2] = static_cast<std::uint32_t>(children.size());
  std::copy(children.begin(), children.end(), node + header);
  const std::size_t mask = _index.size() - 1;
  for (std::size_t at = hash_of(node) & mask;; at = (at + 1) & mask) {
    if (_index[at] == none) {
      _index[at] = static_cast<Node>(_nodes.size());
      break;
    }
    if (std::equal(node, node + header + children.size(), _nodes[_index[at]])) {  // the third word is the length
      _left_in_chunk += header + children.size();
      _next = node;
      return _index[at];
    }
  }
  _nodes.push_back(node);
  if (_nodes.size() > _index.size() / 2) grow_index();
  return static_cast<Node>(_nodes.size() - 1);
}

Diagram::Node Diagram::unite(Node a, Node b) {
  if (a == b || b == none) return a;
  if (a == none) return b;
  if (a > b) std::swap(a, b);
  const std::size_t at = mixed_bits(std::uint64_t{a} << 32 | b) & (united_entries - 1);
  if (_united[at].a == a && _united[at].b == b) return _united[at].both;
  const Children of_a = children(a), of_b = children(b);
  const std::uint32_t first = std::min(of_a.first, of_b.first), limit = std::max(of_a.limit(), of_b.limit());
  const std::size_t begin = _scratch.size();
  for (std::uint32_t tokens = first; tokens < limit; ++tokens) {
    const Node child = unite(of_a.of(tokens), of_b.of(tokens));
    _scratch.push_back(child);
  }
  const Node both = make(tier(a), first, std::span(_scratch).subspan(begin));
  _scratch.resize(begin);
  _united[at] = {a, b, both};
  return both;
}

Diagram::Node Diagram::project(Node node, const std::vector<bool>& is_kept) {
  std::vector<Node> known(_nodes.size(), none);
  return project(node, is_kept, known);
}

Diagram::Node Diagram::project(Node node, const std::vector<bool>& is_kept, std::vector<Node>& known) {
  if (node == none || node == end) return node;
  if (known[node] != none) return known[node];
  const Children all = children(node);
  const std::size_t begin = _scratch.size();
  for (const Node child : all.nodes) {
    const Node projected = project(child, is_kept, known);
    _scratch.push_back(projected);
  }
  Node result = none;
  if (is_kept[tier(node)]) {
    result = make(tier(node), all.first, std::span(_scratch).subspan(begin));
  } else {
    for (std::size_t i = begin; i < begin + all.nodes.size(); ++i) result = unite(result, _scratch[i]);
  }
  _scratch.resize(begin);
  return known[node] = result;
}

long double Diagram::size(Node node) const {
  // A child is made before its parent: numbers go up.
  std::vector<long double> sizes(static_cast<std::size_t>(node) + 1, 0);
  std::vector<bool> is_part(static_cast<std::size_t>(node) + 1, false);
  is_part[node] = true;
  for (Node at = node; at > end; --at) {
    if (!is_part[at]) continue;
    for (const Node child : children(at).nodes) is_part[child] = true;
  }
  if (node >= end) sizes[end] = 1;
  for (Node at = end + 1; at <= node; ++at) {
    if (!is_part[at]) continue;
    for (const Node child : children(at).nodes) sizes[at] += sizes[child];
  }
  return sizes[node];
}

}  // namespace dcheck
