#pragma once
// The explored states and arcs as files for other programs. The files are the same, byte for byte, for any number of
// ranks, any store and any lanes: rank 0 gets all markings, and numbers them breadth-first from the initial one, which
// is 0, successors in the order of the net's transitions. So it is for graphs that fit on one rank and that other
// programs can read: docs/export.md has the formats.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dcheck/net/net.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

enum class ExportFormat : std::uint8_t {
  aut,    // CADP, mCRL2
  dot,    // Graphviz
  csv,    // two tables: arcs, states
  prism,  // rates, labels, states
  mrmc,   // rates, labels
  storm   // the same, written a little differently
};

/// A predicate that states are labelled with, beside `init` and `deadlock`.
struct StateLabel {
  std::string name;
  Expression predicate;
};

/// The states and arcs of a net, on one rank. The net must outlive it.
class StateGraph {
 public:
  std::uint64_t state_count() const { return _order.size(); }
  /// Arcs (source, transition, target), and the pairs (source, target) among them.
  std::uint64_t arc_count() const { return _arcs; }
  std::uint64_t pair_count() const { return _pairs; }
  const Net& net() const { return *_net; }

  /// Valid until the next call.
  std::span<const Tokens> marking(std::uint64_t state) const;

  struct OutgoingArc {
    Transition transition;
    std::uint64_t target;
  };
  /// In the order of the net's transitions. Valid until the next call.
  std::span<const OutgoingArc> arcs_of(std::uint64_t state) const;

 private:
  friend class StateGraphMaker;
  const Net* _net = nullptr;
  unsigned _token_bytes = 1;
  std::string _markings;                // one after another, `_token_bytes` a place
  std::vector<std::uint32_t> _slots;    // by hash: 1 + where in _markings; 0: free
  std::vector<std::uint32_t> _order;    // by number: where in _markings
  std::vector<std::uint32_t> _numbers;  // by where in _markings
  std::uint64_t _arcs = 0, _pairs = 0;
  mutable std::vector<Tokens> _marking, _next;
  mutable std::vector<OutgoingArc> _outgoing;

  std::uint32_t find(std::span<const Tokens> marking) const;
  void fire_all(std::uint64_t state) const;
};

/// Collective: rank 0 gets the graph, the others nothing. @pre The space is complete, and has `states` states in all.
/// Throws ResourceError, on all ranks, where they are more than `most_states` or rank 0's budget has no room for them.
/// `most_tokens`: no place ever has more.
std::optional<StateGraph> gather_graph(const StateSpace& space, std::uint64_t states, std::uint64_t most_states,
                                       Tokens most_tokens);

/// Takes the text of a file piece by piece.
using TextSink = std::function<void(std::string_view)>;

/// The files of a format: what their names end with in the place of the given name's ending. The last is the main one,
/// whose name is as given (""): where it is there, the others are.
std::vector<std::string> export_endings(ExportFormat format);

using ExportWriter = std::function<void(const TextSink&)>;

/// Writers of these files, in the same order. Graph and labels must outlive them.
std::vector<ExportWriter> export_writers(const StateGraph& graph, ExportFormat format,
                                         const std::vector<StateLabel>& labels);

}  // namespace dcheck
