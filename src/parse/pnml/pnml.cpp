// parse_pnml: text to document to model.

#include <filesystem>

#include "dcheck/base/sha256.hpp"
#include "dcheck/base/utf8.hpp"
#include "dcheck/parse/model.hpp"
#include "parse/pnml/pnml_reader.hpp"

namespace dcheck {

Model parse_pnml(std::string_view text, const std::string& file) {
  const parse::PnmlDocument document(text, file);
  std::string name = document.net().attribute("id").value();
  if (name.empty() || first_invalid_utf8(name) != std::string::npos) {
    name = parse::shown(std::filesystem::path(file).stem().string());
  }
  Model model;
  model.net = parse::PnmlReader(document, name).read();
  model.sha256 = sha256_hex(text);
  return model;
}

}  // namespace dcheck
