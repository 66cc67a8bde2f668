#pragma once
// The options about states that outlive a run: --save, --load, --checkpoint.

#include <CLI/CLI.hpp>
#include <string>

#include "dcheck/archive/file_keeper.hpp"

namespace dcheck {

/// The options as typed.
struct StateTexts {
  std::string every, on_usr1;
};

void declare_states(CLI::App& app, KeeperOptions& options, StateTexts& texts);

/// Looks into what was typed. Throws InputError.
void read_states(const StateTexts& texts, KeeperOptions& options);

struct Options;
/// Throws InputError where other options do not go together with them.
void refuse_with_states(const Options& options);

}  // namespace dcheck
