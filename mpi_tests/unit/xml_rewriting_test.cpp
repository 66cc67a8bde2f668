// What XML says changes nothing, changes nothing; what makes a document mean two things at once is refused.

#include "support/xml_rewriting.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "dcheck/ctl/text.hpp"
#include "support/net_text.hpp"
#include "support/paths.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The project's own documents with this ending, and what they say.
std::vector<std::string> documents(const std::string& folder, const std::string& ending) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + folder)) {
    if (entry.path().extension() == ending) found.push_back(content_of(entry.path()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// A kind of document, read to a text that tells all there is in it.
struct Format {
  std::vector<std::string> examples;
  std::string (*meaning)(const std::string& xml);
  std::set<std::string> singular;  // elements of which only one may be in its parent
};

std::string net_in(const std::string& xml) {
  return text_of(parse_pnml(xml, "m.xml").net);
}

std::string formulas_in(const std::string& xml) {
  static const Model model = spn(R"(param N = 3; place p, q, "odd name", r[1..N], s[1..2, 0..1];
    trans t : p -> q; trans v[i in 1..N] : r[i] -> ;)");
  std::string text;
  for (const Property& property : parse_formulas(xml, "m.xml", model)) {
    text += property.id + (property.is_upper_bound ? " bound " : ": ") + property.text + "\n";
  }
  return text;
}

std::vector<Format> formats() {
  Format nets{documents("/mpi_tests/fuzz/seeds/pnml", ".pnml"),
              net_in,
              {"initialMarking", "inscription", "text", "value", "rate", "structure", "places", "subunits"}};
  for (std::string& model : documents("/models", ".pnml")) nets.examples.push_back(std::move(model));
  return {nets, {documents("/mpi_tests/fuzz/seeds/mcc_xml", ".xml"), formulas_in, {"id", "formula"}}};
}

/// The message with which the document is refused; it must have a position.
std::string refusal(const Format& format, const std::string& xml) {
  std::string error = input_error_of([&] { format.meaning(xml); });
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  EXPECT_TRUE(error.empty() || (error.rfind("m.xml:", 0) == 0 && std::isdigit(error[6]) != 0)) << error;
  return error;
}

std::string tag_name(const std::string& piece) {
  return piece.substr(1, piece.find_first_of(" \t\r\n/>") - 1);
}

/// Calls visit(number of the piece, piece) for every opening tag.
template <typename Visit>
void for_each_element(const std::string& xml, Visit visit) {
  const std::vector<std::string> pieces = xml_pieces(xml);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i][0] == '<' && std::isalpha(static_cast<unsigned char>(pieces[i][1])) != 0) visit(i, pieces[i]);
  }
}

/// The document with something else in place of a piece.
std::string with_piece(const std::string& xml, std::size_t number, const std::string& instead) {
  std::vector<std::string> pieces = xml_pieces(xml);
  pieces[number] = instead;
  std::string made;
  for (const std::string& piece : pieces) made += piece;
  return made;
}

TEST(XmlRewriting, ChangesNothing) {
  for (const Format& format : formats()) {
    ASSERT_FALSE(format.examples.empty());
    std::mt19937 random(7);
    for (const std::string& xml : format.examples) {
      const std::string meaning = format.meaning(xml);
      std::size_t different = 0;
      const std::size_t rounds = xml.size() < 10'000 ? 300 : 5;
      for (std::size_t round = 0; round < rounds; ++round) {
        const std::string other = rewritten(xml, random);
        different += other != xml;
        ASSERT_EQ(input_error_of([&] { EXPECT_EQ(format.meaning(other), meaning) << other; }), "") << other;
      }
      EXPECT_EQ(different, rounds);
    }
  }
}

TEST(XmlDoubles, ElementsThatMayStandOnceAreRefusedTwice) {
  for (const Format& format : formats()) {
    std::set<std::string> tried;
    for (const std::string& xml : format.examples) {
      for_each_element(xml, [&](std::size_t i, const std::string& tag) {
        const std::string name = tag_name(tag);
        const std::string twice = with_element_twice(xml, i);
        // What has an id may not stand twice either, nor may what a property set is made of.
        const bool has_id = tag.find(" id=") != std::string::npos && name != "token" && name != "arcpath";
        if (!format.singular.contains(name) && !has_id && name != "property") return;
        if (xml.size() > 10'000 && tried.contains(name)) return;
        tried.insert(name);
        // Some labels of PNML are for people only.
        const std::string before = xml_pieces(xml)[i - 1];
        if (before == "<name>" || before == "<orientation>") return;
        EXPECT_NE(refusal(format, twice), "") << twice;
      });
    }
    for (const std::string& name : format.singular) EXPECT_TRUE(tried.contains(name)) << name;
  }
}

TEST(XmlDoubles, ASecondOutermostElementIsRefused) {
  for (const Format& format : formats()) {
    for (const std::string& xml : format.examples) {
      const std::size_t declaration = xml.find("?>");
      const std::string body = declaration == std::string::npos ? xml : xml.substr(declaration + 2);
      EXPECT_NE(refusal(format, xml + body).find("a second outermost element"), std::string::npos);
      EXPECT_NE(refusal(format, xml + "<x/>").find("a second outermost element <x>"), std::string::npos);
      EXPECT_NE(refusal(format, xml + "more").find("text outside of the outermost element"), std::string::npos);
      EXPECT_NE(refusal(format, xml + "<![CDATA[]]>").find("text outside of the outermost element"), std::string::npos);
    }
  }
}

TEST(XmlDoubles, AttributesGivenTwiceAreRefused) {
  for (const Format& format : formats()) {
    for (const std::string& xml : format.examples) {
      for_each_element(xml, [&](std::size_t i, const std::string& tag) {
        const std::size_t end = tag.find_last_not_of("/>") + 1;
        const std::string twice =
            with_piece(xml, i, tag.substr(0, end) + " twice='1' once='' twice='2'" + tag.substr(end));
        EXPECT_NE(refusal(format, twice).find("the attribute 'twice' is given twice"), std::string::npos) << twice;
      });
    }
  }
}

TEST(XmlReferences, ThoseThatStandForNothingAreRefusedWherever) {
  for (const Format& format : formats()) {
    for (const std::string& xml : format.examples) {
      if (xml.size() > 10'000) continue;
      for (const char* bad :
           {"&no;", "&", "&;", "&#0;", "&#x0;", "&#1114112;", "&#xD800;", "&#12a;", "&LT;", "& lt;"}) {
        for_each_element(xml, [&](std::size_t i, const std::string& tag) {
          if (tag.ends_with("/>")) return;
          const std::string error = refusal(format, with_piece(xml, i, tag + bad));
          EXPECT_NE(error.find("stands for no character"), std::string::npos) << error;
        });
        const std::size_t quote = xml.rfind("=\"");
        const std::string in_attribute = xml.substr(0, quote + 2) + bad + xml.substr(quote + 2);
        EXPECT_NE(refusal(format, in_attribute).find("stands for no character"), std::string::npos) << in_attribute;
      }
    }
  }
}

std::string marking(const std::string& label) {
  return "<pnml><net id='n' type='ptnet'><place id='p'>" + label + "</place></net></pnml>";
}

Tokens tokens_of(const std::string& label) {
  return parse_pnml(marking(label), "m.pnml").net.initial()[0];
}

TEST(XmlText, IsAllOfIt) {
  EXPECT_EQ(tokens_of("<initialMarking><text>1<!-- was 2 -->3</text></initialMarking>"), 13);
  EXPECT_EQ(tokens_of("<initialMarking><text>1<![CDATA[2]]>3</text></initialMarking>"), 123);
  EXPECT_EQ(tokens_of("<initialMarking><text>1<?x 2?>3</text></initialMarking>"), 13);
  EXPECT_EQ(tokens_of("<initialMarking><!-- 7 --><text> <![CDATA[ 4 ]]>\n</text></initialMarking>"), 4);
  EXPECT_EQ(tokens_of("<initialMarking>1<!-- 7 -->2</initialMarking>"), 12);
  EXPECT_EQ(tokens_of("<initialMarking><text>&#49;&#x32;</text></initialMarking>"), 12);
}

TEST(XmlText, BlanksBetweenTwoPiecesBelongToIt) {
  EXPECT_EQ(input_error_of([] { tokens_of("<initialMarking><text>1<!-- --> <!-- -->3</text></initialMarking>"); }),
            "m.pnml:1:47: initial marking is '1 3': expected a number");
}

TEST(XmlText, LabelsSayOneThing) {
  const auto error = [](const char* label) { return input_error_of([&] { tokens_of(label); }); };
  EXPECT_EQ(error("<initialMarking><text>1</text></initialMarking><initialMarking><text>1</text></initialMarking>"),
            "m.pnml:1:94: <place> has two <initialMarking>: expected one");
  EXPECT_EQ(error("<initialMarking><text>1</text><text>2</text></initialMarking>"),
            "m.pnml:1:77: <initialMarking> says two things: expected one");
  EXPECT_EQ(error("<initialMarking><text>1</text><value>1</value></initialMarking>"),
            "m.pnml:1:77: <initialMarking> says two things: expected one");
  EXPECT_EQ(error("<initialMarking>2<text>1</text></initialMarking>"),
            "m.pnml:1:62: unexpected text '2' in <initialMarking>: expected elements only");
  EXPECT_EQ(error("5"), "m.pnml:1:46: unexpected text '5' in <place>: expected elements only");
  EXPECT_EQ(error("<initialMarking><text>1<b/></text></initialMarking>"),
            "m.pnml:1:70: unexpected element <b> in <text>: expected text only");
  EXPECT_EQ(error("<initialMarking><text>1</text><structure/></initialMarking>"),
            "m.pnml:1:77: element <structure> in <initialMarking> is not supported");
}

}  // namespace
}  // namespace dcheck::test
