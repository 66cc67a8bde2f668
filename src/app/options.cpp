#include "app/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/quantity.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {
namespace {

/// The options as typed, before they are looked into.
struct Texts {
  std::vector<std::string> definitions;
  std::string lanes = "auto", store = "packed", max_time, max_memory, max_states;
};

constexpr const char* description =
    "Explores the reachable states of a Petri net, exactly, and decides CTL properties of them.\n"
    "MODEL is a .spn file (our language, docs/language.md) or a .pnml file (a P/T net).";

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
    "  dcheck net.pnml --max-time 15m --max-memory 2G       stop cleanly at a limit\n\n"
    "Exit codes: 0 all properties hold, or none was asked; 1 some property fails; 2 bad usage or bad\n"
    "input; 3 unknown (a limit was reached, or a verdict is not known); 70 internal error.";

void declare_questions(CLI::App& app, Options& options) {
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
}

void declare_engine(CLI::App& app, Options& options, Texts& texts) {
  app.add_option("--lanes", texts.lanes, "The places whose markings share a row: auto, off, or their names")
      ->type_name("auto|off|PLACE,...")
      ->group("Engine");
  app.add_option("--store", texts.store, "How rows are stored: packed")->type_name("KIND")->group("Engine");
  app.add_flag("--levels", options.levels, "Explore breadth-first, in step: witnesses are then the shortest")
      ->group("Engine");
  app.add_option("--max-time", texts.max_time, "Stop after 90 (seconds), 15m or 2h")
      ->type_name("TIME")
      ->group("Limits");
  app.add_option("--max-memory", texts.max_memory, "Stop at 800M, 2G ... (default: 90 % of what the machine allows)")
      ->type_name("SIZE")
      ->group("Limits");
  app.add_option("--max-states", texts.max_states, "Stop after so many states")->type_name("N")->group("Limits");
}

void declare(CLI::App& app, Options& options, Texts& texts) {
  app.set_help_flag();  // declared below: groups are listed in order of declaration
  app.add_option("MODEL", options.model, "The net, .spn or .pnml")->type_name("FILE")->group("Model");
  app.add_option("-D", texts.definitions, "Set a parameter of the model; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group("Model");
  declare_questions(app, options);
  declare_engine(app, options, texts);
  app.add_option("--json", options.json, "Write the report as JSON; - is stdout, and then no text is printed")
      ->type_name("FILE|-")
      ->group("Output");
  app.add_flag("--quiet", options.quiet, "No progress on stderr")->group("Output");
  app.set_help_flag("-h,--help", "Print this and leave")->group("Output");
  app.set_version_flag("--version", "dcheck " DCHECK_VERSION, "Print the version and leave")->group("Output");
  app.footer(examples);
  app.get_formatter()->column_width(34);
  app.allow_extras();
}

[[noreturn]] void refuse_extra(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.front() == '-'; };
  const auto found = std::find_if(extras.begin(), extras.end(), is_option);
  if (found == extras.end()) {
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

/// Runs a parser of one option's text and puts the option's name before what it complains about.
template <typename Parse>
auto value_of(const char* option, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("dcheck: {}: {}", option, error.what()));
  }
}

std::pair<std::string, std::string> split_definition(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(fmt::format("'{}' is not NAME=VALUE", text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void read_store(const std::string& kind) {
  constexpr std::array later{"delta", "comback", "difference", "compaction", "bitstate", "auto"};
  if (kind == "packed") return;
  const bool is_planned = std::find(later.begin(), later.end(), kind) != later.end();
  throw InputError(fmt::format("dcheck: --store: {} is {}, packed was expected", kind,
                               is_planned ? "not available yet" : "not a store"));
}

void read_texts(const Texts& texts, Options& options) {
  for (const std::string& text : texts.definitions) {
    options.parameters.push_back(value_of("-D", text, split_definition));
  }
  if (texts.lanes == "off") {
    options.lanes = LaneChoice::Kind::off;
  } else if (texts.lanes != "auto") {
    options.lanes = LaneChoice::Kind::places;
    options.lane_places = value_of("--lanes", texts.lanes, split_names);
  }
  read_store(texts.store);
  if (!texts.max_time.empty()) options.limits.max_seconds = value_of("--max-time", texts.max_time, parse_seconds);
  if (!texts.max_memory.empty()) {
    options.limits.max_memory_bytes = value_of("--max-memory", texts.max_memory, parse_bytes);
  }
  if (!texts.max_states.empty()) options.limits.max_states = value_of("--max-states", texts.max_states, parse_count);
  options.full = options.full || options.sat_counts;
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
  if (!app.remaining().empty()) refuse_extra(app);
  if (result.options.model.empty()) throw InputError("dcheck: no MODEL given, a .spn or .pnml file was expected");
  read_texts(texts, result.options);
  return result;
}

}  // namespace dcheck
