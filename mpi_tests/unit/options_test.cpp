#include "app/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "app/exit_code.hpp"
#include "app/memory.hpp"
#include "app/quantity.hpp"
#include "app/run.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/net/net_builder.hpp"
#include "unit/options_test_support.hpp"

namespace dcheck {
namespace {

TEST(Options, DefaultsAreLanesAutoAndTheModelsOwnChecks) {
  const Options options = read({"net.spn"}).options;
  EXPECT_EQ(options.model, "net.spn");
  EXPECT_EQ(options.lanes, LaneChoice::Kind::automatic);
  EXPECT_FALSE(options.no_checks);
  EXPECT_FALSE(options.limits.max_memory_bytes);
}

TEST(Options, RepeatedOnesKeepTheirOrderAndNeverSwallowTheModel) {
  const Options options = read({"-D", "N=3", "--ctl", "EF a", "-DM=-4", "--ctl", "!deadlock", "net.pnml"}).options;
  EXPECT_EQ(options.model, "net.pnml");
  EXPECT_EQ(options.formulas, (std::vector<std::string>{"EF a", "!deadlock"}));
  EXPECT_EQ(options.parameters, (ParameterTexts{{"N", "3"}, {"M", "-4"}}));
}

TEST(Options, FormulaFilesKeepTheirOrderAndNeverSwallowTheModel) {
  const Options options = read({"--formulas", "a.xml", "--ctl", "EF a", "--formulas", "b.txt", "net.pnml"}).options;
  EXPECT_EQ(options.model, "net.pnml");
  EXPECT_EQ(options.formula_files, (std::vector<std::string>{"a.xml", "b.txt"}));
  EXPECT_EQ(options.formulas, std::vector<std::string>{"EF a"});
}

TEST(Options, EvidenceAndLevelsAreOnlyGivenWhereAsked) {
  const Options plain = read({"net.spn"}).options;
  EXPECT_FALSE(plain.witness || plain.levels || plain.sat_counts || plain.full);
  const Options asked = read({"net.spn", "--witness", "--levels"}).options;
  EXPECT_TRUE(asked.witness && asked.levels);
  EXPECT_FALSE(asked.sat_counts || asked.full);
}

TEST(Options, SatCountsNeedTheWholeStateSpaceButNotTheOtherWayRound) {
  const Options counts = read({"net.spn", "--sat-counts"}).options;
  EXPECT_TRUE(counts.sat_counts && counts.full);
  const Options full = read({"net.spn", "--full"}).options;
  EXPECT_TRUE(full.full);
  EXPECT_FALSE(full.sat_counts);
}

TEST(Options, LanesAreSplitAtCommasOutsideBracketsAndQuotes) {
  const Options options = read({"net.spn", "--lanes", "pm[4],p[1,2],\"a,b\""}).options;
  EXPECT_EQ(options.lanes, LaneChoice::Kind::places);
  EXPECT_EQ(options.lane_places, (std::vector<std::string>{"pm[4]", "p[1,2]", "a,b"}));
  EXPECT_EQ(read({"net.spn", "--lanes", "off"}).options.lanes, LaneChoice::Kind::off);
}

TEST(Options, LanesWithAnOpenBracketOrAnEmptyNameAreRefused) {
  EXPECT_TRUE(has(complaint({"m.spn", "--lanes", "p[1,2"}), "dcheck: --lanes:"));
  EXPECT_TRUE(has(complaint({"m.spn", "--lanes", "p]"}), "dcheck: --lanes:"));
  EXPECT_TRUE(has(complaint({"m.spn", "--lanes", "a,,b"}), "empty"));
  EXPECT_TRUE(has(complaint({"m.spn", "--lanes", "\"a"}), "quote"));
}

TEST(Options, LimitsCarryTheirUnits) {
  const Limits limits =
      read({"m.spn", "--max-time", "15m", "--max-memory", "800M", "--max-states", "1000"}).options.limits;
  EXPECT_EQ(limits.max_seconds, 900.0);
  EXPECT_EQ(limits.max_memory_bytes, std::uint64_t{800} << 20);
  EXPECT_EQ(limits.max_states, 1000U);
}

TEST(Options, UnknownOneNamesTheNearestExistingOne) {
  EXPECT_EQ(complaint({"m.spn", "--dedlock"}), "dcheck: unknown option --dedlock, did you mean --deadlock?");
  EXPECT_EQ(complaint({"m.spn", "--max-stats=7"}), "dcheck: unknown option --max-stats, did you mean --max-states?");
  EXPECT_EQ(complaint({"m.spn", "--frobnicate"}), "dcheck: unknown option --frobnicate, see dcheck --help");
}

TEST(Options, ADashIsAModelAndTheFormatIsOneOfTwo) {
  EXPECT_EQ(read({"-"}).options.model, "-");
  EXPECT_FALSE(read({"-"}).options.format);
  EXPECT_EQ(read({"--format", "spn", "-"}).options.format, ModelFormat::spn);
  EXPECT_EQ(read({"-", "--format", "pnml"}).options.format, ModelFormat::pnml);
  EXPECT_EQ(complaint({"-", "--format", "xml"}), "dcheck: --format: xml is none of spn, pnml, cspl, net, ndr, lola");
  EXPECT_TRUE(has(complaint({"-", "--format", ""}), "dcheck: --format:"));
}

TEST(Options, StandardInputIsReadOnce) {
  EXPECT_EQ(read({"a.spn", "--formulas", "-"}).options.formula_files, std::vector<std::string>{"-"});
  EXPECT_TRUE(has(complaint({"-", "--formulas", "-"}), "stdin can be read once only"));
  EXPECT_TRUE(has(complaint({"a.spn", "--formulas", "-", "--formulas", "-"}), "stdin can be read once only"));
}

TEST(Options, TwoDashesEndThem) {
  EXPECT_EQ(read({"--", "a.spn"}).options.model, "a.spn");
  EXPECT_EQ(read({"--quiet", "--", "--odd.spn"}).options.model, "--odd.spn");
  EXPECT_EQ(read({"a.spn", "--"}).options.model, "a.spn");
  EXPECT_TRUE(has(complaint({"a.spn", "--", "--deadlock"}), "unexpected argument '--deadlock'"));
  EXPECT_TRUE(has(complaint({"--", "a.spn", "--"}), "unexpected argument '--'"));
  EXPECT_TRUE(has(complaint({"--dedlock", "--", "a.spn"}), "did you mean --deadlock?"));
  EXPECT_TRUE(has(complaint({"--"}), "no MODEL"));
}

TEST(Options, MissingOrSecondModelIsRefused) {
  EXPECT_TRUE(has(complaint({}), "no MODEL"));
  EXPECT_TRUE(has(complaint({"a.spn", "b.spn"}), "unexpected argument 'b.spn'"));
}

TEST(Options, ComplaintsAreOneLineThatStartsWithTheProgram) {
  for (const auto& words : std::vector<std::vector<const char*>>{{"m.spn", "--json"},
                                                                 {"m.spn", "--max-time", "soon"},
                                                                 {"m.spn", "--max-memory", "99999999999999T"},
                                                                 {"m.spn", "--max-states", "-5"},
                                                                 {"m.spn", "--max-states", "0"},
                                                                 {"m.spn", "-D", "N"},
                                                                 {"m.spn", "--deadlock=maybe"},
                                                                 {"m.spn", "--lanes", "off", "--lanes", "auto"},
                                                                 {"m.spn", "--buffer", "63"},
                                                                 {"m.spn", "--buffer", "1073741825"},
                                                                 {"m.spn", "--buffer", "much"},
                                                                 {"m.spn", "--flush-after", "3600001"},
                                                                 {"m.spn", "--flush-after", "-1"},
                                                                 {"m.spn", "--flush-after", "1ms"},
                                                                 {"m.spn", "--allocation", "evenly"},
                                                                 {"m.spn", "--store", "cupboard"}}) {
    const std::string line = complaint(words);
    EXPECT_EQ(line.rfind("dcheck: ", 0), 0U) << words.at(1) << ": " << line;
    EXPECT_FALSE(has(line, "\n")) << line;
  }
}

TEST(Options, WhoeverMissesARangeHearsTheRangeThatIsTaken) {
  struct Range {
    const char* option;
    std::string least, most, beyond;
  };
  for (const Range& range :
       {Range{"--delta-k", "0", "1000000", "1000001"}, Range{"--hash-bits", "1", "40", "41"},
        Range{"--cache", "0", "4294967295", "4294967296"}, Range{"--flush-after", "0", "3600000", "3600001"},
        Range{"--delay", "0", "3600000", "3600001"}}) {
    const auto complain = [&](const std::string& value) {
      return complaint({"m.spn", "--store", "delta", range.option, value.c_str()});
    };
    for (const std::string& value : {range.least, range.most}) EXPECT_EQ(complain(value), "");
    for (const std::string& value :
         {std::string("-1"), range.beyond, std::string("1.5"), std::string("few"), std::string("99999999999999999999")})
      EXPECT_EQ(complain(value), std::string("dcheck: ") + range.option + ": '" + value +
                                     "' is not a whole number from " + range.least + " to " + range.most);
  }
  EXPECT_EQ(complaint({"m.spn", "--max-states", "0"}),
            "dcheck: --max-states: '0' is not a whole number from 1 to 2^64 - 1");
}

TEST(Options, AnEmptyValueIsRefusedForEveryOption) {
  for (const char* option : {"--json",  "--formulas", "--test",     "--lanes",       "--au",         "--local",
                             "--graph", "--store",    "--delta-k",  "--hash-bits",   "--cache",      "--labels",
                             "--order", "--waiting",  "--buffer",   "--flush-after", "--allocation", "--dead-after",
                             "--delay", "--simulate", "--max-time", "--max-memory",  "--max-states", "-D"})
    EXPECT_EQ(complaint({"m.spn", option, ""}), std::string("dcheck: ") + option + ": a value was expected, not ''");
}

TEST(Options, ASimulationHasRanksAndANetwork) {
  EXPECT_FALSE(read({"m.spn"}).options.simulation);
  const auto usual = read({"m.spn", "--simulate", "52"}).options.simulation;
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->ranks, 52);
  EXPECT_EQ(usual->network.name, "infiniband");
  const auto slow = read({"m.spn", "--simulate", "8:ethernet"}).options.simulation;
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->ranks, 8);
  EXPECT_EQ(slow->network.name, "ethernet");
  EXPECT_EQ(complaint({"m.spn", "--simulate", "0"}), "dcheck: --simulate: '0' is not a whole number from 1 to 4096");
  EXPECT_EQ(complaint({"m.spn", "--simulate", "2:pigeons"}),
            "dcheck: --simulate: 'pigeons' is none of the networks shm, infiniband, ethernet");
}

TEST(Options, DetailsAreToldWhereAskedFor) {
  EXPECT_FALSE(read({"m.spn"}).options.verbose);
  EXPECT_TRUE(read({"m.spn", "--verbose"}).options.verbose);
}

TEST(Options, AllocationsAreLocalHashOrNamedPlaces) {
  using Kind = AllocationChoice::Kind;
  EXPECT_EQ(read({"m.spn"}).options.allocation, Kind::local);
  EXPECT_EQ(read({"m.spn", "--allocation", "local"}).options.allocation, Kind::local);
  EXPECT_EQ(read({"m.spn", "--allocation", "hash"}).options.allocation, Kind::hash);
  const Options named = read({"m.spn", "--allocation", "places=a,b[1,2]"}).options;
  EXPECT_EQ(named.allocation, Kind::places);
  EXPECT_EQ(named.allocation_places, (std::vector<std::string>{"a", "b[1,2]"}));
  EXPECT_EQ(complaint({"m.spn", "--allocation", "places"}),
            "dcheck: --allocation: places is none of local, hash, places=PLACE,...");
}

TEST(Options, MethodsAndTestsHaveNames) {
  EXPECT_EQ(read({"m.spn"}).options.au, AuMethod::count);
  EXPECT_EQ(read({"m.spn", "--au", "query"}).options.au, AuMethod::query);
  EXPECT_EQ(complaint({"m.spn", "--au", "guess"}), "dcheck: --au: guess is none of count, query");
  EXPECT_EQ(read({"m.spn"}).options.local, LocalChoice::automatic);
  EXPECT_EQ(read({"m.spn", "--local", "off"}).options.local, LocalChoice::off);
  EXPECT_EQ(complaint({"m.spn", "--local", "of"}), "dcheck: --local: of is none of auto, off");
  EXPECT_EQ(read({"m.spn"}).options.graph, GraphChoice::automatic);
  EXPECT_EQ(read({"m.spn", "--graph", "keep"}).options.graph, GraphChoice::keep);
  EXPECT_EQ(read({"m.spn", "--graph", "off"}).options.graph, GraphChoice::off);
  EXPECT_EQ(complaint({"m.spn", "--graph", "kep"}), "dcheck: --graph: kep is none of auto, keep, off");
  EXPECT_FALSE(read({"m.spn"}).options.test);
  EXPECT_EQ(read({"m.spn", "--test", "O-EU"}).options.test, PaperTest::optimised_eu);
  EXPECT_EQ(complaint({"m.spn", "--test", "EU"}), "dcheck: --test: EU is none of B-EX, F-EX, S-EU, O-EU, AU, AG");
  const std::vector<std::vector<const char*>> properties{{"--ctl", "true"}, {"--formulas", "f"}, {"--deadlock"}};
  for (std::vector<const char*> words : properties) {
    words.insert(words.end(), {"m.spn", "--test", "AU"});
    EXPECT_TRUE(has(complaint(words), "--test asks for no property")) << words[0];
  }
}

TEST(Options, BuffersAreSizesAndFlushesMilliseconds) {
  const ExchangeOptions usual = read({"m.spn"}).options.exchange;
  EXPECT_EQ(usual.buffer_bytes, ExchangeOptions().buffer_bytes);
  EXPECT_EQ(usual.flush_after_ms, ExchangeOptions().flush_after_ms);
  const ExchangeOptions least = read({"m.spn", "--buffer", "64", "--flush-after", "0"}).options.exchange;
  EXPECT_EQ(least.buffer_bytes, 64U);
  EXPECT_EQ(least.flush_after_ms, 0U);
  const ExchangeOptions most = read({"m.spn", "--buffer", "1G", "--flush-after", "3600000"}).options.exchange;
  EXPECT_EQ(most.buffer_bytes, std::size_t{1} << 30);
  EXPECT_EQ(most.flush_after_ms, 3'600'000U);
}

TEST(Options, HelpTellsTheDefaultsOfTheExchange) {
  const std::string help = *read({"--help"}).answer;
  EXPECT_EQ(ExchangeOptions().buffer_bytes, std::size_t{32} << 10);
  EXPECT_TRUE(has(help, "(default: 32K)")) << help;
  EXPECT_EQ(ExchangeOptions().flush_after_ms, 10U);
  EXPECT_TRUE(has(help, "(default: 10)")) << help;
}

TEST(Options, HelpAndVersionAreAnswersNotErrors) {
  const auto help = read({"--help"}).answer;
  ASSERT_TRUE(help);
  EXPECT_TRUE(has(*help, "--max-memory"));
  EXPECT_TRUE(has(*help, "Examples:"));
  EXPECT_EQ(read({"--version"}).answer, "dcheck " DCHECK_VERSION "\n");
}

TEST(Quantity, ReadsTimes) {
  EXPECT_EQ(parse_seconds("90"), 90);
  EXPECT_EQ(parse_seconds("1.5h"), 5400);
  EXPECT_EQ(parse_seconds("2s"), 2);
  for (const char* bad : {"", "m", "-1", "1d", "1 m", "inf", "nan", "1e400", "0x10"}) {
    EXPECT_THROW(parse_seconds(bad), InputError) << bad;
  }
}

TEST(Quantity, ReadsSizesAsPowersOf1024) {
  EXPECT_EQ(parse_bytes("4096"), 4096U);
  EXPECT_EQ(parse_bytes("3K"), 3072U);
  EXPECT_EQ(parse_bytes("16777215T"), std::uint64_t{16777215} << 40);
  for (const char* bad : {"", "0", "G", "-1M", "1.5G", "16777216T", "1KB", "99999999999999999999"}) {
    EXPECT_THROW(parse_bytes(bad), InputError) << bad;
  }
}

TEST(Quantity, NearestIgnoresWhatIsFarAway) {
  const std::vector<std::string> names{"pout[1]", "pkan[1]"};
  EXPECT_EQ(nearest("pout[2]", names), "pout[1]");
  EXPECT_EQ(nearest("xyz", names), "");
}

TEST(Memory, AllowedMemoryIsKnownAndThePeakIsBelowIt) {
  const auto allowed = allowed_memory_bytes();
  ASSERT_TRUE(allowed);
  EXPECT_GT(*allowed, std::uint64_t{1} << 20);
  EXPECT_GT(peak_rss_bytes(), 0U);
}

TEST(Memory, RanksOfOneMachineShareItEvenly) {
  EXPECT_EQ(share_of_memory(1000, 1), 900U);
  EXPECT_EQ(share_of_memory(1000, 8), 112U);
  EXPECT_EQ(share_of_memory(std::numeric_limits<std::uint64_t>::max(), 1) / 1'000'000'000'000'000'000U, 16U);
}

Model model_with(const std::string& definitions) {
  return parse_spn("place p init 1;\n" + definitions, "net.spn", {});
}

TEST(Tests, TheOnesAboutEatingTakeItFromTheModelAndRefuseOneWithoutIt) {
  Options options;
  const Model model = model_with("let eating = p == 1;\ncheck c : EF eating;\n");
  EXPECT_FALSE(test_asked(options, model));
  EXPECT_EQ(properties_asked(options, model).size(), 1U);
  options.test = PaperTest::ag;
  EXPECT_EQ(test_asked(options, model)->eating, model.definitions[0].formula);
  EXPECT_EQ(properties_asked(options, model).size(), 0U);
  for (const std::string definitions : {"", "let eating = 3;\n", "let eats = p == 1;\n"})
    EXPECT_THROW(test_asked(options, model_with(definitions)), InputError) << definitions;
  options.test = PaperTest::forward_ex;
  EXPECT_EQ(test_asked(options, model_with(""))->kind, PaperTest::forward_ex);
}

/// An environment variable for as long as this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : _name(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(_name); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* _name;
};

TEST(Memory, SlurmSaysWhatAJobMayUseOnANode) {
  const auto otherwise = allowed_memory_bytes();
  {
    const Variable node("SLURM_MEM_PER_NODE", "3");
    EXPECT_EQ(allowed_memory_bytes(), std::uint64_t{3} << 20);
  }
  {
    const Variable cpu("SLURM_MEM_PER_CPU", "3"), cpus("SLURM_CPUS_ON_NODE", "4");
    EXPECT_EQ(allowed_memory_bytes(), std::uint64_t{12} << 20);
  }
  for (const char* odd : {"0", "", "much", "-1", "99999999999999999999", "1099511627776"}) {
    const Variable node("SLURM_MEM_PER_NODE", odd);
    EXPECT_EQ(allowed_memory_bytes(), otherwise) << odd;
  }
}

RunReport report_with(const std::vector<Verdict>& verdicts, bool complete) {
  RunReport report;
  report.exploration.complete = complete;
  for (const Verdict verdict : verdicts) {
    PropertyResult property;
    property.verdict = verdict;
    report.properties.push_back(property);
  }
  return report;
}

TEST(ExitCode, AFailedPropertyWinsOverAnUnknownOne) {
  EXPECT_EQ(exit_code_of(report_with({Verdict::unknown, Verdict::fails}, false), false), ExitCode::some_fails);
  EXPECT_EQ(exit_code_of(report_with({Verdict::holds, Verdict::unknown}, true), false), ExitCode::unknown);
  EXPECT_EQ(exit_code_of(report_with({Verdict::holds}, true), false), ExitCode::all_hold);
}

TEST(ExitCode, AnIncompleteExplorationIsUnknownOnlyWhereItsCountsWereAsked) {
  EXPECT_EQ(exit_code_of(report_with({}, false), true), ExitCode::unknown);
  EXPECT_EQ(exit_code_of(report_with({Verdict::holds}, false), false), ExitCode::all_hold);
  EXPECT_EQ(exit_code_of(report_with({Verdict::holds}, false), true), ExitCode::unknown);
}

TEST(ExitCode, ATestIsUnknownUnlessItCameToItsEnd) {
  RunReport report = report_with({}, true);
  report.test = TestResult{.kind = PaperTest::ag, .sat_states = 2};
  EXPECT_EQ(exit_code_of(report, true), ExitCode::all_hold);
  report.test->sat_states.reset();
  EXPECT_EQ(exit_code_of(report, true), ExitCode::unknown);
}

TEST(ExitCode, AnUpperBoundNeverChangesIt) {
  RunReport report = report_with({Verdict::unknown}, true);
  report.properties.front().is_upper_bound = true;
  EXPECT_EQ(exit_code_of(report, false), ExitCode::all_hold);
}

}  // namespace
}  // namespace dcheck
