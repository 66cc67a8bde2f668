#include "dcheck/report/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace dcheck {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What a printer of this style writes for snapshots taken at these seconds.
std::string printed(ProgressPrinter::Style style, const std::vector<double>& times) {
  std::FILE* file = std::tmpfile();
  {
    ProgressPrinter printer(file, style);
    for (const double seconds : times) printer.show({.states = 1000, .seconds = seconds});
  }
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

TEST(ProgressPrinter, WritesALineEveryTenSecondsInALog) {
  const std::string text = printed(ProgressPrinter::Style::log, {1, 9.9, 10, 15, 20, 21});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
  EXPECT_TRUE(has(text, "1,000 states")) << text;
}

TEST(ProgressPrinter, WipesItsLiveLineAtTheEnd) {
  const std::string text = printed(ProgressPrinter::Style::live_line, {0.3, 0.6});
  EXPECT_FALSE(has(text, "\n")) << text;
  EXPECT_EQ(text.substr(text.size() - 4), "\r\033[K");
}

TEST(ProgressPrinter, SaysNothingWhenSilentOrTooEarly) {
  EXPECT_EQ(printed(ProgressPrinter::Style::silent, {100, 200}), "");
  EXPECT_EQ(printed(ProgressPrinter::Style::live_line, {0.1}), "");
}

}  // namespace
}  // namespace dcheck
