#pragma once
// The command line. Everything that can be wrong with it is an InputError, one line, that starts
// with "dcheck: ".

#include <optional>
#include <string>
#include <vector>

#include "app/export_options.hpp"
#include "dcheck/archive/file_keeper.hpp"
#include "dcheck/check/check.hpp"
#include "dcheck/comm/exchange/exchange.hpp"
#include "dcheck/comm/transport/virtual_time.hpp"
#include "dcheck/parse/model.hpp"

namespace dcheck {

struct Options {
  std::string model;                  // empty: that of the states to be loaded
  std::optional<ModelFormat> format;  // none: as the name or the text says
  ParameterTexts parameters;          // -D, in order

  std::vector<std::string> formulas;       // --ctl, in order
  std::vector<std::string> formula_files;  // --formulas, in order
  bool deadlock = false;
  bool no_checks = false;
  bool witness = false;
  bool sat_counts = false;
  bool full = false;  // also where sat_counts

  bool levels = false;
  RowChoice rows;

  LaneChoice::Kind lanes = LaneChoice::Kind::automatic;
  std::vector<std::string> lane_places;  // where lanes == places, not yet looked up
  AllocationChoice::Kind allocation = AllocationChoice::Kind::local;
  std::vector<std::string> allocation_places;  // where allocation == places, not yet looked up
  AuMethod au = AuMethod::count;
  LocalChoice local = LocalChoice::automatic;
  GraphChoice graph = GraphChoice::automatic;
  std::optional<PaperTest> test;
  Limits limits;
  ExchangeOptions exchange;
  std::optional<VirtualTimeOptions> simulation;

  ExportChoice exports;
  KeeperOptions states;  // what is loaded is `from`; of a checkpoint nobody knows yet whether it is there
  std::string command;   // as it was typed

  std::string json;  // empty: none, "-": stdout
  bool quiet = false;
  bool verbose = false;
};

struct CommandLine {
  std::optional<std::string> answer;  // --help, --version: print this and leave
  Options options;
};

CommandLine read_command_line(int argc, const char* const* argv);

}  // namespace dcheck
