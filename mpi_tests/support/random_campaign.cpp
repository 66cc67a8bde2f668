#include "support/random_campaign.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string_view>

namespace dcheck::test {
namespace {

struct Arguments {
  std::uint64_t cases = 0, seed = 1;
};

std::uint64_t number(const std::string& text) {
  std::size_t used = 0;
  const std::uint64_t value = std::stoull(text, &used);
  if (used != text.size() || text.front() == '-') throw std::invalid_argument(text);
  return value;
}

Arguments parse(int argc, char** argv, std::uint64_t default_cases) {
  Arguments arguments{.cases = default_cases};
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    if ((option != "--cases" && option != "--seed") || i + 1 == argc) throw std::invalid_argument(argv[i]);
    (option == "--cases" ? arguments.cases : arguments.seed) = number(argv[i + 1]);
  }
  return arguments;
}

std::string current_case;  // for the handler below

/// A crash must not keep to itself which case it was.
void tell_the_case(int signal) {
  if (write(STDOUT_FILENO, current_case.data(), current_case.size()) < 0) _exit(1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void print_progress(const CaseTally& tally, std::uint64_t disagreements, double seconds) {
  std::cout << tally.cases << " cases, " << tally.verdicts << " verdicts, " << tally.sat_counts
            << " satisfaction counts, " << tally.witnesses << " witnesses (" << tally.shortest << " shortest), "
            << tally.bounds << " bounds, " << tally.unknown << " unknown at a limit, " << tally.too_large
            << " too large, " << tally.shared << " with records between ranks, " << disagreements << " disagreements, "
            << seconds << " s" << std::endl;
}

int run(const Arguments& arguments, RandomCases::On on, RandomCases::Stores stores) {
  constexpr std::uint64_t most_printed = 20;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  double next_report = 10;
  RandomCases cases(arguments.seed, on, stores);
  std::uint64_t disagreements = 0;
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE}) std::signal(signal, tell_the_case);
  while (cases.tally().cases < arguments.cases) {
    cases.advance();
    current_case = cases.describe() + "\n";
    const auto wrong = cases.run();
    if (!wrong.empty() && ++disagreements <= most_printed) {
      std::cout << current_case;
      for (const std::string& line : wrong) std::cout << "  WRONG " << line << "\n";
    }
    if (seconds() < next_report) continue;
    next_report = seconds() + 10;
    print_progress(cases.tally(), disagreements, seconds());
  }
  print_progress(cases.tally(), disagreements, seconds());
  std::cout << cases.tally().cases << " cases, " << disagreements << " disagreements\n";
  return disagreements == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int run_campaign(int argc, char** argv, RandomCases::On on, std::uint64_t default_cases, RandomCases::Stores stores) {
  Arguments arguments;
  try {
    arguments = parse(argc, argv, default_cases);
  } catch (const std::logic_error&) {
    std::cerr << "usage: " << argv[0] << " [--cases N] [--seed N]\n";
    return 2;
  }
  return run(arguments, on, stores);
}

}  // namespace dcheck::test
