// What is wrong with a PNML document, or not supported, is said in one line, with the place where it is.

#include <gtest/gtest.h>

#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

constexpr const char* head = "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>\n";
constexpr const char* tail = "</page></net></pnml>";

std::string document_error(const std::string& text) {
  return input_error_of([&] { parse_pnml(text, "m.pnml"); });
}

struct BadPage {
  const char* behaviour;
  const char* inside;  // second line of the document; '@' marks the position that the message names
  const char* message;
};

class PnmlErrors : public testing::TestWithParam<BadPage> {};

TEST_P(PnmlErrors, AreOneLineWithPosition) {
  std::string inside = GetParam().inside;
  const std::size_t at = inside.find('@');
  ASSERT_NE(at, std::string::npos);
  inside.erase(at, 1);
  EXPECT_EQ(document_error(head + inside + tail), "m.pnml:2:" + std::to_string(at + 1) + ": " + GetParam().message);
}

#define NODES "<place id='p'/><place id='q'/><transition id='t'/><transition id='u'/>"
#define ARC(attributes, inside) NODES "<arc id='a' " attributes ">" inside "</arc>"
#define BAD_ARC(attributes, inside) NODES "<@arc id='a' " attributes ">" inside "</arc>"

const BadPage node_cases[] = {
    {"DuplicateIds", "<place id='p'/><@place id='p'/>", "duplicate name 'p': another element has this id"},
    {"PlaceAndTransitionWithOneId", "<place id='p'/><@transition id='p'/>",
     "duplicate name 'p': another element has this id"},
    {"PageAndPlaceWithOneId", "<page id='p'/><@place id='p'/>", "duplicate name 'p': another element has this id"},
    {"NoId", "<@place/>", "<place> has no attribute 'id'"},
    {"MarkingIsText", "<place id='p'><@initialMarking><text>two</text></initialMarking></place>",
     "initial marking is 'two': expected a number"},
    {"MarkingIsNegative", "<place id='p'><@initialMarking><text>-1</text></initialMarking></place>",
     "initial marking is -1: expected 0 or more"},
    {"MarkingIsHuge", "<place id='p'><@initialMarking><text>1180591620717411303424</text></initialMarking></place>",
     "initial marking is 1180591620717411303424: expected at most 2^63 - 1"},
    {"MarkingIsEmpty", "<place id='p'><@initialMarking/></place>", "initial marking is '': expected a number"},
    {"ColouredMarking", "<place id='p'><@hlinitialMarking/></place>",
     "<hlinitialMarking> in a net without colours: expected the type of a symmetric net"},
    {"PlaceWithSort", "<place id='p'><@type><structure/></type></place>",
     "place 'p' has a sort in a net without colours"},
    {"CapacityBelowTheMarking",
     "<@place id='p'><initialMarking><text>4</text></initialMarking><capacity><value>3</value></capacity></place>",
     "place 'p' starts with 4 tokens, and has a capacity of 3"},
    {"CapacityIsText", "<place id='p'><@capacity><value>many</value></capacity></place>",
     "capacity is 'many': expected a number"},
    {"UnknownLabelOfAPlace", "<place id='p'><@delay/></place>", "element <delay> in a place is not supported"},
    {"GuardOfATransition", "<place id='p'/><transition id='t'><@condition/></transition>",
     "<condition> in a net without colours: expected the type of a symmetric net"},
    {"UnknownLabelOfATransition", "<place id='p'/><transition id='t'><@delay/></transition>",
     "element <delay> in a transition is not supported"},
    {"Priorities",
     "<place id='p'/><transition id='t'><priority><value>1</value></priority></transition><transition "
     "id='u'><@priority><value>2</value></priority></transition>",
     "<priority> differs between transitions ('1' and '2') that are not all immediate: such priorities are not "
     "supported"},
    {"ImmediateAndTimedTransitions",
     "<place id='p'/><transition id='t'><timed><value>true</value></timed></transition><transition "
     "id='u'><@timed><value>false</value></timed></transition>",
     "<timed> differs between transitions ('true' and 'false'): nets with both immediate and timed transitions are not "
     "supported"},
    {"ReferenceToNothing", NODES "<@referencePlace id='r' ref='x'/><arc source='r' target='t'/>",
     "unknown name 'x' as what a reference stands for"},
    {"ReferencesInACircle",
     NODES "<@referencePlace id='r' ref='s'/><referencePlace id='s' ref='r'/><arc source='r' target='t'/>",
     "reference 'r' leads back to itself"},
    {"UnknownElement", "<place id='p'/><@declaration/>",
     "<declaration> in a net without colours: expected the type of a symmetric net"},
};

const BadPage arc_cases[] = {
    {"DuplicateIds", ARC("source='p' target='t'", "") "<@arc id='a' source='p' target='u'/>",
     "duplicate name 'a': another element has this id"},
    {"WeightsThatDiffer", ARC("source='p' target='t' weight='2'", "<@inscription><text>3</text></inscription>"),
     "weight of the arc is 2 and 3: expected one number"},
    {"UnknownSource", BAD_ARC("source='x1' target='t'", ""), "unknown name 'x1' as the source of an arc"},
    {"UnknownTargetNamesTheNearest", "<place id='p'/><transition id='start'/><@arc source='p' target='strat'/>",
     "unknown name 'strat' as the target of an arc; did you mean 'start'?"},
    {"NoTarget", BAD_ARC("source='p'", ""), "<arc> has no attribute 'target'"},
    {"BetweenPlaces", BAD_ARC("source='p' target='q'", ""),
     "arc between two places: expected a place and a transition"},
    {"BetweenTransitions", BAD_ARC("source='t' target='u'", ""),
     "arc between two transitions: expected a place and a transition"},
    {"WeightIsZero", ARC("source='p' target='t'", "<@inscription><text>0</text></inscription>"),
     "weight of the arc is 0: expected a number above 0"},
    {"WeightIsNegative", ARC("source='p' target='t'", "<@inscription><text>-1</text></inscription>"),
     "weight of the arc is -1: expected a number above 0"},
    {"WeightIsHuge", ARC("source='p' target='t'", "<@inscription><text>1180591620717411303424</text></inscription>"),
     "weight of the arc is 1180591620717411303424: expected at most 2^63 - 1"},
    {"WeightIsText", ARC("source='p' target='t'", "<@inscription><text>x+y</text></inscription>"),
     "weight of the arc is 'x+y': expected a number"},
    {"WeightAttributeIsZero", BAD_ARC("source='p' target='t' weight='0'", ""),
     "weight of the arc is 0: expected a number above 0"},
    {"ResetArcOfAPlaceWithoutBound",
     BAD_ARC("source='p' target='t' type='reset'", "") "<arc id='z' source='u' target='p'/>",
     "the weight of an arc of transition 't' depends on the marking, and no bound is known for it: expected places "
     "that "
     "an invariant bounds"},
    {"TransportArc", BAD_ARC("source='p' target='t' type='transport'", ""),
     "arc of type 'transport' is not supported: expected normal, inhibitor, read, test or reset"},
    {"TwoTypes", ARC("source='p' target='t' type='read'", "<@type value='inhibitor'/>"),
     "the arc is given two different types"},
    {"InhibitorFromATransition", BAD_ARC("source='t' target='p' type='inhibitor'", ""),
     "inhibitor, read or reset arc from a transition: expected one from a place to a transition"},
    {"TimeInterval", BAD_ARC("source='p' target='t' inscription='[1,5]'", ""),
     "time interval '[1,5]' of the arc is not supported"},
    {"ColouredInscription", ARC("source='p' target='t'", "<@hlinscription/>"),
     "<hlinscription> in a net without colours: expected the type of a symmetric net"},
    {"UnknownLabel", ARC("source='p' target='t'", "<@probability/>"),
     "element <probability> in an arc is not supported"},
};

#define BAD_NUPN(attributes, units) \
  "<place id='p'/><toolspecific tool='nupn'><@structure " attributes ">" units "</structure></toolspecific>"
#define NUPN(attributes, units) \
  "<place id='p'/><toolspecific tool='nupn'><structure " attributes ">" units "</structure></toolspecific>"

const BadPage unit_cases[] = {
    {"NoStructure", "<place id='p'/><@toolspecific tool='nupn'/>", "NUPN data without <structure>"},
    {"UnknownPlace", NUPN("units='1' root='u'", "<@unit id='u'><places>pp</places></unit>"),
     "unknown name 'pp' as a place of a unit; did you mean 'p'?"},
    {"PlaceTwice", NUPN("units='1' root='u'", "<@unit id='u'><places>p p</places></unit>"),
     "place 'p' is listed in two units, or twice in one"},
    {"UnknownSubunit", NUPN("units='1' root='u'", "<@unit id='u'><subunits>v</subunits></unit>"),
     "unknown subunit 'v'"},
    {"DuplicateUnit", NUPN("units='2' root='u'", "<unit id='u'/><@unit id='u'/>"),
     "duplicate name 'u': two units have this id"},
    {"UnknownRoot", BAD_NUPN("units='1' root='r'", "<unit id='u'/>"), "root unit 'r' is not defined"},
    {"WrongCount", BAD_NUPN("units='3' root='u'", "<unit id='u'/>"), "3 units are announced, 1 are defined"},
    {"Circle", BAD_NUPN("units='1' root='u'", "<unit id='u'><subunits>u</subunits></unit>"),
     "the units do not form a tree below the root unit"},
    {"Forest", BAD_NUPN("units='2' root='u'", "<unit id='u'/><unit id='v'/>"),
     "the units do not form a tree below the root unit"},
    {"TwoParents",
     NUPN("units='3' root='u'",
          "<unit id='u'><subunits>v w</subunits></unit><@unit id='v'><subunits>w</subunits></unit><unit id='w'/>"),
     "unit 'w' has two parents: expected a tree"},
};

std::string name_of(const testing::TestParamInfo<BadPage>& test) {
  return test.param.behaviour;
}

INSTANTIATE_TEST_SUITE_P(Nodes, PnmlErrors, testing::ValuesIn(node_cases), name_of);
INSTANTIATE_TEST_SUITE_P(Arcs, PnmlErrors, testing::ValuesIn(arc_cases), name_of);
INSTANTIATE_TEST_SUITE_P(Units, PnmlErrors, testing::ValuesIn(unit_cases), name_of);

TEST(PnmlDocument, ANetWithoutPlacesIsRefused) {
  EXPECT_EQ(document_error(std::string(head) + tail), "m.pnml:1:8: the net has no place: expected at least one");
}

TEST(PnmlDocument, TruncatedXmlIsRefused) {
  const std::string whole =
      std::string(head) + "<place id='p'/><transition id='t'/><arc id='a' source='p' target='t'/>" + tail;
  ASSERT_EQ(document_error(whole), "");
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const std::string error = document_error(whole.substr(0, length));
    EXPECT_TRUE(error.starts_with("m.pnml:")) << length << ": " << error;
    EXPECT_NE(error.find("not well-formed XML"), std::string::npos) << length << ": " << error;
  }
}

TEST(PnmlDocument, AnEntityBombIsRefused) {
  std::string bomb = "<?xml version='1.0'?>\n<!DOCTYPE pnml [<!ENTITY a0 'ha'>";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "&a" + std::to_string(i - 1) + ";";
    bomb += "<!ENTITY a" + std::to_string(i) + " '" + before + before + "'>";
  }
  bomb += "]>\n" + std::string(head) + "<place id='p'><name><text>&a29;</text></name></place>" + tail;
  EXPECT_EQ(document_error(bomb),
            "m.pnml:2:11: document type with its own declarations (entities): expected plain PNML");
}

TEST(PnmlDocument, AnExternalEntityIsRefused) {
  EXPECT_NE(
      document_error("<!DOCTYPE pnml [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><pnml>&x;</pnml>").find("document type"),
      std::string::npos);
}

TEST(PnmlDocument, SeveralNetsAreRefused) {
  EXPECT_EQ(document_error("<pnml>\n<net id='a' type='ptnet'/>\n<net id='b' type='ptnet'/></pnml>"),
            "m.pnml:3:2: several nets in one file: expected exactly one <net>");
}

TEST(PnmlDocument, WhatIsNoPnmlIsRefused) {
  EXPECT_EQ(document_error("<html/>"), "m.pnml:1:2: expected <pnml> as the outermost element, found <html>");
  EXPECT_EQ(document_error("<pnml/>"), "m.pnml:1:2: no net in the file: expected <net>");
  EXPECT_EQ(document_error("hello"), "m.pnml:1:6: not well-formed XML: No document element found");
}

TEST(PnmlDocument, UnknownTypesAreNamed) {
  EXPECT_EQ(document_error("<pnml><net id='n' type='http://x/timednet'/></pnml>"),
            "m.pnml:1:8: net type 'http://x/timednet' is not supported: expected a P/T net (.../grammar/ptnet)");
  EXPECT_EQ(document_error("<pnml><net id='n'/></pnml>"), "m.pnml:1:8: <net> has no attribute 'type'");
}

TEST(PnmlDocument, IdsMustBeUtf8) {
  EXPECT_EQ(document_error(std::string(head) + "<place id='\xFF'/>" + tail),
            "m.pnml:2:2: attribute 'id' of <place> is not valid UTF-8");
}

TEST(PnmlFuzz, DamagedDocumentsAreReadOrRefused) {
  const std::string whole = std::string(head) +
                            NODES
                            "<page id='h'><referencePlace id='r' ref='p'/></page><arc id='a' source='r' "
                            "target='t'><inscription><text>2</text>"
                            "</inscription><type value='inhibitor'/></arc><arc id='b' source='t' "
                            "target='q'/><toolspecific tool='nupn'><structure "
                            "units='2' root='u' safe='true'><unit "
                            "id='u'><places>p</places><subunits>v</subunits></unit><unit id='v'><places>q"
                            "</places></unit></structure></toolspecific>" +
                            tail;
  ASSERT_EQ(document_error(whole), "");
  std::mt19937 random(3);
  std::size_t read = 0, refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = whole;
    for (int edits = 1 + round % 4; edits > 0; --edits) mutate(text, random);
    const std::string error = document_error(text);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    ++(error.empty() ? read : refused);
  }
  EXPECT_GT(read, 0U);
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace dcheck::test
