#pragma once
// Kinds of row operations: a transition, and the lanes of its source from which it fires. Equal kinds are kept once, so
// that an operation is two small numbers (lane_graph.hpp).

#include <vector>

#include "dcheck/base/page_array.hpp"
#include "dcheck/rows/plan.hpp"

namespace dcheck {

class OperationKinds {
 public:
  struct Kind {
    const RowTransition* transition;
    const std::uint64_t* sources;  // the lanes that fire
    bool is_plain;                 // these are all lanes of the transition's domain
  };
  static constexpr std::size_t most_kinds = std::size_t{1} << 24;

  /// Both must outlive the kinds.
  OperationKinds(const Plan& plan, MemoryBudget* budget);

  /// The number of the kind in which every lane of the domain fires.
  std::uint32_t plain(const RowTransition& t);
  /// That of the kind in which these lanes fire. Throws ResourceError where there are too many kinds.
  std::uint32_t with_sources(const RowTransition& t, const std::uint64_t* sources);

  const Kind& operator[](std::uint32_t kind) const { return _kinds[kind]; }
  std::size_t size() const { return _kinds.size(); }
  std::size_t bytes() const { return _kinds.capacity() * sizeof(Kind) + _table.size() * 4 + _masks.capacity() * 8; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t add(const Kind& kind);
  std::uint64_t hash(const RowTransition& t, const std::uint64_t* sources) const;
  bool is_equal(const Kind& kind, const RowTransition& t, const std::uint64_t* sources) const;
  void grow_table();

  const Plan& _plan;
  std::vector<Kind> _kinds;
  std::vector<std::uint32_t> _plain;  // per transition of the plan
  std::vector<std::uint32_t> _table;  // kinds with sources, by their hash; a power of two
  PageVector<std::uint64_t> _masks;   // never moves
  std::size_t _mask_count = 0;
};

}  // namespace dcheck
