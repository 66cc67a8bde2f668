#pragma once
// How the result was found, for people: rows and lanes, stores, memory, time, ranks.

#include "dcheck/report/report.hpp"
#include "report/buffer.hpp"

namespace dcheck {

/// The columns of all blocks of figures in a report with details.
inline constexpr std::size_t detail_name_columns = 14, detail_value_columns = 18;

void put_details(Buffer& out, const RunReport& report);

}  // namespace dcheck
