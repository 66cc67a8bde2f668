#include "app/run_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "dcheck/base/error.hpp"

namespace dcheck {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  std::array<char, 32> text{};
  gmtime_r(&now, &utc);
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

}  // namespace

Model model_asked(Options& options) {
  KeeperOptions& states = options.states;
  const auto as_texts = [](const NamedTexts& texts) { return ParameterTexts(texts.begin(), texts.end()); };
  if (states.from.empty()) {
    states.kind = FileKind::checkpoint;
    const bool is_there = !states.checkpoint.empty() && std::filesystem::exists(states.checkpoint);
    if (is_there) states.from = states.checkpoint;
    return in_structural_order(read_model(options.model, options.parameters, options.format));
  }
  const RunRecord saved = read_run_record(states.from, FileKind::save);
  Model model;
  if (options.model.empty())
    model = parse_model(saved.model_text, saved.model_name, as_texts(saved.parameters),
                        saved.model_format == "pnml" ? ModelFormat::pnml : ModelFormat::spn);
  else
    model = read_model(options.model, options.parameters, options.format);
  RunRecord now{.model_name = options.model, .model_sha256 = model.sha256};
  now.parameters = options.model.empty() ? saved.parameters : options.parameters;
  now.terms = saved.terms;  // other questions are what it is for
  expect_same_run(states.from, saved, now);
  if (options.model.empty()) {
    options.model = saved.model_name;
    options.parameters = as_texts(saved.parameters);
  }
  return in_structural_order(std::move(model));
}

void expect_own_checkpoint(const KeeperOptions& states, const RunRecord& record) {
  if (states.from.empty() || states.kind != FileKind::checkpoint) return;
  expect_same_run(states.from, read_run_record(states.from, FileKind::checkpoint), record);
}

void expect_writable(const KeeperOptions& states) {
  for (const auto& [option, name] : {std::pair("--save", states.save), std::pair("--checkpoint", states.checkpoint)}) {
    if (name.empty()) continue;
    const std::filesystem::path path = name;
    const std::string directory = path.has_parent_path() ? path.parent_path().string() : ".";
    const auto refuse = [&](const char* why) {
      throw InputError(fmt::format("dcheck: {}: cannot write '{}': {}", option, name, why));
    };
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) refuse("it is a directory");
    const bool is_other = std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
    if (is_other) refuse("it is no regular file");
    if (access(directory.c_str(), W_OK | X_OK) != 0) refuse(std::strerror(errno));
  }
}

RunRecord record_of(const Options& options, const Model& model, const std::vector<Property>& properties) {
  RunRecord record{.program = "dcheck " DCHECK_VERSION,
                   .command = options.command,
                   .host = host_name(),
                   .time = time_now(),
                   .model_name = options.model,
                   .model_format = model.format == ModelFormat::spn ? "spn" : "pnml",
                   .model_text = model.text,
                   .model_sha256 = model.sha256,
                   .parameters = options.parameters};
  const auto add_flag = [&](const char* name, bool is_given) {
    if (is_given) record.terms.emplace_back(name, "yes");
  };
  add_flag("--levels", options.levels);
  add_flag("--witness", options.witness);
  add_flag("--sat-counts", options.sat_counts);
  add_flag("--full", options.full);
  std::string lanes;
  for (const std::string& place : options.lane_places) lanes += (lanes.empty() ? "" : ",") + place;
  if (options.lanes == LaneChoice::Kind::off) lanes = "off";
  if (!lanes.empty()) record.terms.emplace_back("--lanes", lanes);
  for (const Property& property : properties) record.terms.emplace_back("property " + property.id, property.text);
  return record;
}

}  // namespace dcheck
