// Random damage to real texts ends in a model or in one InputError, never in anything else.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/paths.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

std::vector<std::string> model_texts() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/models")) {
    if (entry.path().extension() != ".spn") continue;
    std::ifstream file(entry.path());
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

TEST(SpnFuzz, DamagedModelsAreReadOrRefused) {
  const std::vector<std::string> originals = model_texts();
  ASSERT_GE(originals.size(), 10U);
  std::mt19937 random(1);
  std::size_t read = 0, refused = 0;
  for (int round = 0; round < 60; ++round) {
    for (const std::string& original : originals) {
      std::string text = original;
      for (int edits = 1 + round % 4; edits > 0; --edits) mutate(text, random);
      const std::string error = spn_error(text);
      EXPECT_EQ(error.find('\n'), std::string::npos) << error;
      ++(error.empty() ? read : refused);
    }
  }
  EXPECT_GT(read, 0U);
  EXPECT_GT(refused, read);
}

TEST(SpnFuzz, TruncatedModelsAreReadOrRefused) {
  for (const std::string& original : model_texts()) {
    for (std::size_t length = 0; length < original.size(); length += 97) spn_error(original.substr(0, length));
  }
}

TEST(SpnFuzz, WordsInRandomOrderAreReadOrRefused) {
  constexpr const char* words[] = {
      "param", "place",  "trans", "for", "in",   "where",   "let",      "check",   "init", "rate", "when",
      "sum",   "exists", "p",     "q",   "t",    "i",       "N",        "1",       "2.5",  "(",    ")",
      "[",     "]",      "{",     "}",   ";",    ":",       ",",        "..",      "->",   "+",    "-",
      "*",     "/",      "%",     "!",   "&&",   "||",      "==",       "<",       "E",    "A",    "U",
      "EX",    "AG",     "?",     "=",   "true", "inhibit", "deadlock", "fireable"};
  std::mt19937 random(2);
  std::uniform_int_distribution<std::size_t> pick(0, std::size(words) - 1);
  for (int round = 0; round < 3000; ++round) {
    std::string text = "place p, q; trans t : p -> q; param N = 2; let x =";
    for (int i = 0; i < 12; ++i) text += std::string(" ") + words[pick(random)];
    spn_error(text);
    spn_error(text.substr(text.find("let")));
  }
}

}  // namespace
}  // namespace dcheck::test
