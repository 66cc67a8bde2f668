// Random (net, formula, leaf) cases with stores that keep far too few bits of hashes, on several ranks:
// scripts/random-lossy.

#include "support/random_campaign.hpp"

int main(int argc, char** argv) {
  using dcheck::test::RandomCases;
  return dcheck::test::run_campaign(argc, argv, RandomCases::On::several_ranks, 80'000, RandomCases::Stores::lossy);
}
