// GoogleTest on many ranks: rank 0 prints the progress, the others their failures; a test fails where it
// fails on any rank, and then the program does on all.

#include "mpi/ranks.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "dcheck/comm/connect.hpp"

namespace dcheck {
namespace {

Cluster* the_cluster = nullptr;

class FailurePrinter : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    const char* file = result.file_name() == nullptr ? "?" : result.file_name();
    std::fprintf(stderr, "[rank %zu] %s:%d: %s\n", index(test_cluster().rank()), file, result.line_number(),
                 result.summary());
  }
};

/// After every test the ranks meet, so that none is still in it when the next one begins.
class FailureCounter : public testing::EmptyTestEventListener {
 public:
  explicit FailureCounter(std::uint64_t& failed_tests) : _failed_tests(failed_tests) {}

 private:
  void OnTestEnd(const testing::TestInfo& info) override {
    std::uint64_t failed[] = {info.result()->Failed() ? 1U : 0U};
    test_cluster().agree(failed, Combine::max);
    _failed_tests += failed[0];
  }

  std::uint64_t& _failed_tests;
};

int run_tests() {
  std::uint64_t failed_tests = 0;
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  if (test_cluster().rank() != rank_0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter);
  }
  listeners.Append(new FailureCounter(failed_tests));
  const int result = RUN_ALL_TESTS();
  if (test_cluster().rank() == rank_0)
    std::printf("%d ranks, %d tests failed on some\n", test_cluster().size(), static_cast<int>(failed_tests));
  test_cluster().close();
  return failed_tests != 0 ? 1 : result;
}

}  // namespace

Cluster& test_cluster() {
  return *the_cluster;
}

}  // namespace dcheck

int main(int argc, char** argv) {
  const std::unique_ptr<dcheck::Transport> transport = dcheck::connect();
  dcheck::Cluster cluster(*transport);
  dcheck::the_cluster = &cluster;
  testing::InitGoogleTest(&argc, argv);
  return dcheck::run_tests();
}
