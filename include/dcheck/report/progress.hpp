#pragma once
// Tells on a stream how a run is getting on: one live line on a terminal, cut to its width; in a log a line after a
// second, and then ever more seldom, down to one every ten seconds.

#include <cstdio>
#include <string>

#include "dcheck/explore/explore.hpp"

namespace dcheck {

class ProgressPrinter {
 public:
  enum class Style : std::uint8_t { silent, live_line, log };

  /// live_line where the stream is a terminal, log elsewhere, silent where `quiet`.
  static Style style_for(std::FILE* stream, bool quiet);

  ProgressPrinter(std::FILE* stream, Style style) : _stream(stream), _style(style) {}
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
  Progress _last = {};  // that was printed
};

/// One line of text without a newline. Rates are since `before`.
std::string progress_line(const Progress& progress, const Progress& before);

}  // namespace dcheck
