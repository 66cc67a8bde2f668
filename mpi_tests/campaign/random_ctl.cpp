// Random (net, formula, leaf) cases on one rank: scripts/random-ctl.

#include "support/random_campaign.hpp"

int main(int argc, char** argv) {
  return dcheck::test::run_campaign(argc, argv, dcheck::test::RandomCases::On::one_rank, 100'000);
}
