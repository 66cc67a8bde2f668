#include "support/our_nets.hpp"

#include <fstream>

#include "support/run_dcheck.hpp"

namespace dcheck::test {

std::filesystem::path OurNet::pnml() const {
  return model_path(name + ".pnml");
}

std::filesystem::path OurNet::formulas() const {
  return model_path(name + ".xml");
}

std::filesystem::path OurNet::spn() const {
  return model_path(expected.at("model"));
}

ParameterTexts OurNet::parameters() const {
  ParameterTexts texts;
  for (const auto& [parameter, value] : expected.at("parameters").items()) texts.emplace_back(parameter, value.dump());
  return texts;
}

std::vector<OurNet> our_nets() {
  const auto expected = nlohmann::json::parse(std::ifstream(model_path("expected.json")));
  std::vector<OurNet> nets;
  for (const auto& [name, known] : expected.items()) nets.push_back({name, known});
  return nets;
}

}  // namespace dcheck::test
