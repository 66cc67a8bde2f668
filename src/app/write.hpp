#pragma once
// --write: the model in another format.

#include <string>

#include "app/options.hpp"

namespace dcheck {

/// Reads the model, writes it to the file of --write in the format that its ending says, with the properties that the
/// command line asks for or else the model's own, and returns what to say about it. Throws InputError where the format
/// cannot express the model, and ResourceError where the file could not be written.
std::string write_model(const Options& options);

}  // namespace dcheck
