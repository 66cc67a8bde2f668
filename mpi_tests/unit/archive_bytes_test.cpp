// Blocks of rows as bytes, and the seal of a file.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "archive/dense_rows.hpp"
#include "archive/seal.hpp"
#include "dcheck/base/error.hpp"
#include "support/random_net.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::uint64_t>;

RowForm random_form(Dice& dice) {
  RowForm form;
  form.key_words = static_cast<std::size_t>(dice.between(1, 4));
  form.mask_words = static_cast<std::size_t>(dice.between(1, 3));
  form.key_bits = static_cast<unsigned>(64 * (form.key_words - 1)) + static_cast<unsigned>(dice.between(1, 64));
  form.columns.assign(static_cast<std::size_t>(dice.between(1, 4)), "column");
  return form;
}

/// Keys near each other or anywhere, masks few or many.
RowBlock random_block(const RowForm& form, Dice& dice) {
  RowBlock block;
  block.group = static_cast<RowGroup>(dice.between(0, 2));
  const auto rows = dice.between(0, 300);
  const bool is_near = dice.one_in(2), has_few_masks = dice.one_in(2);
  std::map<Words, bool> seen;
  for (std::int64_t i = 0; i < rows; ++i) {
    Words key(form.key_words), masks(form.words_of_masks());
    for (std::size_t w = 0; w < key.size(); ++w)
      key[w] = (is_near ? dice.next() % 1000 : dice.next()) & low_bits(form.bits_of_word(w));
    for (std::uint64_t& word : masks) word = has_few_masks ? dice.next() % 3 : dice.next();
    if (seen.emplace(key, true).second) block.add(form, {key.data(), masks.data()});
  }
  return block;
}

std::map<Words, Words> rows_of(const RowForm& form, const RowBlock& block) {
  std::map<Words, Words> rows;
  for (std::size_t i = 0; i < block.rows; ++i) {
    const StreamedRow row = block.row(form, i);
    rows[Words(row.key, row.key + form.key_words)] = Words(row.masks, row.masks + form.words_of_masks());
  }
  return rows;
}

TEST(DenseRows, ComeBackAsTheyWere) {
  Dice dice(7);
  for (int run = 0; run < 500; ++run) {
    const RowForm form = random_form(dice);
    const RowBlock block = random_block(form, dice);
    const RowBlock back = rows_of_dense_bytes(form, dense_bytes(form, block));
    EXPECT_EQ(back.group, block.group);
    EXPECT_EQ(back.rows, block.rows);
    EXPECT_EQ(rows_of(form, back), rows_of(form, block));
  }
}

TEST(DenseRows, OfOneLaneTakeLittleMoreThanTheirDifferences) {
  const RowForm form{1, 1, 44, {"reached", "waiting"}};
  RowBlock block;
  Dice dice(1);
  const Words masks{1, 0};
  for (int i = 0; i < 1 << 16; ++i) {
    const std::uint64_t key = dice.next() & low_bits(44);
    block.add(form, {&key, masks.data()});
  }
  EXPECT_LT(dense_bytes(form, block).size() * 8, (44 - 16 + 2) * block.rows);
}

TEST(DenseRows, BytesThatAreNoneAreRefusedOrMeanSomethingElse) {
  Dice dice(9);
  for (int run = 0; run < 300; ++run) {
    const RowForm form = random_form(dice);
    std::string bytes = dense_bytes(form, random_block(form, dice));
    bytes.resize(static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(bytes.size()))));
    if (!bytes.empty()) bytes[dice.next() % bytes.size()] ^= static_cast<char>(1U << dice.between(0, 7));
    try {
      rows_of_dense_bytes(form, bytes);
    } catch (const InputError&) {
    }
  }
}

class Sealed : public testing::Test {
 protected:
  /// A sealed file of so many bytes.
  std::string file_of(std::size_t bytes) {
    Dice dice(bytes);
    std::string content;
    for (std::size_t i = 0; i < bytes; ++i) content += static_cast<char>(dice.next());
    const std::string path = _folder.write("file", content);
    seal_file(path);
    return path;
  }
  static bool is_refused(const std::string& path) {
    try {
      expect_sealed(path);
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      EXPECT_TRUE(std::string_view(error.what()).starts_with(path));
      return true;
    }
    return false;
  }

  TemporaryDirectory _folder;
};

TEST_F(Sealed, FilesOfAnySizeAreAccepted) {
  for (const std::size_t bytes : {0U, 1U, 31U, 32U, 33U, 1U << 20, (1U << 20) + 1, 3'000'000U})
    EXPECT_FALSE(is_refused(file_of(bytes))) << bytes;
}

TEST_F(Sealed, AnyFlippedBitIsFound) {
  const std::string path = file_of(70'000);
  const std::size_t size = fs::file_size(path);
  Dice dice(5);
  for (int run = 0; run < 2000; ++run) {
    // The seal itself as often as the rest.
    const std::size_t at = run % 2 == 0 ? dice.next() % size : size - 1 - dice.next() % 40;
    const auto bit = static_cast<char>(1U << dice.between(0, 7));
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const auto before = static_cast<char>(file.get());
    file.seekp(static_cast<std::streamoff>(at)).put(static_cast<char>(before ^ bit)).flush();
    EXPECT_TRUE(is_refused(path)) << at;
    file.seekp(static_cast<std::streamoff>(at)).put(before).flush();
  }
  EXPECT_FALSE(is_refused(path));
}

TEST_F(Sealed, AFileCutAnywhereIsRefused) {
  for (std::size_t cut = 1; cut < 60; ++cut) {
    const std::string path = file_of(3'000);
    fs::resize_file(path, fs::file_size(path) - cut * cut % fs::file_size(path));
    EXPECT_TRUE(is_refused(path)) << cut;
  }
}

TEST_F(Sealed, OneThatIsNotThereIsNamed) {
  EXPECT_TRUE(is_refused((_folder.path() / "missing").string()));
}

}  // namespace
}  // namespace dcheck::test
