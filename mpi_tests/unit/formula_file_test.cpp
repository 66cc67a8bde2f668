// Formula files in our own syntax, and what can be wrong with any formula file.

#include <gtest/gtest.h>

#include "support/run_dcheck.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

class FormulaFile : public testing::Test {
 protected:
  std::vector<Property> parse(std::string_view text) const { return parse_formulas(text, "f.txt", _model); }
  std::string error(std::string_view text) const {
    return input_error_of([&] { parse(text); });
  }
  std::string read_error(const std::string& path) const {
    return input_error_of([&] { read_formulas(path, _model); });
  }
  /// The text is refused with a message that has this in it, and the message is one short line.
  void expect_refused(std::string_view text, const std::string& part) const {
    const std::string message = error(text);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(message.rfind("f.txt:", 0), 0U) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_LT(message.size(), 400U);
  }

  const Model _model = spn(R"(
    param N = 3;
    place p init 1, q, r[1..3];
    trans t : p -> q;
    let busy = q >= 1;)");
  TemporaryDirectory _directory;
};

TEST_F(FormulaFile, ListsPropertiesInOrder) {
  const auto found = parse(R"(// what we want
    home: AG EF initial;
    "odd-name 2" : busy ->  // a comment
                   EF r[N] == 1; /* and another */
    most: bound(p + q);)");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].id, "home");
  EXPECT_EQ(found[0].formula, parse_formula("AG EF initial", "x", _model));
  EXPECT_EQ(found[1].id, "odd-name 2");
  EXPECT_EQ(found[1].text, "busy -> EF r[N] == 1");
  EXPECT_EQ(found[1].formula, parse_formula("busy -> EF r[3] == 1", "x", _model));
  EXPECT_TRUE(found[2].is_upper_bound);
  EXPECT_EQ(found[2].text, "bound(p + q)");
  EXPECT_EQ(evaluate_number(found[2].bound_of, std::vector<Tokens>{2, 5, 0, 0, 0}), 7);
}

TEST_F(FormulaFile, NamesOfPropertiesAndOfPlacesAreApart) {
  EXPECT_EQ(parse("p: EF p == 0; busy: busy;").size(), 2U);
}

TEST_F(FormulaFile, IsReadFromDiskWithOrWithoutByteOrderMark) {
  EXPECT_EQ(read_formulas(_directory.write("a.txt", "a: EF p == 0;\r\nb: AG true;\r\n"), _model).size(), 2U);
  EXPECT_EQ(read_formulas(_directory.write("b.txt",
                                           "\xEF\xBB\xBF"
                                           "a: EF p == 0;"),
                          _model)
                .size(),
            1U);
  const char* xml =
      "\xEF\xBB\xBF\n <property-set><property><id>a</id><formula><true/></formula></property></property-set>";
  EXPECT_EQ(read_formulas(_directory.write("c.txt", xml), _model).size(), 1U);
}

TEST_F(FormulaFile, ThousandsOfFormulasAreRead) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "f" + std::to_string(i) + ": AG (p == 1 -> EF (q + r[1] >= 2 || busy));\n";
  EXPECT_EQ(parse(text).size(), 20'000U);
}

TEST_F(FormulaFile, MistakesSayWhereAndWhatWasExpected) {
  EXPECT_EQ(error("a: EF p == 0;\nb: EF (bsuy);"), "f.txt:2:8: unknown name 'bsuy'; did you mean 'busy'?");
  EXPECT_EQ(error("a: true;\n  a: false;"), "f.txt:2:3: duplicate name 'a': it is already a property");
  EXPECT_EQ(error("a: true;\nb: false\n\n"),
            "f.txt:2:9: expected ';' or an operator after the formula, found the end of the text");
  EXPECT_EQ(error("a: true\nb: false;"),
            "f.txt:2:1: expected ';' or an operator after the formula, found the name 'b'");
  EXPECT_EQ(error("AG true;"),
            "f.txt:1:1: expected the name of a property, as in 'home: AG EF initial;', found 'AG': a keyword needs "
            "double quotes to be a name");
  EXPECT_EQ(error("a;"),
            "f.txt:1:2: expected ':' after the name of the property (a name with other characters than letters, "
            "digits, '_' and '.' needs double quotes), found ';'");
  EXPECT_EQ(error("a:;"), "f.txt:1:3: expected a name, a number or an expression, found ';'");
  EXPECT_EQ(error("a: p;"), "f.txt:1:4: expected a formula, found a number: compare it, as in 'p >= 1'");
  EXPECT_EQ(error("a: bound(p) >= 1;"),
            "f.txt:1:13: expected the end of the formula: 'bound(...)' stands alone, found '>='");
  EXPECT_EQ(error("\"a: true;"), "f.txt:1:1: quoted name is never closed: expected '\"'");
  EXPECT_EQ(error("a: p == \xC3\x28;"), "f.txt:1:9: text is not valid UTF-8");
}

TEST_F(FormulaFile, MistakesShowTheLine) {
  try {
    parse("a: true;\nb: AG (p == 1\n       -> EF bsuy);\nc: true;");
    FAIL();
  } catch (const InputError& wrong) {
    EXPECT_STREQ(wrong.what(), "f.txt:3:14: unknown name 'bsuy'; did you mean 'busy'?");
    EXPECT_EQ(wrong.excerpt(),
              "         -> EF bsuy);\n"
              "               ^");
  }
}

TEST_F(FormulaFile, WithoutAFormulaIsRefused) {
  const std::string nothing = "f.txt: there is no formula in the file: expected 'name: formula;' or MCC XML";
  EXPECT_EQ(error(""), nothing);
  EXPECT_EQ(error(" \n// nothing\n"), nothing);
  const std::string empty = _directory.write("empty.txt", "");
  EXPECT_EQ(read_error(empty), empty + ": the file is empty: expected a formula file");
}

TEST_F(FormulaFile, ThatCannotBeReadIsRefused) {
  const std::string missing = (_directory.path() / "missing.txt").string();
  EXPECT_EQ(read_error(missing), missing + ": no such file: expected a formula file");
  const std::string folder = _directory.path().string();
  EXPECT_EQ(read_error(folder), folder + ": this is a directory: expected a formula file");
  EXPECT_EQ(read_error("/dev/zero"),
            "/dev/zero: this is a binary file (byte 0 is zero): expected a formula file in UTF-8");
  const std::string binary = _directory.write("binary.txt", std::string_view("a: \0", 4));
  EXPECT_EQ(read_error(binary), binary + ": this is a binary file (byte 3 is zero): expected a formula file in UTF-8");
}

TEST_F(FormulaFile, LongOrDeepTextIsRefusedQuickly) {
  expect_refused(std::string(10'000'000, 'x'), "name is longer");
  expect_refused("a: " + std::string(10'000'000, '9') + ";", "too large");
  expect_refused("a: " + std::string(10'000'000, '(') + ";", "nested too deeply");
  expect_refused("a: " + std::string(10'000'000, '!') + "true;", "nested too deeply");
  expect_refused("a: bound(" + std::string(1'000'000, '-') + "p);", "nested too deeply");
}

TEST_F(FormulaFile, FormulasThatAreTooLargeTogetherAreRefused) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "f" + std::to_string(i) + ": exists i in 1..30000 : p == i;\n";
  expect_refused(text, "formulas are too large: together they unfold to more than 5000000 operators");
}

TEST_F(FormulaFile, LoopsThatTakeForEverAreRefused) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "f" + std::to_string(i) + ": exists i in 1..1000000 where false : true;\n";
  expect_refused(text, "too large");
}

TEST_F(FormulaFile, RandomDamageIsReadOrRefused) {
  const std::string whole =
      "home: AG EF initial; // c\n\"b 1\": A[busy U r[1] >= N];\nmost: bound(p + sum i in 1..3 : r[i]);\n";
  expect_read_or_refused(whole, 11, [&](const std::string& text) { return error(text); });
}

}  // namespace
}  // namespace dcheck::test
