#include "dcheck/archive/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "archive/record_file.hpp"
#include "archive/seal.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

constexpr std::uint64_t format_number = 1;

const char* name_of(FileKind kind) {
  return kind == FileKind::save ? "state space" : "checkpoint";
}

void write_texts(H5Writer& file, const std::string& name, const NamedTexts& texts) {
  std::vector<std::string> flat;
  for (const auto& [key, value] : texts) flat.insert(flat.end(), {key, value});
  file.put_texts(name, flat);
}

NamedTexts read_texts(const H5Reader& file, const std::string& name) {
  const std::vector<std::string> flat = file.texts(name);
  NamedTexts texts;
  for (std::size_t i = 0; i + 1 < flat.size(); i += 2) texts.emplace_back(flat[i], flat[i + 1]);
  return texts;
}

std::string quoted(const std::string& text) {
  constexpr std::size_t most = 60;
  return "'" + (text.size() <= most ? text : text.substr(0, most) + "...") + "'";
}

}  // namespace

void write_record(H5Writer& file, FileKind kind, const RunRecord& record) {
  file.put_text("kind", name_of(kind));
  file.put_number("format", format_number);
  file.put_text("program", record.program);
  file.put_text("host", record.host);
  file.put_text("time", record.time);
  file.put_texts("command", {record.command});
  file.add_group("model");
  file.put_texts("model/name", {record.model_name, record.model_format, record.model_sha256});
  file.put_bytes("model/text", record.model_text);
  write_texts(file, "model/parameters", record.parameters);
  write_texts(file, "terms", record.terms);
}

RunRecord read_record(const H5Reader& file, FileKind kind) {
  if (const std::string found = file.text("kind"); found != name_of(kind))
    throw InputError(file.path(), {}, fmt::format("is a {}, a {} was expected", found, name_of(kind)));
  if (const std::uint64_t number = file.number("format"); number != format_number)
    throw InputError(file.path(), {}, fmt::format("has format {}, this dcheck reads format {}", number, format_number));
  RunRecord record{.program = file.text("program"),
                   .command = file.texts("command").at(0),
                   .host = file.text("host"),
                   .time = file.text("time")};
  const std::vector<std::string> model = file.texts("model/name");
  if (model.size() != 3) throw InputError(file.path(), {}, "has no model as dcheck writes it");
  record.model_name = model[0];
  record.model_format = model[1];
  record.model_sha256 = model[2];
  record.model_text = file.bytes("model/text");
  record.parameters = read_texts(file, "model/parameters");
  record.terms = read_texts(file, "terms");
  return record;
}

RunRecord read_run_record(const std::string& path, FileKind kind) {
  expect_sealed(path);
  return read_record(H5Reader(path), kind);
}

void expect_same_run(const std::string& path, const RunRecord& of_file, const RunRecord& now) {
  const auto refuse = [&](const std::string& what) { throw InputError(path, {}, what); };
  if (of_file.model_sha256 != now.model_sha256)
    refuse(
        fmt::format("is of another model than '{}': its '{}' has another sha256", now.model_name, of_file.model_name));
  if (of_file.parameters != now.parameters) refuse("is of the same model with other values of its parameters (-D)");
  for (const auto& [name, text] : now.terms) {
    const auto there = std::ranges::find(of_file.terms, name, &NamedTexts::value_type::first);
    if (there == of_file.terms.end()) refuse(fmt::format("is of a run without {} {}", name, quoted(text)));
    if (there->second != text)
      refuse(fmt::format("is of a run with {} {}, not {}", name, quoted(there->second), quoted(text)));
  }
  for (const auto& [name, text] : of_file.terms)
    if (std::ranges::find(now.terms, name, &NamedTexts::value_type::first) == now.terms.end())
      refuse(fmt::format("is of a run with {} {}, which is missing here", name, quoted(text)));
  if (of_file.terms != now.terms) refuse("is of a run that asked its questions in another order");
}

}  // namespace dcheck
