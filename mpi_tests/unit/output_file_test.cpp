#include "app/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <future>
#include <iterator>
#include <random>

#include "dcheck/base/error.hpp"
#include "dcheck/base/finally.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t entries_of(const fs::path& directory) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory), {}));
}

/// The complaint about this target; empty where there is none.
std::string complaint(const fs::path& target, const std::vector<std::string>& inputs = {}) {
  try {
    OutputFile("--json", target, inputs);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// While it lives no file can become longer: writing fails in the midst, as on a full disk.
class NoLongerFiles {
 public:
  explicit NoLongerFiles(std::size_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &_before);
    const rlimit limit{bytes, _before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~NoLongerFiles() { setrlimit(RLIMIT_FSIZE, &_before); }
  NoLongerFiles(const NoLongerFiles&) = delete;
  NoLongerFiles& operator=(const NoLongerFiles&) = delete;

 private:
  rlimit _before{};
};

TEST(OutputFile, TouchesNothingBeforeItIsWritten) {
  const TemporaryDirectory directory;
  const std::string old = directory.write("old.json", "old"), absent = directory.path() / "new.json";
  {
    const OutputFile over("--json", old, {}), beside("--json", absent, {});
    EXPECT_EQ(content_of(old), "old");
    EXPECT_EQ(entries_of(directory.path()), 1U);
  }
  EXPECT_EQ(content_of(old), "old");
  EXPECT_EQ(entries_of(directory.path()), 1U);
}

/// Any target, any size, and a disk that may be full at any byte: afterwards there is the old content or all of the
/// new, what was there keeps its kind and permissions, and nothing else has come.
TEST(OutputFile, LeavesTheOldContentOrAllOfTheNew) {
  std::mt19937 dice(1);
  const auto roll = [&](std::size_t sides) { return std::uniform_int_distribution<std::size_t>(0, sides - 1)(dice); };
  std::size_t written = 0, refused = 0;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const TemporaryDirectory directory;
    const fs::path elsewhere = directory.path() / "elsewhere";
    fs::create_directory(elsewhere);
    const bool is_there = roll(3) != 0;
    const std::string old = is_there ? std::string(roll(20'000), 'o') : "";
    const std::size_t links = roll(3);
    fs::path target = links == 0 ? directory.path() / "report" : elsewhere / "report";
    const fs::path file = target;
    if (is_there) std::ofstream(file) << old;
    const auto mode = static_cast<mode_t>(0600U | (roll(2) != 0 ? 0044U : 0U) | (roll(2) != 0 ? 0010U : 0U));
    if (is_there) chmod(file.c_str(), mode);
    for (std::size_t i = 0; i < links; ++i) {
      const fs::path link = directory.path() / ("link" + std::to_string(i));
      fs::create_symlink(roll(2) == 0 ? target : fs::relative(target, directory.path()), link);
      target = link;
    }
    const std::size_t entries = entries_of(directory.path()) + entries_of(elsewhere);

    const std::string fresh(roll(20'000), 'n');
    OutputFile output("--json", target, {});
    const std::size_t room = roll(25'000);
    bool is_written = true;
    {
      const NoLongerFiles full(room);
      try {
        if (roll(2) == 0)
          output.write(fresh);
        else
          output.write([&](const OutputFile::Sink& sink) {
            for (std::size_t i = 0; i < fresh.size(); i += 777) sink(std::string_view(fresh).substr(i, 777));
          });
      } catch (const ResourceError&) {
        is_written = false;
      }
    }
    ++(is_written ? written : refused);
    EXPECT_EQ(is_written, fresh.size() <= room);
    EXPECT_EQ(content_of(file), is_written ? fresh : old);
    EXPECT_EQ(fs::exists(file), is_written || is_there);
    EXPECT_EQ(entries_of(directory.path()) + entries_of(elsewhere), entries + (is_written && !is_there ? 1 : 0));
    EXPECT_EQ(fs::is_symlink(target), links != 0);
    struct stat now {};
    if (!is_there) continue;
    ASSERT_EQ(stat(file.c_str(), &now), 0);
    EXPECT_EQ(now.st_mode & 07777U, mode);
  }
  EXPECT_GT(written, 100U);
  EXPECT_GT(refused, 100U);
}

TEST(OutputFile, ANewFileHasThePermissionsOfAnyNewFile) {
  const TemporaryDirectory directory;
  const fs::path target = directory.path() / "new.json";
  const mode_t before = umask(0027);
  OutputFile("--json", target, {}).write("{}");
  umask(before);
  struct stat made {};
  ASSERT_EQ(stat(target.c_str(), &made), 0);
  EXPECT_EQ(made.st_mode & 07777U, 0640U);
}

TEST(OutputFile, AnInputIsRefusedUnderAnyName) {
  const TemporaryDirectory directory;
  const std::string model = directory.write("model.spn", "place a;"), other = directory.write("other", "");
  const fs::path link = directory.path() / "link", hard = directory.path() / "hard";
  fs::create_symlink(model, link);
  fs::create_hard_link(model, hard);
  for (const fs::path& name : {fs::path(model), link, hard, directory.path() / "." / "model.spn"}) {
    EXPECT_TRUE(has(complaint(name, {other, model}), "it is the input '" + model + "'")) << name;
    EXPECT_TRUE(has(complaint(model, {name}), "it is the input")) << name;
  }
  EXPECT_EQ(complaint(other, {model}), "");
  EXPECT_EQ(complaint(directory.path() / "absent", {model, "also absent"}), "");
  EXPECT_EQ(complaint("/dev/null", {"/dev/null"}), "");  // no file is lost
  EXPECT_EQ(content_of(model), "place a;");
}

TEST(OutputFile, StdinIsAnInputToo) {
  const TemporaryDirectory directory;
  const std::string model = directory.write("model.spn", "place a;");
  const int before = dup(STDIN_FILENO), file = open(model.c_str(), O_RDONLY);
  const Finally restore([&] {
    dup2(before, STDIN_FILENO);
    close(before);
    close(file);
  });
  dup2(file, STDIN_FILENO);
  EXPECT_TRUE(has(complaint(model, {"-"}), "it is the file on stdin"));
  EXPECT_TRUE(has(complaint("/dev/stdin", {}), "reading only"));
}

TEST(OutputFile, WhatCannotBeWrittenIsSaidBeforehandInOneLine) {
  const TemporaryDirectory directory;
  const fs::path missing = directory.path() / "missing" / "x.json";
  EXPECT_EQ(complaint(missing), "dcheck: --json: cannot write '" + missing.string() + "': No such file or directory");
  EXPECT_EQ(complaint(""), "dcheck: --json: the name of a file was expected, not ''");
  EXPECT_TRUE(has(complaint(directory.path()), "it is a directory"));
  EXPECT_TRUE(has(complaint(directory.path() / "x.json" / ""), "directory"));
  EXPECT_TRUE(has(complaint(directory.path() / std::string(300, 'x')), "too long"));
  EXPECT_TRUE(has(complaint("/proc/self/fd/987"), "Bad file descriptor"));
  fs::create_symlink(directory.path() / "a", directory.path() / "b");
  fs::create_symlink(directory.path() / "b", directory.path() / "a");
  EXPECT_TRUE(has(complaint(directory.path() / "a"), "symbolic links"));
  EXPECT_EQ(complaint(directory.path() / std::string(255, 'x')), "");
}

TEST(OutputFile, ADirectoryThatTakesNoFilesIsRefusedAndAFileInItIsWrittenInPlace) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryDirectory directory;
  const fs::path closed = directory.path() / "closed";
  fs::create_directory(closed);
  std::ofstream(closed / "old") << "old content";
  chmod(closed.c_str(), 0500);
  const Finally reopen([&] { chmod(closed.c_str(), 0700); });
  EXPECT_TRUE(has(complaint(closed / "new"), "Permission denied"));
  OutputFile("--json", closed / "old", {}).write("new");
  EXPECT_EQ(content_of(closed / "old"), "new");
  chmod((closed / "old").c_str(), 0400);
  EXPECT_TRUE(has(complaint(closed / "old"), "Permission denied"));
}

TEST(OutputFile, DevicesAndDescriptorsAreWrittenAsTheyAre) {
  OutputFile("--json", "/dev/null", {}).write("{}");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  OutputFile full("--json", "/dev/full", {});
  try {
    full.write("{}");
    FAIL() << "there is no room on /dev/full";
  } catch (const ResourceError& error) {
    EXPECT_STREQ(error.what(), "--json: '/dev/full' could not be written: No space left on device");
  }
  const TemporaryDirectory directory;
  const std::string log = directory.write("log", "before ");
  const int file = open(log.c_str(), O_WRONLY | O_APPEND);
  const Finally end([&] { close(file); });
  OutputFile("--json", "/dev/fd/" + std::to_string(file), {}).write("report");
  EXPECT_EQ(content_of(log), "before report");
  EXPECT_EQ(entries_of(directory.path()), 1U);
}

TEST(OutputFile, AReaderOfAPipeGetsEverything) {
  const TemporaryDirectory directory;
  const fs::path pipe = directory.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string content(1'000'000, 'x');
  auto read = std::async(std::launch::async, [&] { return content_of(pipe); });
  {
    OutputFile output("--json", pipe, {});
    output.write(content);
  }
  EXPECT_EQ(read.get(), content);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(OutputFile, OnADiskThatIsFullTheOldContentStays) {
  const TemporaryDirectory directory;
  if (mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "no small disk can be mounted here: " << std::strerror(errno);
  const Finally unmount([&] { umount(directory.path().c_str()); });
  const std::string target = directory.write("report.json", "old");
  OutputFile output("--json", target, {});
  EXPECT_THROW(output.write(std::string(200'000, 'x')), ResourceError);
  EXPECT_EQ(content_of(target), "old");
  EXPECT_EQ(entries_of(directory.path()), 1U);
  OutputFile("--json", target, {}).write(std::string(30'000, 'x'));
  EXPECT_EQ(content_of(target).size(), 30'000U);
}

}  // namespace
}  // namespace dcheck
