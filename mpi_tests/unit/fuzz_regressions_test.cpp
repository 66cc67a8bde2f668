// What fuzzers once found, read again as they do; and the seeds that they begin with.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "dcheck/parse/formula.hpp"
#include "dcheck/parse/model.hpp"
#include "fuzz/entries.hpp"
#include "support/paths.hpp"

namespace dcheck::test {
namespace {

/// The files of a folder of mpi_tests/fuzz, by name.
std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> found;
  const std::filesystem::path path = std::filesystem::path(source_dir()) / "mpi_tests/fuzz" / folder;
  if (!std::filesystem::exists(path)) return found;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    std::ifstream file(entry.path(), std::ios::binary);
    found[entry.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return found;
}

class FuzzTarget : public testing::TestWithParam<fuzz::Target> {};

TEST_P(FuzzTarget, PassesItsOldFindings) {
  for (const auto& [name, text] : files_in("regressions/" + std::string(GetParam().name)))
    EXPECT_NO_THROW(GetParam().entry(text)) << name;
}

TEST_P(FuzzTarget, PassesItsSeeds) {
  const auto seeds = files_in("seeds/" + std::string(GetParam().name));
  EXPECT_FALSE(seeds.empty());
  for (const auto& [name, text] : seeds) EXPECT_NO_THROW(GetParam().entry(text)) << name;
}

INSTANTIATE_TEST_SUITE_P(, FuzzTarget, testing::ValuesIn(fuzz::targets),
                         [](const auto& target) { return std::string(target.param.name); });

TEST(FuzzRegressions, EveryFolderBelongsToATarget) {
  for (const std::string kind : {"seeds", "regressions"}) {
    const auto path = std::filesystem::path(source_dir()) / "mpi_tests/fuzz" / kind;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const std::string name = entry.path().filename();
      const auto is_it = [&](const fuzz::Target& target) { return target.name == name; };
      EXPECT_TRUE(std::any_of(fuzz::targets.begin(), fuzz::targets.end(), is_it)) << entry.path();
    }
  }
}

TEST(FuzzSeeds, OfModelsAreReadAndNotRefused) {
  for (const auto& [name, text] : files_in("seeds/pnml")) EXPECT_NO_THROW(parse_pnml(text, name)) << name;
  for (const auto& [name, text] : files_in("seeds/spn")) EXPECT_NO_THROW(parse_spn(text, name, {})) << name;
  for (const auto& [name, text] : files_in("seeds/cspl")) EXPECT_NO_THROW(parse_cspl(text, name, {})) << name;
  for (const auto& [name, text] : files_in("seeds/tina")) EXPECT_NO_THROW(parse_tina(text, name)) << name;
  for (const auto& [name, text] : files_in("seeds/ndr")) EXPECT_NO_THROW(parse_ndr(text, name)) << name;
  for (const auto& [name, text] : files_in("seeds/lola")) EXPECT_NO_THROW(parse_lola(text, name)) << name;
}

TEST(FuzzSeeds, OfFormulasAreReadAndNotRefused) {
  const Model& model = fuzz::model_with_all_names();
  for (const auto& [name, text] : files_in("seeds/mcc_xml")) EXPECT_NO_THROW(parse_formulas(text, name, model)) << name;
  for (const auto& [name, text] : files_in("seeds/formulas")) {
    if (name == "list") {
      EXPECT_NO_THROW(parse_formulas(text, name, model));
    } else {
      EXPECT_NO_THROW(parse_property(text, name, model)) << name;
    }
  }
}

}  // namespace
}  // namespace dcheck::test
