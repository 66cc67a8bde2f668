// What is written is in the format's grammar, and is the same net when it is read again.

#include "dcheck/write/write_model.hpp"

#include <filesystem>

#include "dcheck/net/net_builder.hpp"
#include "support/format_grammars.hpp"
#include "support/naive_explorer.hpp"
#include "support/net_text.hpp"
#include "support/random_net.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

Model read_again(const std::string& text, ModelFormat format) {
  switch (format) {
    case ModelFormat::spn:
      return parse_spn(text, "net.spn", {});
    case ModelFormat::pnml:
      return parse_pnml(text, "net.pnml");
    case ModelFormat::tina:
      return parse_tina(text, "net.net");
    default:
      return parse_lola(text, "net.lola");
  }
}

std::string fault_in(const std::string& text, ModelFormat format) {
  switch (format) {
    case ModelFormat::pnml:
      return fault_in_pnml(text);
    case ModelFormat::tina:
      return fault_in_tina(text);
    case ModelFormat::lola:
      return fault_in_lola(text);
    default:
      return {};
  }
}

constexpr ModelFormat formats[] = {ModelFormat::spn, ModelFormat::pnml, ModelFormat::tina, ModelFormat::lola};

WrittenModel written_in(ModelFormat format, const Net& net, std::vector<Property> checks = {}) {
  Model model;
  model.net = net;
  return written(model, checks, format);
}

NetFlavour without_guards(std::uint64_t seed) {
  Dice dice(seed);
  NetFlavour flavour = NetFlavour::from(dice);
  flavour.guards = flavour.jumps = false;  // jumps have guards
  return flavour;
}

TEST(WrittenModel, IsInTheGrammarAndTheSameNetWhenReadAgain) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    NetFlavour flavour = without_guards(seed);
    for (const ModelFormat format : formats) {
      flavour.inhibitors = format != ModelFormat::lola && seed % 2 == 0;
      const Net net = random_net(seed, flavour);
      const WrittenModel result = written_in(format, net);
      EXPECT_EQ(fault_in(result.text, format), "") << result.text;
      const Net again = read_again(result.text, format).net;
      EXPECT_EQ(shape_of(again), shape_of(net)) << result.text;
      if (result.changed_names != 0) continue;
      EXPECT_EQ(again.name(Transition{0}), net.name(Transition{0}));
    }
  }
}

TEST(WrittenModel, KeepsGuardsAndRatesInOurLanguage) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    NetFlavour flavour = without_guards(seed);
    flavour.guards = true;
    const Net net = random_net(seed, flavour);
    const std::string text = written_in(ModelFormat::spn, net).text;
    const Net again = parse_spn(text, net.name() + ".spn", {}).net;
    EXPECT_EQ(shape_of(again), shape_of(net)) << text;
    const NaiveLimits few{.states = 500, .tokens = 100};
    const NaiveGraph before = explore_naively(net, few), after = explore_naively(again, few);
    EXPECT_EQ(after.markings, before.markings) << text;  // guards are read in a simpler form
    EXPECT_EQ(after.successors, before.successors) << text;
    for (const Transition t : FirstIds<Transition>(net.transition_count())) EXPECT_EQ(again.rate(t), net.rate(t));
  }
}

TEST(WrittenModel, HasGuardsOfSinglePlacesAsArcs) {
  const Model model =
      spn("place p init 2, q; trans t when p >= 2 && q < 3 && p < 5 : p -> q; trans u when q == 1 : q -> p;");
  for (const ModelFormat format : {ModelFormat::pnml, ModelFormat::tina}) {
    const Net again = read_again(written(model, {}, format).text, format).net;
    EXPECT_FALSE(again.has_guards());
    const NaiveGraph before = explore_naively(model.net), after = explore_naively(again);
    EXPECT_EQ(after.markings, before.markings);
    EXPECT_EQ(after.arcs, before.arcs);
  }
}

TEST(WrittenModel, RefusesWhatTheFormatCannotSay) {
  const auto error = [](const char* text, ModelFormat format) {
    return input_error_of([&] { written(spn(text), {}, format); });
  };
  const char* const guarded = "place p, q; trans t when p + q < 3 : p -> q;";
  EXPECT_EQ(error(guarded, ModelFormat::pnml),
            "the guard of transition 't' cannot be written in this format: p + q < 3");
  EXPECT_EQ(error(guarded, ModelFormat::spn), "");
  EXPECT_EQ(error("place p; trans t inhibit p : -> p;", ModelFormat::lola),
            "LoLA has no inhibitor arcs, and transition 't' has one");
  EXPECT_EQ(error("place p;", ModelFormat::lola), "LoLA has no nets without transitions");
  EXPECT_EQ(error("place p init 3000000000; trans t : p ->;", ModelFormat::lola),
            "LoLA has numbers up to 2147483647: 3000000000 tokens in place 'p'");
}

TEST(WrittenModel, TellsWhatItLeavesOut) {
  const Model model = spn("place p; trans t rate 2 : p ->; let x = p + 1; check c : EF deadlock; check d : bound(p);");
  EXPECT_EQ(written(model, model.checks, ModelFormat::spn).left_out, std::vector<std::string>());
  EXPECT_EQ(written(model, model.checks, ModelFormat::tina).left_out,
            (std::vector<std::string>{"1 rate", "1 definition", "2 properties"}));
}

TEST(WrittenModel, KeepsDefinitionsAndPropertiesInOurLanguage) {
  const Model model =
      spn("param N = 2; place p[1..N], q; trans t[i in 1..N] : p[i] -> q; let all = sum i in 1..N : p[i];"
          "let none = all == 0; check c[i in 1..N] : AG (p[i] >= 1 -> AF none); check d : bound(all * q);");
  const Model again = parse_spn(written(model, model.checks, ModelFormat::spn).text, "m.spn", {});
  ASSERT_EQ(again.definitions.size(), 2U);
  EXPECT_EQ(again.definitions[0].number, model.definitions[0].number);
  EXPECT_EQ(again.definitions[1].formula, model.definitions[1].formula);
  ASSERT_EQ(again.checks.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.checks[i].id, model.checks[i].id);
    EXPECT_EQ(again.checks[i].formula, model.checks[i].formula);
    EXPECT_EQ(again.checks[i].bound_of, model.checks[i].bound_of);
  }
}

TEST(WrittenModel, ChangesNamesThatAGrammarDoesNotAllowAndKeepsThemApart) {
  NetBuilder builder("a net");
  std::vector<Place> places;
  for (const char* name :
       {"p[1,2]", "p_1_2", "PLACE", "a b", "a\tb", "in", "x/*y", "{}\\", "7", "tr", "arc-1", "\"<&>"})
    places.push_back(builder.add_place(name, static_cast<Tokens>(places.size())));
  for (const char* name : {"p_1_2", "t", "p[1,2]x"}) {
    const Transition t = builder.add_transition(name);
    for (const Place p : places) builder.add_input(t, p, 1 + static_cast<Tokens>(index(p) % 3));
  }
  const Net net = builder.build();
  for (const ModelFormat format : formats) {
    const WrittenModel result = written_in(format, net);
    EXPECT_EQ(fault_in(result.text, format), "") << result.text;
    const Net again = read_again(result.text, format).net;
    EXPECT_EQ(shape_of(again), shape_of(net)) << result.text;
    EXPECT_GT(result.changed_names, 0U);
    EXPECT_TRUE(again.find_place("p_1_2"));  // what may stay stays
  }
}

TEST(WrittenModel, KeepsUnitsInPnml) {
  const Model model = parse_pnml(written_in(ModelFormat::pnml, random_net(1)).text, "m.pnml");
  NetBuilder builder("units");
  const Place a = builder.add_place("a", 1), b = builder.add_place("b");
  builder.add_input(builder.add_transition("t"), a, 1);
  builder.set_units({{"root", {}, {1, 2}}, {"u", {a}, {}}, {"v", {b}, {}}}, true);
  const Net net = builder.build();
  const std::string text = written_in(ModelFormat::pnml, net).text;
  EXPECT_EQ(fault_in_pnml(text), "");
  EXPECT_EQ(text_of(parse_pnml(text, "units.pnml").net), text_of(net));
}

}  // namespace
}  // namespace dcheck::test
