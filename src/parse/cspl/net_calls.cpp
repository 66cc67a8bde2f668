#include "parse/cspl/net_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dcheck/base/utf8.hpp"
#include "parse/cspl/library.hpp"
#include "parse/nearest.hpp"

namespace dcheck::parse::cspl {
namespace {

constexpr std::size_t most_nodes = 1'000'000, most_arcs = 10'000'000;

/// Distributions of timed transitions: with constants, by a function, depending on a place.
constexpr std::array distributions{"det", "unif", "erl",  "gam",  "bet",  "norm",  "lognorm", "wei",  "par",
                                   "cau", "pois", "bino", "negb", "geom", "hyper", "hypo",    "weib", "tria"};

}  // namespace

struct NetCalls::Entry {
  std::string_view name;
  std::size_t arguments;
  Handler handler;
};

const std::vector<NetCalls::Entry>& NetCalls::entries() {
  constexpr std::size_t any = ~std::size_t{0};
  static const std::vector<Entry> all{
      {"place", 1, &NetCalls::place},
      {"init", 2, &NetCalls::init},
      {"trans", 1, &NetCalls::trans},
      {"rateval", 2, &NetCalls::rateval},
      {"ratefun", 2, &NetCalls::timed},
      {"ratedep", 3, &NetCalls::timed},
      {"imm", 1, &NetCalls::imm},
      {"probval", 2, &NetCalls::probability},
      {"probfun", 2, &NetCalls::probability},
      {"probdep", 3, &NetCalls::probability},
      {"priority", 2, &NetCalls::priority},
      {"guard", 2, &NetCalls::guard},
      {"enabling", 2, &NetCalls::guard},
      {"iarc", 2, &NetCalls::arc},
      {"oarc", 2, &NetCalls::arc},
      {"harc", 2, &NetCalls::arc},
      {"miarc", 3, &NetCalls::weighted_arc},
      {"moarc", 3, &NetCalls::weighted_arc},
      {"mharc", 3, &NetCalls::weighted_arc},
      {"viarc", 3, &NetCalls::function_arc},
      {"voarc", 3, &NetCalls::function_arc},
      {"vharc", 3, &NetCalls::function_arc},
      {"halting_condition", 1, &NetCalls::halting},
      {"iopt", 2, &NetCalls::option},
      {"fopt", 2, &NetCalls::option},
      {"parm", any, &NetCalls::nothing},
      {"useparm", any, &NetCalls::nothing},
      {"bind", any, &NetCalls::nothing},
      {"policy", any, &NetCalls::nothing},
      {"affected", any, &NetCalls::nothing},
      {"input", any, &NetCalls::refuse},
      {"finput", any, &NetCalls::refuse},
      {"fplace", any, &NetCalls::refuse},
      {"finit", any, &NetCalls::refuse},
      {"fbound", any, &NetCalls::refuse},
      {"fbreak", any, &NetCalls::refuse},
  };
  return all;
}

std::vector<std::string_view> NetCalls::names() {
  std::vector<std::string_view> all;
  for (const Entry& entry : entries()) all.push_back(entry.name);
  return all;
}

bool NetCalls::run(const Call& call, const Arithmetic& arithmetic) {
  const auto entry = std::ranges::find(entries(), call.name, &Entry::name);
  if (entry == entries().end()) return run_timed(call);
  if (entry->arguments != ~std::size_t{0}) require_arguments(call, entry->arguments, _source);
  (this->*entry->handler)(call, arithmetic);
  return true;
}

/// `unifval`, `detfun` ...: for the states a distribution is as good as another.
bool NetCalls::run_timed(const Call& call) {
  for (const std::string_view ending : {"val", "fun", "dep"}) {
    if (!call.name.ends_with(ending)) continue;
    const std::string_view stem = std::string_view(call.name).substr(0, call.name.size() - 3);
    if (std::ranges::find(distributions, stem) == distributions.end()) continue;
    declared(call);
    return true;
  }
  return false;
}

std::string NetCalls::name_argument(const Call& call, std::size_t argument, const char* what) const {
  const std::string& name = text_argument(call, argument, _source);
  const bool has_control = std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (name.empty() || has_control || name.size() > longest_name || first_invalid_utf8(name) != std::string_view::npos)
    fail(call.at, fmt::format("'{}' is no name of a {}", shown(name), what));
  return name;
}

Place NetCalls::place_named(const std::string& name, Offset at) const {
  if (const auto place = net.find_place(name)) return *place;
  NearestName nearest(name);
  for (const ExtendedPlace& place : net.places) nearest.consider(place.name);
  fail(at, fmt::format("unknown place '{}'{}", shown(name), nearest.suggestion()));
}

Transition NetCalls::transition_named(const std::string& name, Offset at) const {
  if (const auto transition = net.find_transition(name)) return *transition;
  NearestName nearest(name);
  for (const ExtendedTransition& transition : net.transitions) nearest.consider(transition.name);
  fail(at, fmt::format("unknown transition '{}'{}", shown(name), nearest.suggestion()));
}

const Function* NetCalls::function_argument(const Call& call, std::size_t argument) const {
  const auto* function = std::get_if<const Function*>(&call.arguments[argument]);
  if (function == nullptr)
    fail(call.at, fmt::format("'{}': expected a function as argument {}, found {}", call.name, argument + 1,
                              kind_of(call.arguments[argument])));
  if (!(*function)->parameters.empty())
    fail(call.at, fmt::format("function '{}' has parameters: expected one without", shown((*function)->name)));
  return *function;
}

void NetCalls::place(const Call& call, const Arithmetic&) {
  const std::string name = name_argument(call, 0, "place");
  if (net.find_place(name)) fail(call.at, fmt::format("place '{}' is declared twice", shown(name)));
  if (net.places.size() >= most_nodes) fail(call.at, fmt::format("the net has more than {} places", most_nodes));
  net.add_place(name);
}

void NetCalls::init(const Call& call, const Arithmetic& arithmetic) {
  const Place place = place_named(text_argument(call, 0, _source), call.at);
  const Tokens tokens = arithmetic.integer(call.arguments[1], call.at, "the number of tokens");
  if (tokens < 0)
    fail(call.at, fmt::format("place '{}' starts with {} tokens: expected 0 or more", shown(net[place].name), tokens));
  net[place].initial = tokens;
}

/// The transition that the first argument names, which need not have been declared.
Transition NetCalls::declared(const Call& call) {
  const std::string name = name_argument(call, 0, "transition");
  if (const auto known = net.find_transition(name)) return *known;
  if (net.transitions.size() >= most_nodes)
    fail(call.at, fmt::format("the net has more than {} transitions", most_nodes));
  return net.add_transition(name, call.at);
}

void NetCalls::trans(const Call& call, const Arithmetic&) {
  const std::string name = name_argument(call, 0, "transition");
  if (net.find_transition(name)) fail(call.at, fmt::format("transition '{}' is declared twice", shown(name)));
  declared(call);
}

void NetCalls::rateval(const Call& call, const Arithmetic& arithmetic) {
  const double rate = arithmetic.real(call.arguments[1], call.at, "the rate");
  if (!(rate > 0) || !std::isfinite(rate)) fail(call.at, fmt::format("rate is {}: expected a number above 0", rate));
  net[declared(call)].rate = rate;
}

void NetCalls::timed(const Call& call, const Arithmetic&) {
  if (call.name == "ratefun") function_argument(call, 1);
  if (call.name == "ratedep") place_named(text_argument(call, 2, _source), call.at);
  declared(call);
}

void NetCalls::imm(const Call& call, const Arithmetic&) {
  net[declared(call)].is_immediate = true;
}

void NetCalls::probability(const Call& call, const Arithmetic& arithmetic) {
  if (call.name == "probval" && !(arithmetic.real(call.arguments[1], call.at, "the weight") > 0))
    fail(call.at, "the weight of an immediate transition is not above 0: it could never fire");
  if (call.name == "probfun") function_argument(call, 1);
  if (call.name == "probdep") place_named(text_argument(call, 2, _source), call.at);
  net[declared(call)].is_immediate = true;
}

void NetCalls::priority(const Call& call, const Arithmetic& arithmetic) {
  const Transition t = transition_named(text_argument(call, 0, _source), call.at);
  const Tokens priority = arithmetic.integer(call.arguments[1], call.at, "the priority");
  if (priority < 0) fail(call.at, fmt::format("priority is {}: expected 0 or more", priority));
  net[t].priority = priority;
}

void NetCalls::guard(const Call& call, const Arithmetic&) {
  const Transition t = transition_named(text_argument(call, 0, _source), call.at);
  guards.push_back({t, function_argument(call, 1)});
}

void NetCalls::count_arc(const Call& call) {
  if (++_arcs > most_arcs) fail(call.at, fmt::format("the net has more than {} arcs", most_arcs));
}

void NetCalls::add_arc(const Call& call, Tokens weight) {
  count_arc(call);
  const Transition t = transition_named(text_argument(call, 0, _source), call.at);
  const Place place = place_named(text_argument(call, 1, _source), call.at);
  if (weight < 0) fail(call.at, fmt::format("the weight of the arc is {}: expected 0 or more", weight));
  if (weight == 0) return;
  const bool is_inhibitor = call.name.ends_with("harc"), is_input = call.name.ends_with("iarc");
  auto& arcs = is_inhibitor ? net[t].inhibitors : is_input ? net[t].inputs : net[t].outputs;
  arcs.push_back({place, weight});
}

void NetCalls::arc(const Call& call, const Arithmetic&) {
  add_arc(call, 1);
}

void NetCalls::weighted_arc(const Call& call, const Arithmetic& arithmetic) {
  add_arc(call, arithmetic.integer(call.arguments[2], call.at, "the weight of an arc"));
}

void NetCalls::function_arc(const Call& call, const Arithmetic&) {
  count_arc(call);
  const Transition t = transition_named(text_argument(call, 0, _source), call.at);
  const Place place = place_named(text_argument(call, 1, _source), call.at);
  const auto kind = call.name == "viarc"   ? FunctionArc::Kind::input
                    : call.name == "voarc" ? FunctionArc::Kind::output
                                           : FunctionArc::Kind::inhibitor;
  function_arcs.push_back({kind, t, place, function_argument(call, 2), call.at});
}

void NetCalls::halting(const Call& call, const Arithmetic&) {
  if (goes_on != nullptr) fail(call.at, "a second halting condition: expected one");
  goes_on = function_argument(call, 0);
}

/// Of SPNP's options those matter that change which states and arcs there are.
void NetCalls::option(const Call& call, const Arithmetic& arithmetic) {
  const std::string& name = text_argument(call, 0, _source);
  const auto* choice = std::get_if<std::shared_ptr<Text>>(&call.arguments[1]);
  const std::string chosen = choice != nullptr ? (*choice)->content : "";
  if (name == "IOP_ELIMINATION") {
    net.is_without_vanishing = chosen != "VAL_REDNEVER";
  } else if (name == "IOP_MC" && chosen == "VAL_DTMC") {
    fail(call.at, "a net in discrete time (VAL_DTMC), in which transitions fire together, is not supported");
  } else if (name == "FOP_ABS_RET_M0" && arithmetic.real(call.arguments[1], call.at, "the option") > 0) {
    fail(call.at, "arcs from absorbing markings to the initial one (FOP_ABS_RET_M0) are not supported");
  }
}

void NetCalls::nothing(const Call&, const Arithmetic&) {}

void NetCalls::refuse(const Call& call, const Arithmetic&) {
  if (call.name.ends_with("input"))
    fail(call.at, fmt::format("'{}' asks for a number while the program runs: expected a global variable with a value, "
                              "which -D changes",
                              call.name));
  fail(call.at, fmt::format("'{}' is not supported: fluid places are no places of a net", call.name));
}

}  // namespace dcheck::parse::cspl
