#pragma once
// Evidence for people: a transition a line with the places it changes, claims in words where they are
// shown. The format is described in docs/witnesses.md.

#include "dcheck/ctl/evidence.hpp"
#include "report/buffer.hpp"
#include "report/path.hpp"

namespace dcheck {

/// Lines that hold formulas or markings are cut to about this many columns; steps never are.
inline constexpr std::size_t report_columns = 100;

/// `name 0 -> 1, name 3 -> 1` after the transition's name, which is padded to `name_columns`.
void put_step(Buffer& out, const Net& net, const PathStep& step, std::size_t name_columns);

/// The evidence from the net's initial marking on, each line behind `indent` blanks. Its own claim is
/// not repeated: it stands above. Throws std::logic_error where the evidence does not replay.
void put_witness(Buffer& out, const Net& net, const Evidence& evidence, std::size_t indent);

}  // namespace dcheck
