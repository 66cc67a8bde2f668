#include "app/export_options.hpp"

#include <filesystem>

#include "app/option_values.hpp"
#include "app/quantity.hpp"

namespace dcheck {
namespace {

constexpr NamedValues<ExportFormat, 3> readers{
    {{"prism", ExportFormat::prism}, {"mrmc", ExportFormat::mrmc}, {"storm", ExportFormat::storm}}};

constexpr const char* no_number = "likely";  // what --estimate without a number stands for

ExportFormat format_of(const std::string& path, const ExportTexts& texts) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".aut") return ExportFormat::aut;
  if (ending == ".dot") return ExportFormat::dot;
  if (ending == ".csv") return ExportFormat::csv;
  if (ending == ".tra")
    return texts.reader.empty() ? ExportFormat::prism : value_named("--export-for", texts.reader, readers);
  throw InputError(
      fmt::format("dcheck: --export: '{}' does not end in .aut, .dot, .csv or .tra, which says how to write it", path));
}

}  // namespace

void declare_export(CLI::App& app, ExportTexts& texts) {
  const std::string group = "Output";
  app.add_flag(
         fmt::format("--estimate{{{}}}", no_number), texts.estimate,
         "Only look for 2 seconds and say what the run would take; --estimate=STATES, where their number is known "
         "(docs/estimate.md)")
      ->group(group);
  app.add_option("--export", texts.files,
                 "Write states and arcs to a file, .aut, .dot, .csv or .tra; may be repeated (docs/export.md)")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--export-for", texts.reader, "Who is to read FILE.tra and what lies beside it (default: prism)")
      ->type_name("prism|mrmc|storm")
      ->group(group);
  app.add_option("--export-states", texts.most_states, "Write no more states than this (default: 1000000)")
      ->type_name("N")
      ->group(group);
}

ExportChoice read_export(const ExportTexts& texts) {
  ExportChoice choice;
  if (!texts.estimate.empty()) {
    choice.estimate.emplace();
    if (texts.estimate != no_number)
      choice.estimate->states =
          value_of("--estimate", texts.estimate, [](const std::string& word) { return parse_count(word); });
  }
  for (const std::string& path : texts.files) choice.targets.push_back({path, format_of(path, texts)});
  const bool is_asked = !choice.targets.empty();
  if (!is_asked && !(texts.reader.empty() && texts.most_states.empty()))
    throw InputError("dcheck: --export-for and --export-states are about --export FILE, which is not given");
  if (is_asked && choice.estimate) throw InputError("dcheck: --estimate explores too little to --export it");
  if (!texts.most_states.empty())
    choice.most_states = value_of("--export-states", texts.most_states,
                                  [](const std::string& word) { return parse_count(word, 1, 0xFFFF'FFF0); });
  return choice;
}

}  // namespace dcheck
