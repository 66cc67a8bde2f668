// parse_pnml: text to document to model.

#include <filesystem>

#include "dcheck/base/sha256.hpp"
#include "dcheck/base/utf8.hpp"
#include "dcheck/colour/unfold.hpp"
#include "dcheck/parse/model.hpp"
#include "parse/pnml/coloured_reader.hpp"
#include "parse/pnml/pnml_reader.hpp"

namespace dcheck {
namespace {

Net unfolded(const parse::PnmlDocument& document, const std::string& name) {
  const ColouredNet net = parse::ColouredReader(document, name).read();
  try {
    return unfold(net);
  } catch (const UnfoldError& error) {
    document.source().fail(error.at(), error.what());
  } catch (const InputError& error) {
    document.fail(document.net(), error.what());
  }
}

}  // namespace

Model parse_pnml(std::string_view text, const std::string& file) {
  const parse::PnmlDocument document(text, file);
  std::string name = document.net().attribute("id").value();
  if (name.empty() || first_invalid_utf8(name) != std::string::npos) {
    name = parse::shown(std::filesystem::path(file).stem().string());
  }
  Model model;
  model.net = parse::ColouredReader::is_coloured(document) ? unfolded(document, name)
                                                           : parse::PnmlReader(document, name).read();
  model.sha256 = sha256_hex(text);
  return model;
}

}  // namespace dcheck
