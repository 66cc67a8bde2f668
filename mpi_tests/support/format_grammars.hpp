#pragma once
// The documented grammars of the formats that dcheck writes, a second time: small recognizers that share nothing with
// the readers.

#include <string>
#include <string_view>

namespace dcheck::test {

/// What is wrong with the text; empty where it is in the grammar.
std::string fault_in_tina(std::string_view text);
std::string fault_in_lola(std::string_view text);
/// PNML P/T nets, and the attribute type="inhibitor" of arcs that TAPAAL's verifypn reads.
std::string fault_in_pnml(const std::string& text);

}  // namespace dcheck::test
