// Nets of Tina (.net, .ndr) and LoLA: what is read, and what is refused where.

#include "support/naive_explorer.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

Net tina(const std::string& text) {
  return parse_tina(text, "m.net").net;
}

std::string tina_error(const std::string& text) {
  return input_error_of([&] { tina(text); });
}

std::string ndr_error(const std::string& text) {
  return input_error_of([&] { parse_ndr(text, "m.ndr"); });
}

std::string lola_error(const std::string& text) {
  return input_error_of([&] { parse_lola(text, "m.lola"); });
}

TEST(TinaNets, AreReadWithAllKindsOfArcs) {
  const Net net = tina(R"(# a comment
net {my \{net\}}
pl p : label (2K)
pl {a b} (3)
tr t : {a label} [0,w[ p*2 {a b}?3 q?-1 -> q r*4
tr u
   q -> {a b}
pl q t*2 -> u*3
lb t other
nt note 1 {some text}
)");
  EXPECT_EQ(net.name(), "my {net}");
  ASSERT_EQ(net.place_count(), 4U);
  EXPECT_EQ(net.initial()[0], 2000);
  EXPECT_EQ(net.name(Place{1}), "a b");
  EXPECT_EQ(std::vector<Arc>(net.pre(Transition{0}).begin(), net.pre(Transition{0}).end()),
            (std::vector<Arc>{{Place{0}, 2}, {Place{1}, 3}}));
  EXPECT_EQ(std::vector<Arc>(net.post(Transition{0}).begin(), net.post(Transition{0}).end()),
            (std::vector<Arc>{{Place{1}, 3}, {Place{2}, 3}, {Place{3}, 4}}));
  EXPECT_EQ(net.inhibitors(Transition{0})[0], (Arc{Place{2}, 1}));
  EXPECT_EQ(net.pre(Transition{1})[0], (Arc{Place{2}, 4}));
}

TEST(TinaNets, PrioritiesHoldBackWhatTheyPrecede) {
  const std::string net = "pl p (1)\npl q (1)\ntr a p -> \ntr b q ->\ntr c ->\n";
  EXPECT_EQ(explore_naively(tina("pl p (1)\npl q (1)\ntr a p ->\ntr b q ->\n")).arcs, 4U);
  EXPECT_EQ(explore_naively(tina("pl p (1)\npl q (1)\ntr a p ->\ntr b q ->\npr a > b\n")).arcs, 2U);
  // Transitive: c waits for a, although b, between them, is never enabled.
  const NaiveGraph graph =
      explore_naively(tina("pl p (1)\npl q\npl r (1)\ntr a p ->\ntr b q ->\ntr c r ->\npr a > b\npr c < b\n"));
  EXPECT_EQ(graph.arcs, 2U);
  EXPECT_EQ(tina_error(net + "pr a > b\npr b > c\npr c > a\n"),
            "m.net:3:4: transition 'a' precedes itself: expected priorities without a circle");
}

TEST(TinaNets, WhatIsNotSupportedIsRefusedByName) {
  EXPECT_EQ(tina_error("pl p\ntr t [1,3] p ->"),
            "m.net:2:6: time intervals are not supported: expected none, or [0,w[");
  EXPECT_EQ(tina_error("pl p\ntr t p!2 ->"), "m.net:2:7: stopwatch arcs are not supported");
  EXPECT_EQ(tina_error("pl p\ntr t p"),
            "m.net:2:7: expected '->' or a place, after the inputs, found the end of the text");
  EXPECT_EQ(
      tina_error("pl p\ntr t p -> pl"),
      "m.net:2:11: 'pl' within a line may be a name or begin a declaration: expected '{pl}', or a line of its own");
  EXPECT_EQ(tina_error("place p"),
            "m.net:1:1: expected 'pl', 'tr', 'pr', 'net', 'lb' or 'nt' at the beginning of a "
            "line, found 'p'");
  EXPECT_EQ(tina_error("pl p (99999999999999999999)"),
            "m.net:1:7: a number of tokens is too large: expected at most 2^63 - 1");
  EXPECT_EQ(tina_error("# nothing\n"), "m.net: the net has no place: expected at least one");
  EXPECT_EQ(tina_error("|0|\n"),
            "m.net:1:1: this is a net of GreatSPN, not of Tina: expected it as PNML, which GreatSPN's "
            "editor exports");
}

TEST(NdrNets, AreReadWithoutTheirDrawing) {
  const Net net = parse_ndr(R"(# drawn
p 60.0 55.0 p 1 n
p 60.0 95.0 {a b} 0 n {label} e
t 80.0 10.0 t 0 w n
t 80.0 20.0 u n 0 w n {} s
e p t 2 n
e t 0.2 30 {a b} 0.1 20 1 n
e {a b} u ?-3 n
e p u ?1 n
n 10 10 note 0 {text}
h drawn small
)",
                            "m.ndr")
                      .net;
  EXPECT_EQ(net.name(), "drawn");
  EXPECT_EQ(net.pre(Transition{0})[0], (Arc{Place{0}, 2}));
  EXPECT_EQ(net.post(Transition{0})[0], (Arc{Place{1}, 1}));
  EXPECT_EQ(net.inhibitors(Transition{1})[0], (Arc{Place{1}, 3}));
  EXPECT_EQ(net.pre(Transition{1})[0], (Arc{Place{0}, 1}));
}

TEST(NdrNets, WhatIsNotSupportedIsRefusedByName) {
  const std::string nodes = "p 1 1 p 1 n\nt 1 1 t 0 w n\nt 1 1 u 0 w n\n";
  EXPECT_EQ(ndr_error(nodes + "e t u 1 n"),
            "m.ndr:4:1: priorities are not supported in .ndr files: expected the net as a .net file");
  EXPECT_EQ(ndr_error(nodes + "e p x 1 n"), "m.ndr:4:5: unknown name 'x'");
  EXPECT_EQ(ndr_error(nodes + "e t p ?1 n"), "m.ndr:4:7: a test or inhibitor arc from a transition to a place");
  EXPECT_EQ(ndr_error("t 1 1 t 1 w n"), "m.ndr:1:9: time interval from '1' to 'w' is not supported: expected 0 and w");
  EXPECT_EQ(ndr_error("p x 1 p 1 n"), "m.ndr:1:3: expected a coordinate, found 'x'");
}

TEST(LolaNets, AreRead) {
  const Net net = parse_lola(R"({ a comment }
PLACE SAFE 2: p, q[1]; 7;
MARKING p:2, 7, p;
TRANSITION t STRONG FAIR /* another */ CONSUME p:2, p; PRODUCE q[1], 7:4;
TRANSITION u CONSUME ; PRODUCE p;
)",
                             "m.lola")
                      .net;
  ASSERT_EQ(net.place_count(), 3U);
  EXPECT_EQ(net.name(Place{1}), "q[1]");
  EXPECT_EQ(net.initial()[0], 3);
  EXPECT_EQ(net.initial()[2], 1);
  EXPECT_EQ(net.pre(Transition{0})[0], (Arc{Place{0}, 3}));
  EXPECT_EQ(net.post(Transition{0})[1], (Arc{Place{2}, 4}));
}

TEST(LolaNets, WhatIsNotInTheGrammarIsRefusedWithItsPlace) {
  EXPECT_EQ(lola_error("PLACE p; MARKING pq;"), "m.lola:1:18: unknown place 'pq'; did you mean 'p'?");
  EXPECT_EQ(lola_error("PLACE p, p; MARKING ;"), "m.lola:1:10: duplicate name 'p': it is already a place");
  EXPECT_EQ(lola_error("PLACE p; MARKING ;\nTRANSITION t CONSUME p PRODUCE ;"),
            "m.lola:2:24: expected ';' or ',' after a place, found 'PRODUCE'");
  EXPECT_EQ(lola_error("PLACE p; MARKING p:x;"), "m.lola:1:20: expected a number, found 'x'");
  EXPECT_EQ(lola_error("place p;"), "m.lola:1:1: expected 'PLACE', found 'place'");
  EXPECT_EQ(lola_error("PLACE p; MARKING"), "m.lola:1:17: expected the name of a place, found the end of the text");
  EXPECT_EQ(lola_error("PLACE { p"), "m.lola:1:7: comment is never closed: expected '}'");
}

TEST(OtherFormats, DamagedTextsAreReadOrRefused) {
  const std::string net =
      "net n\npl p : l (2K)\npl {a b} (3)\ntr t [0,w[ p*2 {a b}?3 q?-1 -> q r*4\ntr u q -> p\npr t > u\n";
  expect_read_or_refused(net, 1, [](const std::string& text) { return tina_error(text); });
  const std::string ndr =
      "p 60.0 55.0 p 1 n\np 1 1 {a b} 0 n\nt 1 1 t 0 w n\ne p t 2 n\ne t 0.2 3 {a b} 0.1 2 1 n\nh d\n";
  expect_read_or_refused(ndr, 2, [](const std::string& text) { return ndr_error(text); });
  const std::string lola = "PLACE SAFE 2: p, q; r; MARKING p:2, r; TRANSITION t CONSUME p:2; PRODUCE q, r:4;";
  expect_read_or_refused(lola, 3, [](const std::string& text) { return lola_error(text); });
}

}  // namespace
}  // namespace dcheck::test
