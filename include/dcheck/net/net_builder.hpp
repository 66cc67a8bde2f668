#pragma once
// Builds a Net piece by piece, in any order that names things before they are used.
// Throws InputError (message only, the parser adds the position) on duplicate names,
// non-positive weights, negative initial markings and sums of parallel arcs that leave 63 bits.
// Passing an index the builder did not hand out is a std::out_of_range.

#include "dcheck/net/net.hpp"

namespace dcheck {

class NetBuilder {
 public:
  explicit NetBuilder(std::string name);

  Place add_place(std::string name, Tokens initial = 0);
  Transition add_transition(std::string name);
  void set_initial(Place p, Tokens tokens);
  void add_input(Transition t, Place p, Tokens weight);      // p -> t
  void add_output(Transition t, Place p, Tokens weight);     // t -> p
  void add_inhibitor(Transition t, Place p, Tokens weight);  // enabled only while m(p) < weight
  void add_guard(Transition t, Expression guard);            // several are and-ed
  void set_rate(Transition t, double rate);
  void set_bindings(Transition t, std::uint32_t count);
  void set_families(Families<Place> places, Families<Transition> transitions);
  /// Per place: its position in the model's text, each once.
  void set_positions(std::vector<std::uint32_t> positions) { _net._positions = std::move(positions); }
  void set_units(std::vector<Unit> units, bool claim_safe);

  std::optional<Place> find_place(std::string_view name) const { return _net.find_place(name); }
  std::optional<Transition> find_transition(std::string_view name) const { return _net.find_transition(name); }
  std::size_t place_count() const { return _net.place_count(); }
  std::size_t transition_count() const { return _net.transition_count(); }

  /// The finished net; the builder is empty afterwards.
  Net build();

 private:
  void require_place(Place p) const;
  void require_transition(Transition t) const;

  Net _net;
  struct DraftArc {
    Transition transition;
    Arc arc;
  };
  /// The arcs of each transition as one run, parallel ones folded into one.
  template <typename Fold>
  void finish(std::vector<DraftArc>& drafts, Net::Runs& runs, Fold&& fold) const;

  std::vector<DraftArc> _inputs, _outputs, _inhibitors;  // as they came
};

}  // namespace dcheck
