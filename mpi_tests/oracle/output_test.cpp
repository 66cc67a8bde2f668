// Where the reports go, and what happens where they cannot be written: nobody loses a verdict to a full disk.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Kanban, with a formula that holds or one that fails.
std::vector<std::string> kanban(const std::string& formula, std::vector<std::string> more) {
  std::vector<std::string> arguments{model_path("kanban.spn"), "-D", "N=2", "--quiet", "--ctl", formula};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

const std::string holding = "AG EF initial", failing = "EF deadlock";

TEST(Output, JsonOnAFullDiskLeavesTheTextWithItsVerdicts) {
  for (const auto& [formula, verdict, code] : {std::tuple(holding, "holds", 3), std::tuple(failing, "fails", 1)}) {
    const Outcome run = run_dcheck(kanban(formula, {"--json", "/dev/full"}));
    EXPECT_EQ(run.exit_code, code);
    EXPECT_EQ(run.err, "dcheck: --json: '/dev/full' could not be written: No space left on device\n");
    EXPECT_TRUE(has(run.out, std::string("  ") + verdict + "  ctl-1  " + formula)) << run.out;
  }
}

TEST(Output, TextOnAFullDiskIsOneLineAndTheJsonIsWritten) {
  const TemporaryDirectory directory;
  const std::string json = directory.path() / "report.json";
  for (const auto& [formula, code] : {std::pair(holding, 3), std::pair(failing, 1)}) {
    const Outcome run = run_dcheck(kanban(formula, {"--json", json}), 300, "/dev/full");
    EXPECT_EQ(run.exit_code, code);
    EXPECT_EQ(run.err, "dcheck: stdout could not be written: No space left on device\n");
    EXPECT_EQ(Json::parse(content_of(json)).at("properties").at(0).at("formula"), formula);
  }
  const Outcome both = run_dcheck(kanban(holding, {"--json", "-"}), 300, "/dev/full");
  EXPECT_EQ(both.exit_code, 3);
  EXPECT_EQ(count_lines(both.err), 1U) << both.err;
  const Outcome help = run_dcheck({"--help"}, 300, "/dev/full");
  EXPECT_EQ(help.exit_code, 3);
  EXPECT_EQ(count_lines(help.err), 1U) << help.err;
}

TEST(Output, AnOldReportStaysWhereARunIsRefused) {
  const TemporaryDirectory directory;
  const std::string json = directory.write("report.json", "old");
  EXPECT_EQ(run_dcheck(kanban("AG EF nonsense", {"--json", json})).exit_code, 2);
  EXPECT_EQ(content_of(json), "old");
  EXPECT_EQ(run_dcheck(kanban(holding, {"--json", json})).exit_code, 0);
  EXPECT_EQ(Json::parse(content_of(json)).at("complete"), true);
}

TEST(Output, NoInputIsOverwritten) {
  const TemporaryDirectory directory;
  const std::string text = "place a init 1, b;\ntrans t : a -> b;\n";
  const std::string model = directory.write("m.spn", text), formulas = directory.write("f.ctl", "home: AG EF initial;");
  for (const std::string& target : {model, formulas}) {
    const std::string before = content_of(target);
    const Outcome run = run_dcheck({model, "--formulas", formulas, "--json", target, "--quiet"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err, "dcheck: --json: cannot write '" + target + "': it is the input '" + target + "'\n");
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(content_of(target), before);
  }
}

TEST(Output, AnEmptyNameIsRefused) {
  const Outcome run = run_dcheck(kanban(holding, {"--json", ""}));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "dcheck: --json: a value was expected, not ''\n");
}

TEST(Output, JsonToStdoutByAnyNameIsAlone) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() / "out";
  for (const std::string& name : {std::string("-"), std::string("/dev/stdout"), file}) {
    const Outcome run = run_dcheck(kanban(holding, {"--json", name}), 300, file);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(Json::accept(content_of(file))) << name << ": " << content_of(file);
  }
}

TEST(Output, JsonToStderrFollowsWhatStandsThere) {
  const Outcome run = run_dcheck(kanban(holding, {"--json", "/dev/stderr", "--full", "--max-states", "10"}));
  EXPECT_EQ(run.exit_code, 3);
  const std::size_t line = run.err.find('\n');
  EXPECT_TRUE(run.err.starts_with("dcheck: stopped: ")) << run.err;
  EXPECT_TRUE(Json::accept(run.err.substr(line + 1))) << run.err;
  EXPECT_TRUE(has(run.out, "  unknown  ctl-1")) << run.out;
}

}  // namespace
}  // namespace dcheck::test
