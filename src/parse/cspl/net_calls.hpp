#pragma once
// The functions with which a CSPL file builds its net: what they are given, they note down. Functions that look at
// markings (guards, weights) are noted as functions.

#include <optional>
#include <set>

#include "parse/cspl/interpreter.hpp"
#include "parse/extended/extended_net.hpp"

namespace dcheck::parse::cspl {

class NetCalls {
 public:
  explicit NetCalls(const SourceText& source) : _source(source) {}

  /// False where there is no such function.
  bool run(const Call& call, const Arithmetic& arithmetic);

  /// The place or transition of this name; fails where there is none.
  Place place_named(const std::string& name, Offset at) const;
  Transition transition_named(const std::string& name, Offset at) const;

  /// For "did you mean".
  static std::vector<std::string_view> names();

  struct FunctionArc {
    enum class Kind : std::uint8_t { input, output, inhibitor };
    Kind kind;
    Transition transition;
    Place place;
    const Function* weight;
    Offset at;
  };
  struct Guard {
    Transition transition;
    const Function* function;
  };

  ExtendedNet net;
  std::vector<FunctionArc> function_arcs;
  std::vector<Guard> guards;
  const Function* goes_on = nullptr;  // halting_condition

 private:
  struct Entry;
  using Handler = void (NetCalls::*)(const Call& call, const Arithmetic& arithmetic);
  static const std::vector<Entry>& entries();
  bool run_timed(const Call& call);

  void place(const Call& call, const Arithmetic& arithmetic);
  void init(const Call& call, const Arithmetic& arithmetic);
  void trans(const Call& call, const Arithmetic& arithmetic);
  void rateval(const Call& call, const Arithmetic& arithmetic);
  void timed(const Call& call, const Arithmetic& arithmetic);
  void imm(const Call& call, const Arithmetic& arithmetic);
  void probability(const Call& call, const Arithmetic& arithmetic);
  void priority(const Call& call, const Arithmetic& arithmetic);
  void guard(const Call& call, const Arithmetic& arithmetic);
  void arc(const Call& call, const Arithmetic& arithmetic);
  void weighted_arc(const Call& call, const Arithmetic& arithmetic);
  void function_arc(const Call& call, const Arithmetic& arithmetic);
  void halting(const Call& call, const Arithmetic& arithmetic);
  void option(const Call& call, const Arithmetic& arithmetic);
  void nothing(const Call& call, const Arithmetic& arithmetic);
  void refuse(const Call& call, const Arithmetic& arithmetic);

  Transition declared(const Call& call);
  std::string name_argument(const Call& call, std::size_t argument, const char* what) const;
  const Function* function_argument(const Call& call, std::size_t argument) const;
  void add_arc(const Call& call, Tokens weight);
  void count_arc(const Call& call);
  [[noreturn]] void fail(Offset at, const std::string& message) const { _source.fail(at, message); }

  const SourceText& _source;
  std::size_t _arcs = 0;
};

}  // namespace dcheck::parse::cspl
