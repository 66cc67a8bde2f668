// What is wrong with a model or a command line is one line on stderr and exit 2, quickly.

#include <gtest/gtest.h>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

constexpr double patience_seconds = 10;

/// Runs dcheck and expects the refusal; `names` must occur in the line. Returns the line.
std::string expect_refusal(const std::vector<std::string>& arguments, const std::string& names) {
  SCOPED_TRACE(command_line(arguments));
  const Outcome run = run_dcheck(arguments, patience_seconds);
  EXPECT_FALSE(run.timed_out);
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_EQ(count_lines(run.err), 1U) << run.err;
  EXPECT_LT(run.err.size(), 1000U);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find(names), std::string::npos) << "expected '" << names << "' in: " << run.err;
  return run.err;
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
  refuse_spn(two_places, "ctl-1", {"--ctl", "EF nowhere > 0"});
  refuse_spn(two_places, "nowhere", {"--lanes", "nowhere"});
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
  refuse_pnml(pnml("http://www.pnml.org/version-2009/grammar/symmetricnet", ""), "yet");
  refuse_pnml(pnml("http://www.pnml.org/version-2009/grammar/highlevelnet", ""), "highlevelnet");
  refuse_pnml(pnml("http://example.org/my-own-net", ""), "my-own-net");
}

TEST_F(BadInput, OptionsThatAreUnknownOrWrong) {
  const std::string model = _directory.write("net.spn", two_places);
  expect_refusal({model, "--dedlock"}, "--deadlock");
  expect_refusal({model, "--store", "delta"}, "not available yet");
  expect_refusal({model, "--max-time", "soon"}, "--max-time");
  expect_refusal({model, "--json", _directory.path() / "no/such/dir.json"}, "--json");
  expect_refusal({}, "MODEL");
}

TEST_F(BadInput, TextThatIsVeryLongOrVeryDeep) {
  refuse_spn(std::string(10'000'000, 'x'), "net.spn:1:");
  refuse_spn("place a init " + std::string(10'000'000, '9') + ";\n", "net.spn:1:");
  refuse_spn("place a init " + std::string(1'000'000, '(') + "1;\n", "net.spn:1:");
  refuse_spn(two_places, "ctl-1", {"--ctl", std::string(100'000, '(')});
  refuse_spn(two_places, "ctl-1", {"--ctl", std::string(100'000, '!')});
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "<page id=\"g\">";
  refuse_pnml(pnml(ptnet, deep), "net.pnml");
}

TEST_F(BadInput, NothingIsWrittenToTheJsonFile) {
  const std::string json = _directory.path() / "out.json";
  refuse_spn("place a init -1;\n", "net.spn:1:", {"--json", json});
  EXPECT_FALSE(std::filesystem::exists(json));
}

}  // namespace
}  // namespace dcheck::test
