#include "support/large_net.hpp"

#include "dcheck/net/net_builder.hpp"

namespace dcheck::test {

namespace {

std::string numbered(const char* letter, std::uint32_t i) {
  return letter + std::to_string(i);
}

void add_places(NetBuilder& builder, const char* letter, std::uint32_t count, Tokens initial = 0) {
  for (std::uint32_t i = 0; i < count; ++i) builder.add_place(numbered(letter, i), initial);
}

Transition add_move(NetBuilder& builder, std::uint32_t from, std::uint32_t to) {
  const Transition t = builder.add_transition(numbered("t", static_cast<std::uint32_t>(builder.transition_count())));
  builder.add_input(t, Place{from}, 1);
  builder.add_output(t, Place{to}, 1);
  return t;
}

Net lone_places(std::uint32_t size) {
  NetBuilder builder("lone places");
  add_places(builder, "p", size);
  return builder.build();
}

Net full_places(std::uint32_t size) {
  NetBuilder builder("places with many tokens, which nothing changes");
  add_places(builder, "p", size, 5);
  return builder.build();
}

Net chain(std::uint32_t size) {
  NetBuilder builder("a chain");
  add_places(builder, "p", size);
  builder.set_initial(Place{0}, 1);
  for (std::uint32_t i = 0; i + 1 < size; ++i) add_move(builder, i, i + 1);
  return builder.build();
}

Net ring(std::uint32_t size) {
  NetBuilder builder("one invariant over all places");
  add_places(builder, "p", size);
  builder.set_initial(Place{0}, 1);
  for (std::uint32_t i = 0; i < size; ++i) add_move(builder, i, (i + 1) % size);
  return builder.build();
}

Net pairs(std::uint32_t size) {
  NetBuilder builder("an invariant for each two places");
  for (std::uint32_t i = 0; i + 1 < size; i += 2) {
    builder.add_place(numbered("a", i), 1);
    builder.add_place(numbered("b", i));
    add_move(builder, i, i + 1);
    add_move(builder, i + 1, i);
  }
  return builder.build();
}

Net fan(std::uint32_t size) {
  NetBuilder builder("one place, many transitions");
  builder.add_place("p", 1);
  for (std::uint32_t i = 0; i < size; ++i) add_move(builder, 0, 0);
  return builder.build();
}

Net large_preset(std::uint32_t size) {
  NetBuilder builder("one transition, many arcs");
  add_places(builder, "p", size, 1);
  builder.add_place("q");
  const Transition t = builder.add_transition("t");
  for (std::uint32_t i = 0; i < size; ++i) builder.add_input(t, Place{i}, 1);
  builder.add_output(t, Place{size}, 1);
  return builder.build();
}

Net large_inhibition(std::uint32_t size) {
  NetBuilder builder("one transition that every place inhibits and to every place adds");
  add_places(builder, "p", size);
  const Transition t = builder.add_transition("t");
  for (std::uint32_t i = 0; i < size; ++i) {
    builder.add_inhibitor(t, Place{i}, 2);
    builder.add_output(t, Place{i}, 1);
  }
  return builder.build();
}

Net large_guard(std::uint32_t size) {
  NetBuilder builder("one transition that adds to every place of its guard");
  add_places(builder, "p", size);
  const Transition t = builder.add_transition("t");
  Expression sum = Expression::of(Expression::Kind::add);
  for (std::uint32_t i = 0; i < size; ++i) {
    builder.add_output(t, Place{i}, 1);
    sum.children.push_back(Expression::tokens_in(Place{i}));
  }
  builder.add_guard(t, Expression::of(Expression::Kind::less, {std::move(sum), Expression::constant_of(9)}));
  return builder.build();
}

Net wide_numbers(std::uint32_t size) {
  NetBuilder builder("fields of which each takes more than half a word");
  add_places(builder, "p", size, Tokens{1} << 40);
  for (std::uint32_t i = 0; i + 1 < size; i += 2) {
    builder.add_output(add_move(builder, i, i + 1), Place{i}, 3);
  }
  return builder.build();
}

Net growing_chain(std::uint32_t size) {
  NetBuilder builder("tokens that spread, without a bound");
  add_places(builder, "p", size);
  builder.set_initial(Place{0}, 1);
  for (std::uint32_t i = 0; i + 1 < size; ++i) {
    builder.add_output(add_move(builder, i, i + 1), Place{size - 1}, 1);
  }
  return builder.build();
}

}  // namespace

const std::vector<Shape>& large_shapes() {
  static const std::vector<Shape> shapes{{"LonePlaces", lone_places},
                                         {"FullPlaces", full_places},
                                         {"Chain", chain},
                                         {"Ring", ring},
                                         {"Pairs", pairs},
                                         {"Fan", fan},
                                         {"LargePreset", large_preset},
                                         {"LargeInhibition", large_inhibition},
                                         {"LargeGuard", large_guard},
                                         {"WideNumbers", wide_numbers},
                                         {"GrowingChain", growing_chain}};
  return shapes;
}

std::size_t node_count(const Net& net) {
  std::size_t count = net.place_count() + net.transition_count();
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    count += net.pre(Transition{t}).size() + net.post(Transition{t}).size() + net.inhibitors(Transition{t}).size();
  }
  return count;
}

}  // namespace dcheck::test
