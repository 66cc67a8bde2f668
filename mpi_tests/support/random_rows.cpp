#include "support/random_rows.hpp"

#include <array>

namespace dcheck::test {
namespace {

using Kind = StoreChoice::Kind;

template <typename Value, std::size_t N>
Value one_of(Dice& dice, const std::array<Value, N>& values) {
  return values[static_cast<std::size_t>(dice.between(0, N - 1))];
}

/// Short chains and few bits of a hash: collisions, long lists of candidates and explicit rows everywhere.
StoreChoice random_chains(Dice& dice, Kind kind) {
  StoreChoice choice;
  choice.kind = kind;
  if (!dice.one_in(6)) choice.k = one_of<std::uint32_t>(dice, std::array{1U, 2U, 5U, 20U, 0U});
  choice.hash_bits = one_of(dice, std::array{8U, 16U, 30U});
  if (!dice.one_in(3)) choice.cache_rows = dice.one_in(2) ? 0 : 16;
  choice.update_predecessors = dice.one_in(2) || kind == Kind::difference;
  choice.backward_firing = dice.one_in(2);
  choice.collapse = dice.one_in(2);
  choice.family_labels = dice.one_in(2) && kind != Kind::condensed && kind != Kind::difference;
  return choice;
}

}  // namespace

void choose_rows(Dice& dice, ExploreOptions& options) {
  const Kind kind =
      one_of(dice, std::array{Kind::packed, Kind::delta, Kind::comback, Kind::condensed, Kind::difference});
  options.store = kind == Kind::packed ? StoreChoice{} : random_chains(dice, kind);
  constexpr std::array orders{Order::automatic, Order::breadth_first, Order::depth_first, Order::young_first};
  const Order order = one_of(dice, orders);
  if (!options.levels) options.order = order;
  if (dice.one_in(2)) options.waiting = Waiting::full;
  options.masks = one_of(dice, std::array{MaskForm::automatic, MaskForm::numbered, MaskForm::plain});
}

void choose_lossy_rows(Dice& dice, ExploreOptions& options) {
  StoreChoice& store = options.store;
  store.kind = dice.one_in(2) ? Kind::compaction : Kind::bitstate;
  store.hash_bits = one_of(dice, std::array{1U, 3U, 6U, 10U, 64U});
  store.table_bytes = one_of<std::uint64_t>(dice, std::array{1U, 4U, 30U, 300U, 100'000U});
  store.hashes = one_of(dice, std::array{1U, 2U, 3U, 15U, 32U});
  store.seed = static_cast<std::uint64_t>(dice.between(1, 1000));
  options.levels = false;
}

namespace {

std::string describe_lossy_rows(const StoreChoice& store) {
  const std::string seed = " --seed " + std::to_string(store.seed);
  if (store.kind == Kind::compaction) return "--store compaction --hash-bits " + std::to_string(store.hash_bits) + seed;
  return "--store bitstate --table " + std::to_string(*store.table_bytes) + " --hashes " +
         std::to_string(store.hashes) + seed;
}

}  // namespace

std::string describe_rows(const ExploreOptions& options) {
  const StoreChoice& store = options.store;
  if (store.is_lossy()) return describe_lossy_rows(store);
  constexpr const char* kinds[] = {"packed", "delta", "comback", "condensed", "difference"};
  std::string text = std::string("--store ") + kinds[static_cast<int>(store.kind)];
  if (store.kind != Kind::packed) {
    if (store.k) text += " --delta-k " + std::to_string(*store.k);
    text += " --hash-bits " + std::to_string(store.hash_bits);
    if (store.cache_rows) text += " --cache " + std::to_string(*store.cache_rows);
    if (!store.update_predecessors) text += " --no-predecessor-update";
    if (!store.backward_firing) text += " --no-backward-firing";
    if (!store.collapse) text += " --no-collapse";
    if (store.family_labels) text += " --labels family";
  }
  if (options.order == Order::breadth_first) text += " --order breadth-first";
  if (options.order == Order::depth_first) text += " --order depth-first";
  if (options.order == Order::young_first) text += " --order young-first";
  if (options.waiting == Waiting::full) text += " --waiting full";
  if (options.masks == MaskForm::numbered) text += " --masks numbered";
  if (options.masks == MaskForm::plain) text += " --masks plain";
  return text;
}

}  // namespace dcheck::test
