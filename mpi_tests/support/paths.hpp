#pragma once

#include <string>

namespace dcheck::test {

/// The folder of the project. Only paths.cpp is compiled with it, so that all other tests are compiled alike in every
/// checkout, and a compiler's cache serves them all.
const std::string& source_dir();

/// The program that was built.
const std::string& binary_path();

}  // namespace dcheck::test
