#pragma once
// Tells on a stream how an exploration is getting on: one live line on a terminal, a line every
// ten seconds in a log.

#include <cstdio>

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

  /// Cheap to call often: prints only when the interval of its style has passed.
  void show(const Progress& progress);

 private:
  std::FILE* _stream;
  Style _style;
  bool _line_is_open = false;
  double _last_seconds = 0;
  std::uint64_t _last_states = 0;
};

}  // namespace dcheck
