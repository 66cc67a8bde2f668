// From a path to a model: endings, files that are none, and the fingerprint.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "dcheck/base/sha256.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

class ReadModel : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    _folder = std::filesystem::temp_directory_path() / ("dcheck_read_model_" + name);
    std::filesystem::create_directories(_folder);
  }
  void TearDown() override { std::filesystem::remove_all(_folder); }

  std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream(_folder / name, std::ios::binary) << bytes;
    return (_folder / name).string();
  }
  std::string folder() const { return _folder.string(); }

  static std::string error(const std::string& path, const ParameterTexts& parameters = {}) {
    return input_error_of([&] { read_model(path, parameters); });
  }

 private:
  std::filesystem::path _folder;
};

TEST_F(ReadModel, NamesTheNetAfterTheFile) {
  EXPECT_EQ(read_model(file("small.spn", "place p;"), {}).net.name(), "small");
}

TEST_F(ReadModel, RefusesAMissingFile) {
  EXPECT_EQ(error(folder() + "/none.spn"),
            folder() + "/none.spn: no such file: expected a model, such as .spn or .pnml");
}

TEST_F(ReadModel, RefusesADirectory) {
  EXPECT_EQ(error(folder()), folder() + ": this is a directory: expected a model, such as .spn or .pnml");
}

TEST_F(ReadModel, RefusesADeviceWithoutAnEnd) {
  EXPECT_EQ(error("/dev/zero"), "/dev/zero: this is a binary file (byte 0 is zero): expected a model in UTF-8");
}

TEST_F(ReadModel, ReadsAPipeAndGuessesWhatItIs) {
  const char* const pnml = "\n <pnml><net id='n' type='ptnet'><place id='p'/></net></pnml>";
  for (const std::string text : {"place p;", pnml}) {
    const std::string path = folder() + "/pipe";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(path) << text; });
    EXPECT_EQ(input_error_of([&] { EXPECT_EQ(read_model(path, {}).net.place_count(), 1U); }), "");
    writer.join();
    std::filesystem::remove(path);
  }
}

TEST_F(ReadModel, ReadsStandardInputAndGuessesWhatItIs) {
  const auto read_from_stdin = [](const std::string& text, std::optional<ModelFormat> format) {
    const std::istringstream given(text);
    std::streambuf* const usual = std::cin.rdbuf(given.rdbuf());
    std::cin.clear();
    std::string error = input_error_of([&] { EXPECT_EQ(read_model("-", {}, format).net.place_count(), 1U); });
    std::cin.rdbuf(usual);
    return error;
  };
  constexpr const char* pnml = "\xEF\xBB\xBF<pnml><net id='n' type='ptnet'><place id='p'/></net></pnml>";
  EXPECT_EQ(read_from_stdin("place p;", {}), "");
  EXPECT_EQ(read_from_stdin(pnml, {}), "");
  EXPECT_EQ(read_from_stdin("place p;", ModelFormat::spn), "");
  EXPECT_EQ(read_from_stdin("plaice p;", {}).rfind("stdin:1:1: ", 0), 0U);
  EXPECT_EQ(read_from_stdin("<plaice/>", {}).rfind("stdin:1:2: ", 0), 0U);
  EXPECT_EQ(read_from_stdin(pnml, ModelFormat::spn).rfind("stdin:1:", 0), 0U);
  EXPECT_EQ(read_from_stdin("", {}), "stdin: the file is empty: expected a model");
}

TEST_F(ReadModel, TheFormatThatIsGivenWinsOverTheName) {
  const std::string path = file("net.txt", "place p;");
  EXPECT_EQ(read_model(path, {}, ModelFormat::spn).net.name(), "net");
  EXPECT_NE(input_error_of([&] { read_model(path, {}, ModelFormat::pnml); }).find("not well-formed XML"),
            std::string::npos);
  EXPECT_EQ(read_model(file("net", "place p;"), {}).net.name(), "net");
}

TEST_F(ReadModel, RefusesAnEmptyFile) {
  for (const char* name : {"empty.spn", "empty.pnml"}) {
    const std::string path = file(name, "");
    EXPECT_EQ(error(path), path + ": the file is empty: expected a model");
  }
}

TEST_F(ReadModel, RefusesABinaryFile) {
  for (const char* name : {"binary.spn", "binary.pnml"}) {
    const std::string path = file(name, std::string("\x7f"
                                                    "ELF\x02\x00\x01",
                                                    7));
    EXPECT_EQ(error(path), path + ": this is a binary file (byte 5 is zero): expected a model in UTF-8");
  }
}

TEST_F(ReadModel, RefusesAnotherEnding) {
  const std::string path = file("model.txt", "place p;");
  EXPECT_EQ(error(path),
            path + ": unknown kind of model '.txt': expected .spn, .pnml, .cspl, .c, .net, .ndr or .lola, or --format");
}

TEST_F(ReadModel, RefusesParametersForPnml) {
  const std::string path = file(
      "m.pnml", "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><place id='p'/></net></pnml>");
  EXPECT_EQ(error(path), "");
  EXPECT_EQ(error(path, {{"N", "1"}}), "-D N=1: the model has no parameter 'N'");
}

TEST_F(ReadModel, FingerprintsTheBytes) {
  EXPECT_EQ(read_model(file("m.spn", "place p;"), {}).sha256, sha256_hex("place p;"));
}

TEST(SpnFingerprint, AgreesWithTheStandardsExamples) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace dcheck::test
