#pragma once
// Why a formula holds, or fails, in a marking: a path through the net where one can show it, a tree
// where the formula is nested. Plain data, made by evidence/, printed by report, replayed by the tests.
//
// What is shown, by the claim's operator and whether it holds (f, g are its children):
//
//   EX f holds, AX f fails      path of one step; part at 1 for f
//   EF f holds, AG f fails      path; part at its end for f
//   E[f U g] holds              path; part at its end for g, parts before for f where f is no atom
//   EG f holds, AF f fails      lasso or path to a deadlock; a part at every position where f is no atom
//   A[f U g] fails              path along which g fails, to a state where f fails too (parts at its end for
//                               both), or to a deadlock, or a lasso; parts before for g where g is no atom
//   !f                          part at 0 for f, the other way round
//   and fails, or holds         part at 0 for the child that decides
//   and holds, or fails         part at 0 for every child
//   an atom                     the marking itself
//   everything else             a statement about all paths: nothing to show

#include <cstdint>
#include <optional>
#include <vector>

#include "dcheck/ctl/formula.hpp"

namespace dcheck {

/// A template only so that a tree can have parts before it is complete.
template <typename Tree>
struct PartOf {
  std::size_t at = 0;     // position on the path
  std::size_t child = 0;  // of the claim
  Tree evidence;
};

struct Evidence;
using EvidencePart = PartOf<Evidence>;

struct Evidence {
  enum class Kind : std::uint8_t {
    marking,    // an atom: look at the marking
    parts,      // a boolean combination: the parts show it
    path,       // ends where the claim is shown, or in a deadlock
    lasso,      // after its last step it is back at position `loop`
    all_paths,  // nothing can be shown
  };

  Formula claim;
  bool holds = true;
  Kind kind = Kind::marking;
  std::vector<Transition> path = {};  // position i is before step i; the last position is path.size()
  std::size_t loop = 0;
  std::vector<EvidencePart> parts = {};
  /// Parts that were left out because the tree was growing too large; those at the path's end never are.
  std::size_t parts_left_out = 0;

  /// Whether a path stands somewhere in the tree.
  bool has_path() const;
};

}  // namespace dcheck
