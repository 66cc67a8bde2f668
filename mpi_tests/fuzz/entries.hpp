#pragma once
// What a fuzzer does with a text: read it, and see that what came out is right. The fuzzers (fuzz/target.cpp) and the
// test that reads their old findings again (unit/fuzz_regressions_test.cpp) call the same functions.
//
// A text is refused, by an InputError of one line that begins with the name of the source, or it is read; then further
// properties hold, which each entry names. Anything else is a finding: FuzzFailure, another exception, a sanitizer's
// word.

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "dcheck/parse/model.hpp"

namespace dcheck::fuzz {

/// A property that does not hold.
class FuzzFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// The same document, written differently, gives the same net; structural order changes nothing that has a name.
void read_pnml(std::string_view text);

/// The same; and every member of the net is in one coloured family, whose names formulas may use.
void read_coloured(std::string_view text);

/// The model's properties and definitions mean the same when printed and read again.
void read_spn(std::string_view text);

/// What formulas are read over: names of all kinds.
const Model& model_with_all_names();

/// As one formula and as a file of formulas, over a small model: what is read means the same when printed and read
/// again.
void read_formulas_as_text(std::string_view text);

/// The same document, written differently, gives the same formulas, and so do their texts.
void read_mcc_xml(std::string_view text);

/// A program is read within its budgets, and its net, definitions and property mean the same when written in our
/// language and read again.
void read_cspl(std::string_view text);

/// The same for nets of Tina (.net and .ndr) and LoLA; written in their own format they are the same net again.
void read_tina(std::string_view text);
void read_ndr(std::string_view text);
void read_lola(std::string_view text);

struct Target {
  std::string_view name;  // also of its folders in fuzz/seeds and fuzz/regressions
  void (*entry)(std::string_view text);
};

inline constexpr std::array<Target, 9> targets{{{"pnml", read_pnml},
                                                {"coloured", read_coloured},
                                                {"spn", read_spn},
                                                {"formulas", read_formulas_as_text},
                                                {"mcc_xml", read_mcc_xml},
                                                {"cspl", read_cspl},
                                                {"tina", read_tina},
                                                {"ndr", read_ndr},
                                                {"lola", read_lola}}};

}  // namespace dcheck::fuzz
