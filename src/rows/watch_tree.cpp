#include "dcheck/rows/watch_tree.hpp"

#include <algorithm>
#include <map>

namespace dcheck {

namespace {

// What a step costs, in tests of one sleeper.
constexpr float word_price = 1;   // looking at a word for marked fields
constexpr float child_price = 3;  // going to a field that is marked
// Samples are small: what was never seen marked may still be.
constexpr float least_share = 0.01F;
// What many fields in a row have not told, more will not: and a tree must not be deeper than the stack.
constexpr std::uint32_t most_fields = 64;

}  // namespace

class WatchTree::Builder {
 public:
  Builder(std::span<const Field> fields, WatchTree& tree) : _fields(fields), _tree(tree) {}

  void build() {
    _tree._nodes.emplace_back();
    std::vector<std::uint32_t> all(_tree._needs.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    fill(0, all, 0);
  }

 private:
  using Members = std::vector<std::uint32_t>;
  using Groups = std::map<std::uint32_t, Members>;  // by field

  /// Of those that need a field, as one child of a node: what is saved when most often the field is not marked.
  float gain(std::uint32_t field, const Members& members) const {
    const auto size = static_cast<float>(members.size());
    return size - std::max(_fields[field].share, least_share) * (child_price + size);
  }

  /// Puts the members into a node whose way has so many fields: as sleepers, or below it by the next field they need.
  void fill(std::size_t node, const Members& members, std::uint32_t depth) {
    std::map<std::uint32_t, Groups> words;
    Members sleepers;
    for (const std::uint32_t i : members) {
      if (depth == most_fields || depth == _tree._needs[i].size()) {
        sleepers.push_back(i);
        continue;
      }
      const std::uint32_t next = _tree._needs[i][depth];
      words[_fields[next].word][next].push_back(i);
    }
    for (auto& [word, groups] : words) keep_paying(groups, sleepers);
    put_to_sleep(node, sleepers, depth);
    add_branches(node, words, depth);
  }

  /// Groups of one word that would not pay become sleepers: all of them where the look at the word does not.
  void keep_paying(Groups& groups, Members& sleepers) const {
    float saved = -word_price;
    for (const auto& [field, members] : groups) saved += std::max(gain(field, members), 0.0F);
    std::erase_if(groups, [&](const Groups::value_type& group) {
      if (saved > 0 && gain(group.first, group.second) > 0) return false;
      sleepers.insert(sleepers.end(), group.second.begin(), group.second.end());
      return true;
    });
  }

  void put_to_sleep(std::size_t node, Members& sleepers, std::uint32_t depth) {
    std::ranges::sort(sleepers);
    Range& run = _tree._nodes[node].sleepers;
    run.begin = end_of(_tree._sleepers);
    _tree._sleepers.insert(_tree._sleepers.end(), sleepers.begin(), sleepers.end());
    run.end = end_of(_tree._sleepers);
    for (const std::uint32_t i : sleepers) _tree._known[i] = depth;
  }

  void add_branches(std::size_t node, const std::map<std::uint32_t, Groups>& words, std::uint32_t depth) {
    std::vector<std::pair<std::size_t, const Members*>> below;
    Range run{end_of(_tree._branches), 0};
    for (const auto& [word, groups] : words) {
      if (groups.empty()) continue;
      Branch branch{0, word, 0};
      for (const auto& [field, members] : groups) branch.mask |= _fields[field].mask;
      const auto lowest = static_cast<unsigned>(std::countr_zero(branch.mask));
      const std::size_t first = _tree._children.size();
      branch.children = narrow<std::uint32_t>(first) - lowest;
      _tree._children.resize(first + static_cast<unsigned>(std::bit_width(branch.mask)) - lowest, 0);
      for (const auto& [field, members] : groups) {
        below.emplace_back(_tree._nodes.size(), &members);
        for (std::uint64_t bits = _fields[field].mask; bits != 0; bits &= bits - 1)
          _tree._children[first + static_cast<unsigned>(std::countr_zero(bits)) - lowest] = end_of(_tree._nodes);
        _tree._nodes.push_back({_fields[field].mask, {}, {}});
      }
      _tree._branches.push_back(branch);
    }
    run.end = end_of(_tree._branches);
    _tree._nodes[node].branches = run;
    for (const auto& [child, members] : below) fill(child, *members, depth + 1);
  }

  std::span<const Field> _fields;
  WatchTree& _tree;
};

WatchTree::WatchTree(std::span<const Field> fields, std::vector<Needs> needs)
    : _needs(std::move(needs)), _known(_needs.size(), 0) {
  const auto is_rarer = [&](std::uint32_t a, std::uint32_t b) {
    return fields[a].share != fields[b].share ? fields[a].share < fields[b].share : a < b;
  };
  for (Needs& list : _needs) {
    std::ranges::sort(list, is_rarer);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  Builder(fields, *this).build();
}

}  // namespace dcheck
