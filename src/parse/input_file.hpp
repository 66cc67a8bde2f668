#pragma once
// Reads the files that users name.

#include <string>
#include <string_view>

namespace dcheck::parse {

/// Throws InputError where the file is missing, too large, or no regular file; `expected` is what messages say
/// should be there.
void require_regular_file(const std::string& path, std::string_view expected);

/// The bytes of a text file. Throws InputError where it cannot be read, is empty, or is binary.
std::string bytes_of(const std::string& path, std::string_view expected);

}  // namespace dcheck::parse
