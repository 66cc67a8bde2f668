#include "dcheck/ctl/evidence.hpp"

#include <gtest/gtest.h>

namespace dcheck::test {
namespace {

TEST(EvidenceTree, APathMayStandAnywhereInIt) {
  Evidence atom, lasso, tree;
  lasso.kind = Evidence::Kind::lasso;
  EXPECT_FALSE(atom.has_path());
  EXPECT_TRUE(lasso.has_path());
  tree.kind = Evidence::Kind::parts;
  tree.parts.push_back({0, 0, atom});
  EXPECT_FALSE(tree.has_path());
  Evidence inner = tree;
  inner.parts.push_back({0, 1, lasso});
  tree.parts.push_back({0, 1, inner});
  EXPECT_TRUE(tree.has_path());
  tree.kind = Evidence::Kind::all_paths;
  tree.parts.clear();
  EXPECT_FALSE(tree.has_path());
  tree.kind = Evidence::Kind::path;
  EXPECT_TRUE(tree.has_path());
}

}  // namespace
}  // namespace dcheck::test
