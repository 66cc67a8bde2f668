// What PNML documents mean.

#include <gtest/gtest.h>

#include "support/naive_explorer.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

/// A document with this inside its only page.
std::string page(const std::string& inside) {
  return "<?xml version='1.0'?>\n<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'>"
         "<net id='small' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='top'>" +
         inside + "</page></net></pnml>";
}

Net net(const std::string& text) {
  return parse_pnml(text, "m.pnml").net;
}

/// One place p, one transition t, and these arcs.
Net arcs(const std::string& inside) {
  return net(page("<place id='p'/><place id='q'/><transition id='t'/>" + inside));
}

std::vector<Arc> list(std::span<const Arc> arcs) {
  return {arcs.begin(), arcs.end()};
}

constexpr Place p{0}, q{1};
constexpr Transition t{0};
using Arcs = std::vector<Arc>;

TEST(PnmlReader, NamesAreIdsAndTheNetHasItsId) {
  const Net read = net(page("<place id='p1'><name><text>Nice name</text></name></place><transition id='t1'/>"));
  EXPECT_EQ(read.name(), "small");
  EXPECT_TRUE(read.find_place("p1"));
  EXPECT_TRUE(read.find_transition("t1"));
  EXPECT_FALSE(read.find_place("Nice name"));
}

TEST(PnmlReader, ReadsMarkingsAndWeights) {
  const Net read = net(page(R"(
    <place id='p'><graphics/><initialMarking><graphics/><text> 12 </text></initialMarking></place>
    <transition id='t'><graphics><position x='1' y='2'/></graphics></transition>
    <arc id='a' source='p' target='t'><inscription><text>3</text></inscription></arc>
    <arc id='b' source='t' target='p'/>)"));
  EXPECT_EQ(read.initial()[0], 12);
  EXPECT_EQ(list(read.pre(t)), (Arcs{{p, 3}}));
  EXPECT_EQ(list(read.post(t)), (Arcs{{p, 1}}));
}

TEST(PnmlReader, ParallelArcsAddUp) {
  const Net read = arcs(R"(<arc id='a' source='p' target='t'><inscription><text>3</text></inscription></arc>
                           <arc id='b' source='p' target='t'/>)");
  EXPECT_EQ(list(read.pre(t)), (Arcs{{p, 4}}));
}

TEST(PnmlReader, PagesNestAndReferencesAreFollowed) {
  const Net read = net(page(R"(
    <page id='one'><page id='deep'><place id='p'/></page><referenceTransition id='rt' ref='t'/>
      <arc id='a' source='p' target='rt'/></page>
    <page id='two'><referencePlace id='r2' ref='r1'/><transition id='t'/><arc id='b' source='t' target='r2'/></page>
    <referencePlace id='r1' ref='p'/>)"));
  EXPECT_EQ(read.place_count(), 1U);
  EXPECT_EQ(read.transition_count(), 1U);
  EXPECT_EQ(list(read.pre(t)), (Arcs{{p, 1}}));
  EXPECT_EQ(list(read.post(t)), (Arcs{{p, 1}}));
}

TEST(PnmlReader, ANetWithoutPagesAndWithNamespacePrefixesIsFine) {
  const Net read = net(R"(<x:pnml xmlns:x='u'><x:net id='n' type='ptnet'><x:place id='p'/></x:net></x:pnml>)");
  EXPECT_EQ(read.place_count(), 1U);
}

TEST(PnmlReader, InhibitorArcsComeInManyForms) {
  for (const char* form : {"><type value='inhibitor'/>", "><arctype><text>inhibitor</text></arctype>",
                           " type='inhibitor'>", " type='tapnInhibitor'>", "><type><text>inhibitor</text></type>",
                           "><toolspecific tool='x' version='1'><type>inhibitor</type></toolspecific>",
                           "><toolspecific tool='x' version='1'><a><b kind='Inhibitor'/></a></toolspecific>",
                           "><toolspecific tool='x' version='1'><c/><inhibitorArc/></toolspecific>"}) {
    const Net read = arcs(std::string("<arc id='a' source='p' target='t'") + form +
                          "<inscription><text>2</text></inscription></arc>");
    EXPECT_EQ(list(read.inhibitors(t)), (Arcs{{p, 2}})) << form;
    EXPECT_TRUE(read.pre(t).empty()) << form;
  }
}

TEST(PnmlReader, ForeignToolDataIsPassedOver) {
  const Net read = arcs(
      "<arc id='a' source='p' target='t'><toolspecific tool='x'><colour>red</colour></toolspecific></arc>"
      "<toolspecific tool='y'><anything/></toolspecific>");
  EXPECT_EQ(list(read.pre(t)), (Arcs{{p, 1}}));
  EXPECT_FALSE(read.has_inhibitors());
}

TEST(PnmlReader, AReadArcNeedsTokensAndTakesNone) {
  const Net read = arcs(
      "<arc id='a' source='p' target='t' type='read'><inscription><text>2</text></inscription></arc>"
      "<arc id='b' source='q' target='t'><type value='test'/></arc>");
  EXPECT_EQ(list(read.pre(t)), (Arcs{{p, 2}, {q, 1}}));
  EXPECT_TRUE(read.effect(t).empty());
}

TEST(PnmlReader, AReadArcMayReadWhatTheTransitionTakes) {
  const Net read = arcs(
      "<arc id='a' source='p' target='t' type='read'><inscription><text>3</text></inscription></arc>"
      "<arc id='b' source='p' target='t'/>"
      "<arc id='c' source='q' target='t' type='read'/><arc id='d' source='q' target='t'/>");
  EXPECT_EQ(list(read.pre(t)), (Arcs{{p, 3}, {q, 1}}));
  EXPECT_EQ(list(read.effect(t)), (Arcs{{p, -1}, {q, -1}}));
}

TEST(PnmlReader, ReadsWhatPipeWrites) {
  const Net read = net(R"(<pnml><net id="Net-One" type="P/T net"><token id="Default" enabled="true"/>
    <place id="P0"><initialMarking><value>Default,4</value></initialMarking><capacity><value>0</value></capacity></place>
    <transition id="T0"><orientation><value>0</value></orientation><rate><value>2.5</value></rate>
      <timed><value>false</value></timed><infiniteServer><value>false</value></infiniteServer>
      <priority><value>1</value></priority></transition>
    <arc id="a" source="P0" target="T0"><inscription><value>Default,2</value></inscription><tagged><value>false</value>
      </tagged><arcpath id="000" x="1" y="2"/><type value="normal"/></arc></net></pnml>)");
  EXPECT_EQ(read.initial()[0], 4);
  EXPECT_EQ(list(read.pre(t)), (Arcs{{p, 2}}));
  EXPECT_DOUBLE_EQ(read.rate(t).value(), 2.5);
}

TEST(PnmlReader, AResetArcTakesAllThatIsThere) {
  const Net read = net(page(R"(<place id='p'><initialMarking><text>2</text></initialMarking></place><place id='q'/>
    <transition id='t'/><transition id='u'/><arc id='a' source='p' target='t'/><arc id='b' source='t' target='q'/>
    <arc id='c' source='q' target='u' type='reset'/>)"));
  const NaiveGraph graph = explore_naively(read);
  EXPECT_EQ(graph.states(), 6U);  // p + q from 0 to 2
  EXPECT_EQ(graph.arcs, 6U + 3U);
}

TEST(PnmlReader, ACapacityHoldsBackWhatWouldExceedIt) {
  const Net read = net(page(R"(<place id='p'><initialMarking><text>5</text></initialMarking></place>
    <place id='q'><capacity><value>3</value></capacity></place><transition id='t'/><arc id='a' source='p' target='t'/>
    <arc id='b' source='t' target='q'><inscription><text>2</text></inscription></arc>)"));
  EXPECT_EQ(explore_naively(read).states(), 2U);
}

TEST(PnmlReader, PrioritiesOfImmediateTransitionsHoldBackLowerOnes) {
  const auto transition = [](const char* id, const char* priority) {
    return std::string("<transition id='") + id + "'><timed><value>false</value></timed><priority><value>" + priority +
           "</value></priority></transition>";
  };
  const Net read = net(page("<place id='p'><initialMarking><text>1</text></initialMarking></place>" +
                            transition("low", "1") + transition("high", "2") +
                            "<arc id='a' source='p' target='low'/><arc id='b' source='p' target='high'/>"));
  EXPECT_EQ(explore_naively(read).arcs, 1U);
}

TEST(PnmlReader, ReadsWhatTapaalWritesWithoutTime) {
  const Net read = net(R"xml(<pnml><net id="n" type="P/T net"><place id="P0" initialMarking="2" invariant="&lt; inf"/>
    <transition id="T0"/><arc id="a" inscription="[0,inf)" source="P0" target="T0" type="timed" weight="2"/>
    <arc id="b" inscription="3" source="T0" target="P0" type="normal"/></net></pnml>)xml");
  EXPECT_EQ(read.initial()[0], 2);
  EXPECT_EQ(list(read.pre(t)), (Arcs{{p, 2}}));
  EXPECT_EQ(list(read.post(t)), (Arcs{{p, 3}}));
}

TEST(PnmlReader, ReadsNupnUnits) {
  const Net read = net(page(R"(<place id='a'/><place id='b'/><place id='c'/>
    <toolspecific tool='nupn' version='1.1'><size places='3' transitions='0' arcs='0'/>
      <structure units='3' root='u0' safe='true'>
        <unit id='u0'><places/><subunits>u1 u2</subunits></unit>
        <unit id='u1'><places>a
          c</places><subunits/></unit>
        <unit id='u2'><places>b</places><subunits/></unit></structure></toolspecific>)"));
  ASSERT_EQ(read.units().size(), 3U);
  EXPECT_TRUE(read.units_claim_safe());
  EXPECT_EQ(read.units()[0].subunits, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(read.units()[1].name, "u1");
  EXPECT_EQ(read.units()[1].places, (std::vector<Place>{Place{0}, Place{2}}));
  EXPECT_EQ(read.units()[2].places, (std::vector<Place>{Place{1}}));
}

TEST(PnmlReader, AnUnsafeNupnMakesNoClaim) {
  const Net read =
      net(page("<place id='a'/><toolspecific tool='nupn' version='1.1'><structure units='1' root='u' safe='false'>"
               "<unit id='u'><places>a</places><subunits/></unit></structure></toolspecific>"));
  EXPECT_EQ(read.units().size(), 1U);
  EXPECT_FALSE(read.units_claim_safe());
}

TEST(PnmlReader, DeeplyNestedPagesAndToolDataAreFine) {
  std::string open, close, tool_open, tool_close;
  for (int i = 0; i < 100'000; ++i) {
    open += "<page id='x" + std::to_string(i) + "'>";
    close += "</page>";
    tool_open += "<a>";
    tool_close += "</a>";
  }
  const Net read =
      net(page(open + "<place id='p'/><transition id='t'/><arc source='p' target='t'><toolspecific tool='x'>" +
               tool_open + tool_close + "</toolspecific></arc>" + close));
  EXPECT_EQ(list(read.pre(t)), (Arcs{{p, 1}}));
}

}  // namespace
}  // namespace dcheck::test
