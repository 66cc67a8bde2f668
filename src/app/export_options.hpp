#pragma once
// The options for what is written beside the report: an estimate in its place, and the graph for other programs.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dcheck/export/export.hpp"

namespace dcheck {

/// A file that the graph goes to.
struct ExportTarget {
  std::string path;
  ExportFormat format{};
};

struct EstimateChoice {
  std::optional<std::uint64_t> states;  // known from elsewhere
};

/// As typed, before they are looked into; empty: not given.
struct ExportTexts {
  std::string estimate;  // given without a value: "likely"
  std::vector<std::string> files;
  std::string reader, most_states;
};

struct ExportChoice {
  std::vector<ExportTarget> targets;
  std::uint64_t most_states = 1'000'000;
  std::optional<EstimateChoice> estimate;
};

void declare_export(CLI::App& app, ExportTexts& texts);

/// Throws InputError where a value is wrong, or where options do not go together.
ExportChoice read_export(const ExportTexts& texts);

}  // namespace dcheck
