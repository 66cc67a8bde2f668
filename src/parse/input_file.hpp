#pragma once
// Reads the files that users name: regular ones, pipes and devices, and `-`, which is standard input.

#include <string>
#include <string_view>

namespace dcheck::parse {

/// What messages call it: the path, or `stdin`.
std::string source_name(const std::string& path);

/// Throws InputError where the file is missing, a directory, or too large; `expected` is what messages say should be
/// there.
void require_readable(const std::string& path, std::string_view expected);

/// True where the size of the file, and what its name means, are not known before it is read: a pipe, a device, `-`.
bool is_stream(const std::string& path);

/// The bytes of a text. Throws InputError where it cannot be read, is empty, or is binary; that and the limit on its
/// size are seen while reading, so that a device without an end is refused too.
std::string bytes_of(const std::string& path, std::string_view expected);

/// By the first character that is no blank.
bool looks_like_xml(std::string_view text);

}  // namespace dcheck::parse
