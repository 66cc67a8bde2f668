// Short texts that would make too much, and long or deep ones, end quickly in one line.

#include <gtest/gtest.h>

#include <chrono>

#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

void expect_refused(const std::string& text, std::string_view reason) {
  const std::string error = spn_error(text);
  EXPECT_NE(error.find(reason), std::string::npos) << "error: " << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
  EXPECT_LT(error.size(), 400U);
}

TEST(SpnLimits, AThousandMillionPlacesAreRefusedAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  expect_refused("place p[1..1000000000];", "range 1..1000000000 is too large");
  expect_refused("for i in 1..1000000000 { place p[i]; }", "range 1..1000000000 is too large");
  expect_refused("place p[1..100000, 1..10000];", "is too large");
  expect_refused("place p[0-9223372036854775807..9223372036854775807];", "is too large");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST(SpnLimits, FamiliesWithMoreMembersThanThereMayBeAreRefusedBeforeTheyAreMade) {
  const auto begin = std::chrono::steady_clock::now();
  expect_refused("place p[1..1000001];", "more than 1000000 places");
  expect_refused("place q; place p[1..1, 1..1000000];", "more than 1000000 places");
  expect_refused("place p; trans t[1..10000000] : p -> p;", "more than 1000000 transitions");
  expect_refused("place p; let a[1..9999999] = 1;", "more than 1000000 definitions");
  expect_refused("place p; check a[1..9999999] : true;", "more than 1000000 properties");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(500));
}

TEST(SpnLimits, AThousandMillionPlacesByNestedLoopsAreRefused) {
  expect_refused("for i in 1..1000 { for j in 1..1000 { for k in 1..1000 { place p[i,j,k]; } } }",
                 "model is too large: more than 1000000 places");
}

TEST(SpnLimits, LoopsThatMakeNothingEndToo) {
  expect_refused("place p; for i in 1..9000000 { for j in 1..9000000 where j < 0 { place q[i]; } }",
                 "its loops take more than 50000000 steps");
}

TEST(SpnLimits, DeepNestingIsRefused) {
  expect_refused("place p; let a = " + repeated("(", 1'000'000) + "p", "nested too deeply");
  expect_refused("place p; let a = " + repeated("!", 1'000'000) + "p == 1;", "nested too deeply");
  expect_refused("place p; let a = " + repeated("-", 1'000'000) + "p;", "nested too deeply");
  expect_refused("place p; let a = " + repeated("EX ", 1'000'000) + "deadlock;", "nested too deeply");
  expect_refused("place p; let a = " + repeated("true -> ", 1'000'000) + "true;", "nested too deeply");
  expect_refused("place p; let a = p" + repeated("/2", 1'000'000) + ";", "nested too deeply");
  expect_refused("place p; let a = true" + repeated("<-> true", 1'000'000) + ";", "nested too deeply");
  expect_refused("place p; let a = " + repeated("p[", 1'000'000), "nested too deeply");
  expect_refused("place p; let a = " + repeated("E[", 1'000'000), "nested too deeply");
  expect_refused("place p; let a = " + repeated("sum i in 1..1 : ", 1'000'000), "nested too deeply");
  expect_refused("place p; let a = " + repeated("exists i in 1..1 : ", 1'000'000), "nested too deeply");
  expect_refused("place p; let a = " + repeated("true ? 1 : ", 1'000'000), "nested too deeply");
  expect_refused(repeated("for i in 1..1 {", 1'000'000), "nested too deeply");
}

TEST(SpnLimits, AHundredParenthesesAreFine) {
  EXPECT_EQ(spn_error("place p; let a = " + repeated("(", 100) + "p" + repeated(")", 100) + ";"), "");
}

TEST(SpnLimits, DefinitionsThatDoubleAreRefused) {
  std::string text = "place p; let a0 = p == 1;";
  for (int i = 1; i < 100; ++i) {
    text += "let a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " <-> a" + std::to_string(i - 1) + ";";
  }
  expect_refused(text, "unfolds to more than 1000000 operators");
}

TEST(SpnLimits, DefinitionsThatPileUpAreRefused) {
  std::string text = "place p; let a0 = p == 1;";
  for (int i = 1; i < 2000; ++i) text += "let a" + std::to_string(i) + " = EX a" + std::to_string(i - 1) + ";";
  expect_refused(text, "nested too deeply");
}

TEST(SpnLimits, ALineOfTenMegabytesIsReadOrRefused) {
  expect_refused("place p; let a = p" + repeated(" + p", 2'500'000) + ";", "text is too long");
  expect_refused("place " + repeated("p", 10'000'000) + ";", "name is longer than 10000 characters");
  expect_refused("place \"" + repeated("p", 10'000'000) + "\";", "name is longer than 10000 characters");
  expect_refused("place p init " + repeated("9", 10'000'000) + ";", "is too large");
  EXPECT_EQ(spn_error("place p;" + repeated(" ", 10'000'000)), "");
  EXPECT_EQ(spn_error("place p; let a = p" + repeated(" + p", 100'000) + ";"), "");
}

TEST(SpnLimits, LongNamesInMessagesAreShortened) {
  expect_refused("place p; trans t : " + repeated("x", 9'000) + " -> p;", "...'");
}

}  // namespace
}  // namespace dcheck::test
