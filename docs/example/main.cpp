// Explores a model, then decides a formula about its states.
#include <dcheck/dcheck.hpp>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) return std::cerr << "usage: example MODEL FORMULA\n", 2;
  try {
    const dcheck::Model model = dcheck::read_model(argv[1], {});
    const dcheck::Structure structure = dcheck::analyse(model.net);
    const dcheck::Explored explored = dcheck::explore(model.net, structure, {});
    std::cout << explored.figures.states << " states\n";

    const dcheck::Property property = dcheck::parse_property(argv[2], "asked", model);
    const dcheck::Answers answers = dcheck::answer(*explored.space, structure, {property}, {});
    std::cout << (answers.properties[0].verdict == dcheck::Verdict::holds ? "holds\n" : "does not hold\n");
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
