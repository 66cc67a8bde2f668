#pragma once
// The six tests of paper five (Bell and Haverkort 2005, section 6.3), by the paper's names: what they do here is in
// docs/testing.md.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dcheck/ctl/formula.hpp"

namespace dcheck {

enum class PaperTest : std::uint8_t { backward_ex, forward_ex, simple_eu, optimised_eu, au, ag };

inline constexpr std::array<std::pair<std::string_view, PaperTest>, 6> paper_tests{{{"B-EX", PaperTest::backward_ex},
                                                                                    {"F-EX", PaperTest::forward_ex},
                                                                                    {"S-EU", PaperTest::simple_eu},
                                                                                    {"O-EU", PaperTest::optimised_eu},
                                                                                    {"AU", PaperTest::au},
                                                                                    {"AG", PaperTest::ag}}};

inline std::string_view name_of(PaperTest test) {
  return paper_tests.at(static_cast<std::size_t>(test)).first;
}

/// AU and AG are about the states in which somebody eats.
inline bool is_about_eating(PaperTest test) {
  return test == PaperTest::au || test == PaperTest::ag;
}

struct TestChoice {
  PaperTest kind = PaperTest::backward_ex;
  Formula eating = {};  // where it is about that
};

struct TestResult {
  PaperTest kind = PaperTest::backward_ex;
  std::optional<std::uint64_t> sat_states = {};     // none: it did not come to its end
  std::optional<std::uint64_t> iterations = {};     // where they can be told
  std::optional<std::uint64_t> eating_states = {};  // where it is about them
  double seconds = 0;
  std::string reason = {};  // one line, where it did not come to its end
};

}  // namespace dcheck
