#include "dcheck/net/structure.hpp"

#include <optional>
#include <utility>

#include "bounds.hpp"
#include "kernel.hpp"
#include "semiflows.hpp"

namespace dcheck {

namespace {

/// Elementary operations spent on the kernel: about a second's worth at most.
constexpr std::size_t kernel_steps = 100'000'000;

/// The invariant with its constant; none where the constant leaves 62 bits.
std::optional<Invariant> with_constant(const Net& net, const SparseRow& row) {
  Invariant invariant;
  Wide constant = 0;
  for (const Entry& entry : row) {
    invariant.terms.push_back({Place{entry.column}, entry.value});
    if (__builtin_add_overflow(constant, Wide{entry.value} * net.initial()[entry.column], &constant)) {
      return std::nullopt;
    }
  }
  if (constant > largest_entry || constant < -largest_entry) return std::nullopt;
  invariant.constant = static_cast<Tokens>(constant);
  return invariant;
}

}  // namespace

Structure analyse(const Net& net, std::size_t budget, Patience& patience) {
  Structure structure;
  std::vector<KernelVector> basis = kernel_basis(net, kernel_steps, patience);
  for (const KernelVector& vector : basis) {
    if (auto invariant = with_constant(net, vector.row)) structure.invariants.push_back(std::move(*invariant));
  }
  for (const SparseRow& row : minimal_semiflows(std::move(basis), net.place_count(), budget, patience)) {
    if (auto semiflow = with_constant(net, row)) structure.semiflows.push_back(std::move(*semiflow));
  }
  structure.semiflows_of.resize(net.place_count());
  for (std::uint32_t i = 0; i < structure.semiflows.size(); ++i)
    for (const auto& term : structure.semiflows[i].terms) structure.semiflows_of[index(term.place)].push_back(i);
  Bounds bounds = find_bounds(net, structure.semiflows, patience);
  structure.bounds = std::move(bounds.of_place);
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (bounds.is_dead[t]) structure.dead.push_back(Transition{t});
  }
  return structure;
}

}  // namespace dcheck
