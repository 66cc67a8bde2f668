#pragma once
// Tells on a stream how a run is getting on: one live line on a terminal, cut to its width; in a log a line after a
// second, and then ever more seldom, down to one every ten seconds.

#include <cstdio>
#include <string>

#include "dcheck/explore/explore.hpp"

namespace dcheck {

/// When memory will be full if it goes on growing as it did so far.
class MemoryForecast {
 public:
  /// 0: there is no limit.
  explicit MemoryForecast(std::uint64_t limit_bytes = 0) : _limit(limit_bytes) {}

  /// To be called with every snapshot, shown or not.
  void note(const Progress& progress);
  /// "of 800 MiB, full in about 3 min"; what is not known is left out.
  std::string text(const Progress& progress) const;

 private:
  std::uint64_t _limit;
  bool _has_begun = false;
  double _begin_seconds = 0;  // of the exploration
  std::uint64_t _begin_bytes = 0;
};

class ProgressPrinter {
 public:
  enum class Style : std::uint8_t { silent, live_line, log };

  /// live_line where the stream is a terminal, log elsewhere, silent where `quiet`.
  static Style style_for(std::FILE* stream, bool quiet);

  /// `memory_limit`: of a rank, in bytes; 0: there is none.
  ProgressPrinter(std::FILE* stream, Style style, std::uint64_t memory_limit = 0)
      : _stream(stream), _style(style), _forecast(memory_limit) {}
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;
  /// Wipes the live line, so that whatever is written next starts on an empty one.
  ~ProgressPrinter();

  /// Cheap to call often: prints only when the interval of its style has passed, or in a log, a second after the last
  /// line, when another phase has begun.
  void show(const Progress& progress);

 private:
  bool is_due(const Progress& progress) const;

  std::FILE* _stream;
  Style _style;
  bool _line_is_open = false;
  MemoryForecast _forecast;
  Progress _last = {};  // that was printed
};

/// One line of text without a newline. Rates are since `before`.
std::string progress_line(const Progress& progress, const Progress& before,
                          const MemoryForecast& forecast = MemoryForecast());

}  // namespace dcheck
