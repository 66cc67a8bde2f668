#pragma once
// The files of states of a run: which model and which earlier states it begins with, and what files say about it.

#include <vector>

#include "app/options.hpp"
#include "dcheck/archive/run_record.hpp"
#include "dcheck/parse/model.hpp"

namespace dcheck {

/// The model that the command line names, or else that of the states to be loaded. Says in the options which file is
/// gone on from. Throws InputError where one cannot be read, or they do not belong together.
Model model_asked(Options& options);

/// What files say about this run.
RunRecord record_of(const Options& options, const Model& model, const std::vector<Property>& properties);
/// Throws InputError where the checkpoint that is there cannot be gone on from.
void expect_own_checkpoint(const KeeperOptions& states, const RunRecord& record);
/// Throws InputError where files of states cannot be written: nobody wants to hear after hours that they cannot.
void expect_writable(const KeeperOptions& states);

}  // namespace dcheck
