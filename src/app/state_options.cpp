#include "app/state_options.hpp"

#include "app/option_values.hpp"
#include "app/options.hpp"
#include "app/quantity.hpp"

namespace dcheck {
namespace {

constexpr double default_minutes = 15;

/// Minutes where there is no unit.
double seconds_between_checkpoints(const std::string& text) {
  const bool has_unit = !text.empty() && text.find_first_not_of("0123456789.") != std::string::npos;
  return parse_seconds(text) * (has_unit ? 1 : 60);
}

}  // namespace

void declare_states(CLI::App& app, KeeperOptions& options, StateTexts& texts) {
  const std::string group = "States that last (docs/cluster.md, docs/file-format.md)";
  app.add_option("--save", options.save, "Keep all states, and those that satisfy each property; implies --full")
      ->type_name("FILE.h5")
      ->group(group);
  app.add_option("--load", options.from, "Check properties of states that were saved; MODEL may be left out")
      ->type_name("FILE.h5")
      ->group(group);
  app.add_option("--checkpoint", options.checkpoint,
                 "Keep what was reached now and then, and where the run is stopped; an existing one is continued")
      ->type_name("FILE.h5")
      ->group(group);
  app.add_option("--checkpoint-every", texts.every, "How often (default: 15; 0: only when the run is stopped or asked)")
      ->type_name("MIN")
      ->group(group);
  app.add_option("--on-usr1", texts.on_usr1, "After USR1 and a checkpoint: continue, or stop with exit code 4")
      ->type_name("continue|stop")
      ->group(group);
}

void read_states(const StateTexts& texts, KeeperOptions& options) {
  const bool has_checkpoint = !options.checkpoint.empty();
  const auto refuse = [](const std::string& what) { throw InputError("dcheck: " + what); };
  if (!has_checkpoint && !texts.every.empty())
    refuse("--checkpoint-every: --checkpoint FILE.h5 was expected beside it");
  if (!has_checkpoint && !texts.on_usr1.empty()) refuse("--on-usr1: --checkpoint FILE.h5 was expected beside it");
  if (has_checkpoint && !options.from.empty())
    refuse("--checkpoint: with --load nothing is explored: leave one of them out");
  for (const auto& [a, b] : {std::pair(&options.save, &options.from), std::pair(&options.save, &options.checkpoint)})
    if (!a->empty() && *a == *b) refuse(fmt::format("--save: '{}' is read or written by another option", *a));
  options.every_seconds = has_checkpoint ? 60 * default_minutes : 0;
  if (!texts.every.empty())
    options.every_seconds = value_of("--checkpoint-every", texts.every, seconds_between_checkpoints);
  constexpr NamedValues<bool, 2> ways{{{"continue", false}, {"stop", true}}};
  if (!texts.on_usr1.empty()) options.ends_when_asked = value_named("--on-usr1", texts.on_usr1, ways);
}

void refuse_with_states(const Options& options) {
  const KeeperOptions& states = options.states;
  const bool is_loading = !states.from.empty();
  const auto refuse = [](const char* option, const char* why) {
    throw InputError(fmt::format("dcheck: {}: {}", option, why));
  };
  if (options.model.empty() && !is_loading)
    throw InputError("dcheck: no MODEL given, a .spn or .pnml file was expected");
  if (options.model.empty() && !options.parameters.empty())
    refuse("-D", "the states of --load have their parameters, and no MODEL is given");
  if (is_loading && options.levels) refuse("--levels", "with --load nothing is explored: leave one of them out");
  if (is_loading && options.lanes != LaneChoice::Kind::automatic)
    refuse("--lanes", "the states of --load have theirs: leave one of them out");
  if (options.simulation && (is_loading || !states.save.empty() || !states.checkpoint.empty()))
    refuse("--simulate", "simulated ranks read and write no states: leave --save, --load and --checkpoint out");
  if (options.exports.estimate && (is_loading || !states.save.empty() || !states.checkpoint.empty()))
    refuse("--estimate", "it keeps no states: leave --save, --load and --checkpoint out");
  if (options.test && !states.checkpoint.empty())
    refuse("--checkpoint", "a --test is taken as a whole: leave one of them out");
}

}  // namespace dcheck
