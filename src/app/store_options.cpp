#include "app/store_options.hpp"

#include <algorithm>

#include "app/option_values.hpp"
#include "app/quantity.hpp"

namespace dcheck {
namespace {

using Kind = StoreChoice::Kind;

constexpr NamedValues<Kind, 7> kinds{{{"packed", Kind::packed},
                                      {"delta", Kind::delta},
                                      {"comback", Kind::comback},
                                      {"difference", Kind::difference},
                                      {"condensed", Kind::condensed},
                                      {"compaction", Kind::compaction},
                                      {"bitstate", Kind::bitstate}}};
constexpr NamedValues<Order, 3> orders{{{"breadth-first", Order::breadth_first},
                                        {"depth-first", Order::depth_first},
                                        {"young-first", Order::young_first}}};
constexpr NamedValues<Waiting, 2> waitings{{{"number", Waiting::number}, {"full", Waiting::full}}};
constexpr NamedValues<MaskForm, 3> mask_forms{
    {{"auto", MaskForm::automatic}, {"numbered", MaskForm::numbered}, {"plain", MaskForm::plain}}};
constexpr NamedValues<bool, 2> labels{{{"transition", false}, {"family", true}}};

template <typename Number>
Number number_in(const char* option, const std::string& text, Number least, Number most) {
  return value_of(option, text,
                  [&](const std::string& word) { return static_cast<Number>(parse_count(word, least, most)); });
}

Kind kind_named(const std::string& word) {
  if (word == "auto") throw InputError("dcheck: --store: auto is not available yet, the name of a store was expected");
  return value_named("--store", word, kinds);
}

/// The options that only stores with chains can use, the bits of a hash apart.
void refuse_chain_options(const StoreTexts& texts) {
  const std::pair<const char*, bool> given[] = {{"--delta-k", !texts.k.empty()},
                                                {"--cache", !texts.cache.empty()},
                                                {"--labels", !texts.labels.empty()},
                                                {"--no-predecessor-update", texts.no_predecessor_update},
                                                {"--no-backward-firing", texts.no_backward_firing},
                                                {"--no-collapse", texts.no_collapse}};
  for (const auto& [option, is_given] : given)
    if (is_given)
      throw InputError(
          fmt::format("dcheck: {}: --store {} has no use for it, --store delta, comback, difference or condensed was "
                      "expected",
                      option, texts.kind));
}

void refuse_hash_bits(const StoreTexts& texts) {
  if (!texts.hash_bits.empty())
    throw InputError(fmt::format(
        "dcheck: --hash-bits: --store {} has no use for it, a store with chains or --store compaction was expected",
        texts.kind));
}

/// The options that only stores can use that keep hashes alone.
void refuse_lossy_options(Kind kind, const StoreTexts& texts) {
  if (kind != Kind::bitstate)
    for (const auto& [option, is_given] :
         {std::pair("--hashes", !texts.hashes.empty()), std::pair("--table", !texts.table.empty())})
      if (is_given)
        throw InputError(
            fmt::format("dcheck: {}: --store {} has no use for it, --store bitstate was expected", option, texts.kind));
  if (!texts.seed.empty() && kind != Kind::bitstate && kind != Kind::compaction)
    throw InputError(fmt::format(
        "dcheck: --seed: --store {} has no use for it, --store compaction or bitstate was expected", texts.kind));
}

StoreChoice hashes_alone(Kind kind, const StoreTexts& texts) {
  constexpr unsigned default_bits = 40, most_bits = 64;
  constexpr std::uint64_t most_seed = 0xFFFF'FFFF;
  StoreChoice choice;
  choice.kind = kind;
  choice.hash_bits = default_bits;
  if (!texts.hash_bits.empty()) choice.hash_bits = number_in<unsigned>("--hash-bits", texts.hash_bits, 1, most_bits);
  if (!texts.hashes.empty()) choice.hashes = number_in<unsigned>("--hashes", texts.hashes, 1, StoreChoice::most_hashes);
  if (!texts.table.empty()) choice.table_bytes = value_of("--table", texts.table, parse_bytes);
  if (!texts.seed.empty()) choice.seed = number_in<std::uint64_t>("--seed", texts.seed, 1, most_seed);
  return choice;
}

/// Nothing can be read back, so there is one order.
void refuse_order(const StoreTexts& texts, bool levels) {
  const std::pair<const char*, bool> given[] = {{"--order", !texts.order.empty()},
                                                {"--waiting", texts.waiting != StoreTexts().waiting},
                                                {"--masks", texts.masks != StoreTexts().masks},
                                                {"--levels", levels}};
  for (const auto& [option, is_given] : given)
    if (is_given)
      throw InputError(fmt::format("dcheck: {}: --store {} goes depth-first and keeps hashes alone: leave it out",
                                   option, texts.kind));
}

StoreChoice chains(Kind kind, const StoreTexts& texts) {
  constexpr std::uint32_t most_k = 1'000'000;
  constexpr std::uint64_t most_rows = 0xFFFF'FFFF;
  StoreChoice choice;
  choice.kind = kind;
  if (!texts.k.empty()) choice.k = number_in<std::uint32_t>("--delta-k", texts.k, 0, most_k);
  if (!texts.hash_bits.empty()) choice.hash_bits = number_in<unsigned>("--hash-bits", texts.hash_bits, 1, 40);
  if (!texts.cache.empty()) choice.cache_rows = number_in<std::uint64_t>("--cache", texts.cache, 0, most_rows);
  if (!texts.labels.empty()) choice.family_labels = value_named("--labels", texts.labels, labels);
  choice.update_predecessors = !texts.no_predecessor_update;
  choice.backward_firing = !texts.no_backward_firing;
  choice.collapse = !texts.no_collapse;
  if (kind == Kind::difference && choice.family_labels)
    throw InputError(
        "dcheck: --labels family: the labels of --store difference are places, --labels transition was expected");
  if (kind == Kind::difference && !choice.update_predecessors)
    throw InputError("dcheck: --no-predecessor-update: rows of --store difference always keep their predecessor");
  if (kind == Kind::condensed && choice.family_labels)
    throw InputError(
        "dcheck: --labels family: --store condensed tells transitions apart, --labels transition was expected");
  return choice;
}

}  // namespace

void declare_store(CLI::App& app, StoreTexts& texts) {
  const std::string group = "Store (docs/stores.md)";
  const auto option = [&](const char* name, std::string& text, const char* type, const std::string& about) {
    app.add_option(name, text, about)->type_name(type)->group(group);
  };
  const auto flag = [&](const char* name, bool& is_given, const char* about) {
    app.add_flag(name, is_given, about)->group(group);
  };
  option("--store", texts.kind, "packed|delta|comback|difference|condensed|compaction|bitstate",
         "How rows are stored: their keys, most rows as chains, in the end as the arcs between them; or hashes alone, "
         "which may leave states out");
  option("--delta-k", texts.k, "K",
         "Chains are shorter; 0: as long as they get (default: 20; comback: 0, or 100 where not breadth-first)");
  option("--hash-bits", texts.hash_bits, "B",
         fmt::format("Chains: what the index keeps of a hash, 1 to 40 (default: {}); compaction: all that is kept, 1 "
                     "to 64 (default: 40)",
                     StoreChoice().hash_bits));
  option("--cache", texts.cache, "ROWS", "Chains: keys at hand (default: 3/4 byte a row); 0: none");
  option("--labels", texts.labels, "transition|family",
         "Chains: a label for each transition, or one for all t[i] (default: transition)");
  flag("--no-predecessor-update", texts.no_predecessor_update,
       "Chains: keep a row's chain where a shorter one is found");
  flag("--no-backward-firing", texts.no_backward_firing, "Chains: make a row's key first to compare it with another");
  flag("--no-collapse", texts.no_collapse, "Chains: store keys as they are where they are stored");
  option("--table", texts.table, "BYTES",
         "Bitstate: size of the table of bits (default: 256M, or an eighth of memory)");
  option(
      "--hashes", texts.hashes, "K",
      fmt::format("Bitstate: bits for a state, 1 to {} (default: {})", StoreChoice::most_hashes, StoreChoice().hashes));
  option("--seed", texts.seed, "N",
         "Hashes alone: other seeds leave out other states; rank r has N + r, and goes another way (default: 1)");
  option("--order", texts.order, "breadth-first|depth-first|young-first",
         "Which row is handled next (default: breadth-first; with chains young-first, the youngest few hundred)");
  option("--waiting", texts.waiting, "number|full",
         "What waits of a row: its number, or its key as well (default: number)");
  option("--masks", texts.masks, "auto|numbered|plain",
         "Lanes of rows: equal masks stored once, or each row its own (default: numbered where that pays)");
}

RowChoice read_store(const StoreTexts& texts, bool levels) {
  RowChoice choice;
  const Kind kind = kind_named(texts.kind);
  choice.store.kind = kind;
  const bool has_chains = choice.store.has_chains();
  refuse_lossy_options(kind, texts);
  if (!has_chains) refuse_chain_options(texts);
  if (!has_chains && kind != Kind::compaction) refuse_hash_bits(texts);
  if (has_chains) choice.store = chains(kind, texts);
  if (choice.store.is_lossy()) {
    refuse_order(texts, levels);
    choice.store = hashes_alone(kind, texts);
  }
  if (!texts.order.empty()) choice.order = value_named("--order", texts.order, orders);
  choice.waiting = value_named("--waiting", texts.waiting, waitings);
  choice.masks = value_named("--masks", texts.masks, mask_forms);
  choice.by_level = levels;
  const bool is_other = choice.order == Order::depth_first || choice.order == Order::young_first;
  if (levels && is_other)
    throw InputError(fmt::format("dcheck: --levels explores breadth-first: leave --order {} out", texts.order));
  if (choice.order == Order::young_first && choice.waiting == Waiting::full)
    throw InputError("dcheck: --waiting full: young-first rows wait by number, another --order was expected");
  return choice;
}

}  // namespace dcheck
