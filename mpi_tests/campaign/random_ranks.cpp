// Random (net, formula, leaf) cases on 1 to 7 ranks of a loopback with adversarial delivery: scripts/random-ranks.

#include "support/random_campaign.hpp"

int main(int argc, char** argv) {
  return dcheck::test::run_campaign(argc, argv, dcheck::test::RandomCases::On::several_ranks, 10'000);
}
