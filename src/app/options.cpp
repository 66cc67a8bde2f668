#include "app/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "app/option_values.hpp"
#include "app/quantity.hpp"
#include "app/state_options.hpp"
#include "app/store_options.hpp"

namespace dcheck {
namespace {

/// The options as typed, before they are looked into.
struct Texts {
  std::vector<std::string> definitions;
  StoreTexts store;
  ExportTexts exports;
  StateTexts states;
  std::optional<std::string> format;
  std::string lanes = "auto", au = "count", local = "auto", graph = "auto", test, buffer, flush_after,
              allocation = "local", dead_after, delay, simulate, max_time, max_memory, max_states;
};

constexpr const char* description =
    "Explores the reachable states of a Petri net, exactly, and decides CTL properties of them.\n"
    "MODEL is a .spn file (our language, docs/language.md) or a .pnml file (a P/T net); - is stdin.";

constexpr const char* examples =
    "Examples:\n"
    "  dcheck models/kanban.spn -D N=5 --no-checks          count states, arcs and deadlocks\n"
    "  dcheck models/kanban.spn -D N=5 --ctl 'AG EF initial'\n"
    "                                                       decide a formula (docs/formulas.md)\n"
    "  dcheck models/philosophers.spn -D N=10 --deadlock --witness\n"
    "                                                       is a deadlock reachable, and on what path?\n"
    "  dcheck net.pnml --formulas CTLFireability.xml        the formulas of a file, MCC XML or text\n"
    "  dcheck net.pnml --ctl 'bound(a + b)'                 how many tokens are in a and b at most?\n"
    "  dcheck net.pnml --lanes off --json - --quiet         plain exploration, JSON on stdout\n"
    "  dcheck net.pnml --max-time 15m --max-memory 2G       stop cleanly at a limit\n"
    "  mpirun -n 8 dcheck net.pnml --ctl 'AG EF initial'    the same on 8 ranks (docs/cluster.md)\n\n"
    "Exit codes: 0 all properties hold, or none was asked; 1 some property fails; 2 bad usage or bad\n"
    "input; 3 unknown (a limit was reached, or a verdict is not known); 4 stopped with a checkpoint, from\n"
    "which the same command goes on; 70 internal error. A signal that\n"
    "stops the run is 128 + its number: 129 HUP, 130 INT, 143 TERM, whatever was found by then. What was\n"
    "reached is reported; a second signal ends dcheck at once. (mpirun that gets a signal returns 1.)";

void declare_questions(CLI::App& app, Options& options, Texts& texts) {
  const std::string group = "Properties (with none of these the model's own checks are run)";
  app.add_option("--ctl", options.formulas, "Decide a CTL formula; may be repeated")
      ->type_name("FORMULA")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--formulas", options.formula_files,
                 "Decide the formulas of a file, MCC XML or text (name: formula;); may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(group);
  app.add_flag("--deadlock", options.deadlock, "Is a deadlock reachable?")->group(group);
  app.add_flag("--no-checks", options.no_checks, "Only explore")->group(group);
  app.add_flag("--witness", options.witness, "Show why each verdict is as it is, by a path where there is one")
      ->group(group);
  app.add_flag("--sat-counts", options.sat_counts, "Count the states that satisfy each property; implies --full")
      ->group(group);
  app.add_flag("--full", options.full, "Explore everything even if all is decided")->group(group);
  app.add_option("--test", texts.test,
                 "Run one of six tests by Bell and Haverkort, with its iterations: docs/testing.md")
      ->type_name("B-EX|F-EX|S-EU|O-EU|AU|AG")
      ->group(group);
}

void declare_engine(CLI::App& app, Options& options, Texts& texts) {
  app.add_option("--lanes", texts.lanes, "The places whose markings share a row: auto, off, or their names")
      ->type_name("auto|off|PLACE,...")
      ->group("Engine");
  app.add_flag("--levels", options.levels, "Explore breadth-first, in step: witnesses are then the shortest")
      ->group("Engine");
  app.add_option("--au", texts.au, "How A[p U q] is decided: count successors, or query them (docs/formulas.md)")
      ->type_name("count|query")
      ->group("Engine");
  app.add_option("--local", texts.local,
                 "Try formulas on a few states around the initial marking first (docs/formulas.md)")
      ->type_name("auto|off")
      ->group("Engine");
  app.add_option(
         "--graph", texts.graph,
         "Keep the arcs between rows of one lane for the formulas: where it pays, always, never (docs/formulas.md)")
      ->type_name("auto|keep|off")
      ->group("Engine");
}

void declare_ranks(CLI::App& app, Texts& texts) {
  const std::string group = "Ranks (under mpirun or srun; docs/cluster.md)";
  app.add_option("--buffer", texts.buffer, "What is gathered for another rank before it is sent (default: 32K)")
      ->type_name("SIZE")
      ->group(group);
  app.add_option("--flush-after", texts.flush_after, "Send a buffer that is older, full or not (default: 10)")
      ->type_name("MS")
      ->group(group);
  app.add_option("--allocation", texts.allocation,
                 "Which rank owns a row: by few places, chosen (local) or named, or by all (default: local)")
      ->type_name("local|hash|places=PLACE,...")
      ->group(group);
  app.add_option("--dead-after", texts.dead_after, "End the job where a rank is silent for so long (default: 300)")
      ->type_name("TIME")
      ->group(group);
  app.add_option("--delay", texts.delay,
                 "Deliver everything so much later, to see what a slow network does (default: 0)")
      ->type_name("MS")
      ->group(group);
  app.add_option("--simulate", texts.simulate,
                 "Run so many ranks in this process, in virtual time, on a network of shm, infiniband (default) or "
                 "ethernet: all times are simulated (docs/scaling.md)")
      ->type_name("RANKS[:NETWORK]")
      ->group(group);
}

void declare_limits(CLI::App& app, Texts& texts) {
  app.add_option("--max-time", texts.max_time,
                 "Stop after 90 (seconds), 15m or 2h from the start: reading and planning count")
      ->type_name("TIME")
      ->group("Limits");
  app.add_option("--max-memory", texts.max_memory,
                 "Stop when a rank has 800M, 2G ... (default: its share of 90 % of what the machine allows)")
      ->type_name("SIZE")
      ->group("Limits");
  app.add_option("--max-states", texts.max_states, "Stop after so many states, of all ranks together")
      ->type_name("N")
      ->group("Limits");
}

void declare(CLI::App& app, Options& options, Texts& texts) {
  app.set_help_flag();  // declared below: groups are listed in order of declaration
  app.add_option("MODEL", options.model, "The net, .spn or .pnml; - is stdin")->type_name("FILE|-")->group("Model");
  app.add_option("--format", texts.format,
                 "How MODEL is written (default: by its ending; without one, PNML if it begins with <)")
      ->type_name("spn|pnml")
      ->group("Model");
  app.add_option("-D", texts.definitions, "Set a parameter of the model; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group("Model");
  declare_questions(app, options, texts);
  declare_engine(app, options, texts);
  declare_store(app, texts.store);
  declare_ranks(app, texts);
  declare_limits(app, texts);
  declare_states(app, options.states, texts.states);
  app.add_option("--json", options.json, "Write the report as JSON; - is stdout, and then no text is printed")
      ->type_name("FILE|-")
      ->group("Output");
  declare_export(app, texts.exports);
  app.add_flag("--verbose", options.verbose, "Print also how it was done: rows, lanes, stores, memory, ranks")
      ->group("Output");
  app.add_flag("--quiet", options.quiet, "No progress on stderr")->group("Output");
  app.set_help_flag("-h,--help", "Print this and leave")->group("Output");
  app.set_version_flag("--version", "dcheck " DCHECK_VERSION, "Print the version and leave")->group("Output");
  app.footer(examples);
  app.get_formatter()->column_width(34);
  app.allow_extras();
}

/// Where an option is given, so is its value: an empty one is a variable that was never set. (An empty formula is shown
/// as formulas are.)
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->count() == 0 || option->check_lname("ctl")) continue;
    const std::vector<std::string> values = option->results();
    if (std::find(values.begin(), values.end(), "") != values.end())
      throw InputError(fmt::format("dcheck: {}: a value was expected, not ''", option->get_name()));
  }
}

/// Refuses the words that were left over. Those behind `--` are no options, whatever they look like.
void refuse_extra(const CLI::App& app) {
  std::vector<std::string> extras = app.remaining();
  const auto mark = std::find(extras.begin(), extras.end(), "--");
  const auto end_of_options = mark == extras.end() ? mark : extras.erase(mark);
  if (extras.empty()) return;
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.front() == '-'; };
  const auto found = std::find_if(extras.begin(), end_of_options, is_option);
  if (found == end_of_options) {
    throw InputError(fmt::format("dcheck: unexpected argument '{}', one MODEL was expected", extras.front()));
  }
  const std::string word = found->substr(0, found->find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::string close = nearest(word, names);
  throw InputError(fmt::format("dcheck: unknown option {}, {}", word,
                               close.empty() ? "see dcheck --help" : "did you mean " + close + "?"));
}

std::pair<std::string, std::string> split_definition(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(fmt::format("'{}' is not NAME=VALUE", text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void read_allocation(const std::string& text, Options& options) {
  constexpr std::string_view places = "places=";
  if (text.starts_with(places)) {
    options.allocation = AllocationChoice::Kind::places;
    options.allocation_places = value_of("--allocation", text.substr(places.size()), split_names);
    return;
  }
  constexpr NamedValues<AllocationChoice::Kind, 3> kinds{{{"local", AllocationChoice::Kind::local},
                                                          {"hash", AllocationChoice::Kind::hash},
                                                          {"places=PLACE,...", AllocationChoice::Kind::places}}};
  options.allocation = value_named("--allocation", text, kinds);
}

void read_methods(const Texts& texts, Options& options) {
  constexpr NamedValues<AuMethod, 2> methods{{{"count", AuMethod::count}, {"query", AuMethod::query}}};
  options.au = value_named("--au", texts.au, methods);
  constexpr NamedValues<LocalChoice, 2> local{{{"auto", LocalChoice::automatic}, {"off", LocalChoice::off}}};
  options.local = value_named("--local", texts.local, local);
  constexpr NamedValues<GraphChoice, 3> graphs{
      {{"auto", GraphChoice::automatic}, {"keep", GraphChoice::keep}, {"off", GraphChoice::off}}};
  options.graph = value_named("--graph", texts.graph, graphs);
  if (options.graph == GraphChoice::off && options.rows.store.kind == StoreChoice::Kind::condensed)
    throw InputError("dcheck: --store condensed is a graph: leave --graph off out");
  if (texts.test.empty()) return;
  options.test = value_named("--test", texts.test, paper_tests);
  if (!options.formulas.empty() || !options.formula_files.empty() || options.deadlock)
    throw InputError("dcheck: --test asks for no property: leave --ctl, --formulas and --deadlock out");
}

std::size_t buffer_bytes(const std::string& text) {
  const std::uint64_t bytes = parse_bytes(text);
  if (bytes < 64 || bytes > std::uint64_t{1} << 30) throw InputError(fmt::format("'{}' is not from 64 to 1G", text));
  return bytes;
}

/// RANKS or RANKS:NETWORK.
VirtualTimeOptions simulation(const std::string& text) {
  constexpr std::uint64_t most_ranks = 4096;
  VirtualTimeOptions options;
  const std::size_t colon = text.find(':');
  options.ranks = static_cast<int>(parse_count(text.substr(0, colon), 1, most_ranks));
  if (colon == std::string::npos) return options;
  const std::string name = text.substr(colon + 1);
  const auto model = std::ranges::find(network_models, name, &NetworkModel::name);
  if (model == network_models.end())
    throw InputError(fmt::format("'{}' is none of the networks shm, infiniband, ethernet", name));
  options.network = *model;
  return options;
}

std::uint64_t milliseconds(const std::string& text) {
  return parse_count(text, 0, 3'600'000);
}

void read_limits(const Texts& texts, Limits& limits) {
  if (!texts.max_time.empty()) limits.max_seconds = value_of("--max-time", texts.max_time, parse_seconds);
  if (!texts.max_memory.empty()) limits.max_memory_bytes = value_of("--max-memory", texts.max_memory, parse_bytes);
  if (!texts.max_states.empty())
    limits.max_states =
        value_of("--max-states", texts.max_states, [](const std::string& text) { return parse_count(text); });
}

void read_input(const Texts& texts, Options& options) {
  if (texts.format) {
    constexpr NamedValues<ModelFormat, 2> formats{{{"spn", ModelFormat::spn}, {"pnml", ModelFormat::pnml}}};
    options.format = value_named("--format", *texts.format, formats);
  }
  const auto files = std::count(options.formula_files.begin(), options.formula_files.end(), "-");
  if (files + (options.model == "-" ? 1 : 0) > 1)
    throw InputError("dcheck: stdin can be read once only: expected one - among MODEL and --formulas");
}

void read_texts(const Texts& texts, Options& options) {
  for (const std::string& text : texts.definitions) {
    options.parameters.push_back(value_of("-D", text, split_definition));
  }
  read_input(texts, options);
  if (texts.lanes == "off") {
    options.lanes = LaneChoice::Kind::off;
  } else if (texts.lanes != "auto") {
    options.lanes = LaneChoice::Kind::places;
    options.lane_places = value_of("--lanes", texts.lanes, split_names);
  }
  options.rows = read_store(texts.store, options.levels);
  read_methods(texts, options);
  read_allocation(texts.allocation, options);
  if (!texts.buffer.empty()) options.exchange.buffer_bytes = value_of("--buffer", texts.buffer, buffer_bytes);
  if (!texts.flush_after.empty())
    options.exchange.flush_after_ms = value_of("--flush-after", texts.flush_after, milliseconds);
  if (!texts.dead_after.empty())
    options.exchange.dead_after_seconds = value_of("--dead-after", texts.dead_after, parse_seconds);
  if (!texts.delay.empty()) options.exchange.delay_ms = value_of("--delay", texts.delay, milliseconds);
  if (!texts.simulate.empty()) options.simulation = value_of("--simulate", texts.simulate, simulation);
  read_limits(texts, options.limits);
  options.exports = read_export(texts.exports);
  read_states(texts.states, options.states);
  refuse_with_states(options);
  options.full = options.full || options.sat_counts || !options.exports.targets.empty() || !options.states.save.empty();
}

}  // namespace

CommandLine read_command_line(int argc, const char* const* argv) {
  CLI::App app(description, "dcheck");
  CommandLine result;
  Texts texts;
  declare(app, result.options, texts);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    result.answer = app.help();
    return result;
  } catch (const CLI::CallForVersion& version) {
    result.answer = std::string(version.what()) + "\n";
    return result;
  } catch (const CLI::ParseError& error) {
    std::string line = error.what();
    std::replace(line.begin(), line.end(), '\n', ' ');
    throw InputError("dcheck: " + line);
  }
  refuse_extra(app);
  refuse_empty_values(app);
  for (int i = 0; i < argc; ++i) result.options.command += std::string(i == 0 ? "" : " ") + argv[i];
  read_texts(texts, result.options);
  return result;
}

}  // namespace dcheck
