#pragma once
// What a plan says about rows, as tables of numbers: so that other programs can read the markings in a file, and so
// that dcheck knows whether a plan that it has made is the one that the rows were written by. See docs/file-format.md.

#include <string>
#include <vector>

#include "archive/h5_file.hpp"
#include "dcheck/rows/plan.hpp"

namespace dcheck {

struct NumberTable {
  std::string name;
  std::size_t width = 1;
  std::vector<std::int64_t> numbers;
};

std::vector<NumberTable> tables_of(const Plan& plan);

void write_plan(H5Writer& file, const Plan& plan);
/// Throws InputError where the rows in the file are of another plan.
void expect_plan(const H5Reader& file, const Plan& plan);

}  // namespace dcheck
