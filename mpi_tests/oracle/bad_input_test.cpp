// What is wrong with a model or a command line is one line on stderr and exit 2, quickly. Below what is wrong
// with a formula stand its text and a caret.

#include <gtest/gtest.h>

#include <sstream>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

constexpr double patience_seconds = 10;

/// Runs dcheck and expects the refusal; returns what is on stderr, line by line.
std::vector<std::string> refusal(const std::vector<std::string>& arguments) {
  const Outcome run = run_dcheck(arguments, patience_seconds);
  EXPECT_FALSE(run.timed_out);
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_LT(run.err.size(), 1000U);
  EXPECT_EQ(run.out, "");
  EXPECT_FALSE(run.err.empty() || run.err.back() != '\n') << run.err;
  std::vector<std::string> lines;
  std::istringstream text(run.err);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// Expects the refusal in one line; `names` must occur in it. Returns the line.
std::string expect_refusal(const std::vector<std::string>& arguments, const std::string& names) {
  SCOPED_TRACE(command_line(arguments));
  const std::vector<std::string> lines = refusal(arguments);
  EXPECT_EQ(lines.size(), 1U) << testing::PrintToString(lines);
  std::string line = lines.empty() ? "" : lines[0];
  EXPECT_NE(line.find(names), std::string::npos) << "expected '" << names << "' in: " << line;
  return line;
}

/// Expects the refusal in three lines: one that begins with `where`, then the text and the caret as shown.
void expect_excerpt(const std::vector<std::string>& arguments, const std::string& where, const std::string& shown,
                    const std::string& caret) {
  SCOPED_TRACE(command_line(arguments).substr(0, 200));
  const std::vector<std::string> lines = refusal(arguments);
  ASSERT_EQ(lines.size(), 3U) << testing::PrintToString(lines);
  EXPECT_EQ(lines[0].rfind(where, 0), 0U) << lines[0];
  EXPECT_EQ(lines[1], shown);
  EXPECT_EQ(lines[2], caret);
}

class BadInput : public testing::Test {
 protected:
  std::string refuse_spn(const std::string& text, const std::string& names, std::vector<std::string> more = {}) {
    return refuse_file("net.spn", text, names, std::move(more));
  }
  std::string refuse_pnml(const std::string& text, const std::string& names) {
    return refuse_file("net.pnml", text, names, {});
  }
  std::string refuse_file(const std::string& file, const std::string& text, const std::string& names,
                          std::vector<std::string> more) {
    more.insert(more.begin(), _directory.write(file, text));
    return expect_refusal(more, names);
  }
  TemporaryDirectory _directory;
};

constexpr const char* two_places = "place a init 1, b;\n";

std::string pnml(const std::string& type, const std::string& body) {
  return "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n<net id=\"n\" "
         "type=\"" +
         type + "\">\n<page id=\"g\">\n" + body + "\n</page>\n</net>\n</pnml>\n";
}

const std::string ptnet = "http://www.pnml.org/version-2009/grammar/ptnet";
const std::string place_and_transition = "<place id=\"p\"/>\n<transition id=\"t\"/>\n";

TEST_F(BadInput, MissingFile) {
  expect_refusal({_directory.path() / "nothing.spn"}, "nothing.spn");
  expect_refusal({_directory.path() / "nothing.pnml"}, "nothing.pnml");
}

TEST_F(BadInput, Directory) {
  std::filesystem::create_directory(_directory.path() / "dir.spn");
  expect_refusal({_directory.path() / "dir.spn"}, "dir.spn");
  expect_refusal({_directory.path()}, _directory.path());
}

TEST_F(BadInput, UnknownEnding) {
  refuse_file("net.txt", two_places, "net.txt", {});
}

TEST_F(BadInput, EmptyFile) {
  refuse_spn("", "net.spn");
  refuse_pnml("", "net.pnml");
}

TEST_F(BadInput, BinaryFile) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>((i * 7919) >> 3);
  refuse_spn(bytes, "net.spn");
  refuse_pnml(bytes, "net.pnml");
}

TEST_F(BadInput, TruncatedPnml) {
  const std::string whole = pnml(ptnet, place_and_transition);
  for (const std::size_t length : {5U, 60U, 120U, 200U}) refuse_pnml(whole.substr(0, length), "net.pnml");
}

TEST_F(BadInput, EntityBomb) {
  std::string text = "<?xml version=\"1.0\"?>\n<!DOCTYPE b [\n<!ENTITY e0 \"aaaaaaaaaa\">\n";
  for (int i = 1; i < 30; ++i) {
    text += "<!ENTITY e" + std::to_string(i) + " \"";
    for (int k = 0; k < 10; ++k) text += "&e" + std::to_string(i - 1) + ";";
    text += "\">\n";
  }
  text += "]>\n";
  const std::string body = "<place id=\"p\"><initialMarking><text>&e29;</text></initialMarking></place>";
  refuse_pnml(text + pnml(ptnet, body).substr(22), "net.pnml");
}

TEST_F(BadInput, DuplicateNames) {
  refuse_spn("place a;\nplace a;\n", ":2:");
  refuse_spn("place a;\ntrans t : a -> ;\ntrans t : a -> ;\n", "t");
  refuse_pnml(pnml(ptnet, "<place id=\"p\"/>\n<place id=\"p\"/>"), "p");
}

TEST_F(BadInput, UnknownNames) {
  const std::string line = refuse_spn(std::string(two_places) + "trans t : a -> c;\n", ":2:16:");
  EXPECT_NE(line.find("'c'"), std::string::npos) << line;
  refuse_pnml(pnml(ptnet, place_and_transition + "<arc id=\"x\" source=\"p\" target=\"u\"/>"), "u");
  refuse_spn(two_places, "nowhere", {"--lanes", "nowhere"});
  refuse_spn(two_places, "place 'a' is named twice", {"--lanes", "a,b,a"});
  refuse_spn(two_places, "place 'b' is named twice", {"--allocation", "places=b,b"});
}

TEST_F(BadInput, PlacesForLanesThatDoNotFit) {
  const std::string line =
      expect_refusal({model_path("kanban.spn"), "-D", "N=5", "--no-checks", "--quiet", "--lanes",
                      "pm[1],pm[2],pm[3],pm[4],pback[1],pback[2],pback[3],pback[4]"},
                     "dcheck: --lanes: pm[1], pm[2], pm[3], pm[4], pback[1], pback[2], pback[3], ");
  EXPECT_NE(line.find(" lanes and there may be 2,048; the first 4 would fit with 1,296: pm[1], "), std::string::npos)
      << line;
}

TEST_F(BadInput, WeightsThatAreNegativeOrTooLarge) {
  const std::string too_large = "1180591620717411303424";  // 2^70
  for (const std::string& weight : {std::string("-1"), too_large}) {
    refuse_spn(std::string(two_places) + "trans t : " + weight + " * a -> b;\n", ":2:");
    const std::string arc =
        "<arc id=\"x\" source=\"p\" target=\"t\"><inscription><text>" + weight + "</text></inscription></arc>";
    refuse_pnml(pnml(ptnet, place_and_transition + arc), weight);
    const std::string place = "<place id=\"q\"><initialMarking><text>" + weight + "</text></initialMarking></place>";
    refuse_pnml(pnml(ptnet, place + place_and_transition), weight);
    refuse_spn("place a init " + weight + ";\n", ":1:");
  }
}

TEST_F(BadInput, ParametersNotGivenOrOfTheWrongKind) {
  refuse_spn("param N;\nplace a init N;\n", "N");
  const std::string text = "param N = 1;\nplace a init N;\n";
  refuse_spn(text, "N", {"-D", "N=many"});
  refuse_spn(text, "N", {"-D", "N="});
  refuse_spn(text, "N", {"-D", "N=1180591620717411303424"});
  refuse_spn(text, "M", {"-D", "M=1"});
  refuse_spn(text, "-D", {"-D", "N"});
}

TEST_F(BadInput, LoopsThatMakeABillionPlaces) {
  refuse_spn("place p[1..1000000000];\n", ":1:");
  refuse_spn("place p[1..100000, 1..100000];\n", ":1:");
  refuse_spn("place a init 1;\nfor i in 1..1000000000 { trans t[i] : a -> a; }\n", "net.spn:2:");
  refuse_spn("place a init 1;\nlet x = sum i in 1..1000000000 : a * i;\n", "net.spn:2:");
}

TEST_F(BadInput, UnsupportedPnmlTypes) {
  refuse_pnml(pnml("http://www.pnml.org/version-2009/grammar/symmetricnet", ""), "no place");
  refuse_pnml(pnml("http://www.pnml.org/version-2009/grammar/highlevelnet", ""), "no place");
  refuse_pnml(pnml("http://example.org/my-own-net", ""), "my-own-net");
}

TEST_F(BadInput, OptionsThatAreUnknownOrWrong) {
  const std::string model = _directory.write("net.spn", two_places);
  expect_refusal({model, "--dedlock"}, "--deadlock");
  expect_refusal({model, "--store", "auto"}, "not available yet");
  expect_refusal({model, "--max-time", "soon"}, "--max-time");
  expect_refusal({model, "--json", _directory.path() / "no/such/dir.json"}, "--json");
  expect_refusal({}, "MODEL");
}

TEST_F(BadInput, TextThatIsVeryLongOrVeryDeep) {
  refuse_spn(std::string(10'000'000, 'x'), "net.spn:1:");
  refuse_spn("place a init " + std::string(10'000'000, '9') + ";\n", "net.spn:1:");
  refuse_spn("place a init " + std::string(1'000'000, '(') + "1;\n", "net.spn:1:");
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "<page id=\"g\">";
  refuse_pnml(pnml(ptnet, deep), "net.pnml");
  const std::string line(10'000'000, '9');
  refuse_pnml(pnml(ptnet, "<place id=\"" + line + "\"/>"), "net.pnml:5:2: attribute 'id' of <place> is longer than");
  refuse_pnml(pnml(ptnet, "<place id=\"p\"><initialMarking><text>" + line + "</text></initialMarking></place>"),
              "net.pnml:5:16: initial marking is 999");
  refuse_pnml(pnml(ptnet, line), "net.pnml:4:14: unexpected text '999");
}

TEST_F(BadInput, NumbersThatDoNotFit63Bits) {
  const std::string most = "9223372036854775807", more = "9223372036854775808";
  const auto arc = [](const std::string& id, const std::string& weight) {
    return "<arc id=\"" + id + "\" source=\"p\" target=\"t\"><inscription><text>" + weight +
           "</text></inscription></arc>\n";
  };
  refuse_spn("place a init " + more + ";\n", "net.spn:1:14: ");
  refuse_spn(std::string(two_places) + "trans t : " + more + "*a -> b;\n", "net.spn:2:11: ");
  refuse_spn(std::string(two_places) + "trans t : " + most + "*a + a -> b;\n", "add up to more than 2^63 - 1");
  refuse_pnml(pnml(ptnet, place_and_transition + arc("x", more)), "net.pnml:7:36: ");
  refuse_pnml(pnml(ptnet, place_and_transition + arc("x", most) + arc("y", "1")), "add up to more than 2^63 - 1");
  const std::string model = _directory.write("net.spn", two_places);
  expect_excerpt({model, "--ctl", "EF a > " + more}, "ctl-1:1:8: ", "  EF a > " + more, "         ^");
}

TEST_F(BadInput, BytesThatAreNoText) {
  const std::string zero(1, '\0');
  refuse_spn("place a;\n" + zero, "byte 9 is zero");
  refuse_pnml(pnml(ptnet, place_and_transition + zero), "is zero");
  refuse_spn("place a;\n// \xFF\n", "net.spn:2:4: text is not valid UTF-8");
  const std::string model = _directory.write("net.spn", two_places);
  expect_refusal({model, "--formulas", _directory.write("f.ctl", "a: true;" + zero)}, "byte 8 is zero");
}

TEST_F(BadInput, PositionsDoNotCountByteOrderMarksAndCarriageReturns) {
  const std::string mark = "\xEF\xBB\xBF";
  refuse_spn(mark + "plaice a;\r\n", "net.spn:1:1: ");
  refuse_spn(mark + "place a;\r\nplaice b;\r\n", "net.spn:2:1: ");
  refuse_pnml(mark + "<html/>\r\n", "net.pnml:1:2: ");
}

TEST_F(BadInput, DocumentsThatSayTwoThings) {
  const std::string one = "<initialMarking><text>1</text></initialMarking>";
  refuse_pnml(pnml(ptnet, "<place id=\"p\">" + one + one + "</place>"), "net.pnml:5:63: <place> has two");
  refuse_pnml(pnml(ptnet, "<place id=\"p\"/>") + "<pnml/>", "net.pnml:9:2: not well-formed XML: a second outermost");
  refuse_pnml(pnml(ptnet, place_and_transition + "<arc id=\"x\" source=\"p\" target=\"t\"/>\n" +
                              "<arc id=\"x\" source=\"t\" target=\"p\"/>"),
              "net.pnml:8:2: duplicate name 'x'");
  refuse_pnml(pnml(ptnet, "<place id=\"&p;\"/>"), "net.pnml:5:12: not well-formed XML: '&p;'");
  const std::string model = _directory.write("net.spn", two_places);
  const std::string set = "<property-set><property><id>x</id><formula><true/></formula></property></property-set>\n";
  expect_refusal({model, "--formulas", _directory.write("two.xml", set + set)}, "two.xml:2:2: not well-formed XML");
}

TEST_F(BadInput, NothingOnStandardInput) {
  expect_refusal({"-"}, "stdin: the file is empty");
  expect_refusal({"/dev/stdin"}, "/dev/stdin: the file is empty");
  expect_refusal({"--", "--deadlock"}, "--deadlock: no such file");
}

TEST_F(BadInput, DevicesWithoutAnEnd) {
  expect_refusal({"/dev/zero"}, "byte 0 is zero");
}

TEST_F(BadInput, AFormulaIsShownWithACaretUnderTheMistake) {
  const std::string model = _directory.write("net.spn", two_places);
  expect_excerpt({model, "--ctl", "EF nowhere > 0"}, "ctl-1:1:4: unknown name 'nowhere'",  //
                 "  EF nowhere > 0",                                                       //
                 "     ^");
  expect_excerpt({model, "--ctl", "EF a > 0", "--ctl", "AG (a + b"}, "ctl-2:1:10: ",  //
                 "  AG (a + b",                                                       //
                 "           ^");
  expect_excerpt({model, "--ctl", ""}, "ctl-1:1:1: ", "  ", "  ^");
}

TEST_F(BadInput, AFormulaFileIsShownWithACaretUnderTheMistake) {
  const std::string model = _directory.write("net.spn", two_places);
  const std::string file = _directory.write("list.ctl", "one: EF a > 0;\n\ttwo: AG c == 1;\n");
  expect_excerpt({model, "--formulas", file}, file + ":2:10: unknown name 'c'",  //
                 "   two: AG c == 1;",                                           //
                 "           ^");
  const std::string twice = _directory.write("twice.ctl", "one: EF a > 0;\none: AG b == 1;\n");
  expect_excerpt({model, "--formulas", twice}, twice + ":2:1: duplicate name 'one'",  //
                 "  one: AG b == 1;",                                                 //
                 "  ^");
}

TEST_F(BadInput, AFormulaThatIsVeryLongOrVeryDeepIsShownAroundTheMistake) {
  const std::string model = _directory.write("net.spn", two_places);
  for (const char nested : {'(', '!'})
    expect_excerpt({model, "--ctl", std::string(100'000, nested)}, "ctl-1:1:20",
                   "  ..." + std::string(100, nested) + "...", std::string(5 + 60, ' ') + "^");
  const std::string file = _directory.write("long.ctl", std::string(10'000'000, 'x'));
  expect_excerpt({model, "--formulas", file}, file + ":1:1: ", "  " + std::string(100, 'x') + "...", "  ^");
}

TEST_F(BadInput, FormulaFilesWithNothingToShowAreOneLine) {
  const std::string model = _directory.write("net.spn", two_places);
  expect_refusal({model, "--formulas", _directory.path() / "nothing.ctl"}, "nothing.ctl");
  expect_refusal({model, "--formulas", _directory.write("bytes.ctl", std::string(1000, '\0'))}, "bytes.ctl");
  const std::string xml =
      "<property-set>\n<property><id>x</id><formula><maybe/></formula></property>\n</property-set>\n";
  expect_refusal({model, "--formulas", _directory.write("list.xml", xml)}, "list.xml:2:");
  for (const std::string& text : {std::string(), std::string("// to come\n"), std::string("<property-set/>\n")})
    expect_refusal({model, "--formulas", _directory.write("none.ctl", text)}, "none.ctl");
}

TEST_F(BadInput, NothingIsWrittenToTheJsonFile) {
  const std::string json = _directory.path() / "out.json";
  refuse_spn("place a init -1;\n", "net.spn:1:", {"--json", json});
  EXPECT_FALSE(std::filesystem::exists(json));
}

}  // namespace
}  // namespace dcheck::test
