#pragma once
// Cuts a CSPL file into tokens and does what a C preprocessor would, as far as such files need it: #define of names
// without arguments, #undef, #ifdef, #ifndef, #else, #endif; #include and #pragma are passed over.

#include <map>
#include <string>
#include <vector>

#include "dcheck/base/ids.hpp"
#include "dcheck/parse/model.hpp"
#include "parse/source_text.hpp"

namespace dcheck::parse::cspl {

struct Token {
  enum class Kind : std::uint8_t { name, integer, real, text, symbol, end };
  Kind kind = Kind::end;
  Offset at = 0;
  std::string text;  // name, symbol, or what a string literal stands for
  Tokens integer = 0;
  double real = 0;

  bool is(std::string_view spelling) const { return (kind == Kind::symbol || kind == Kind::name) && text == spelling; }
};

struct Tokenized {
  std::vector<Token> tokens;         // ends with one of kind end
  std::vector<Parameter> constants;  // #define of an integer, in order, with the values that hold
};

/// `given` (-D) takes the place of a #define of an integer of that name. What a macro stands for has the position at
/// which the macro is used. Throws InputError.
Tokenized tokenize(const SourceText& source, const ParameterTexts& given);

/// How a message calls this token.
std::string described(const Token& token);

}  // namespace dcheck::parse::cspl
