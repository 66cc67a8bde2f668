// --write: every model of ours and of the contest, in every format that can say it, is the same net when read again,
// and has the same counts and verdicts.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "dcheck/parse/model.hpp"
#include "support/format_grammars.hpp"
#include "support/mcc_corpus.hpp"
#include "support/net_text.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t small = 5'000;  // states of nets that are explored again, in every format
const std::vector<std::string> formats{"pnml", "spn", "net", "lola"};

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string fault_in(const std::string& path, const std::string& format) {
  const std::string text = content_of(path);
  return format == "pnml"   ? fault_in_pnml(text)
         : format == "net"  ? fault_in_tina(text)
         : format == "lola" ? fault_in_lola(text)
                            : "";
}

Json report_of(const std::string& model, const std::vector<std::string>& questions) {
  std::vector<std::string> arguments{model, "--full", "--quiet", "--json", "-"};
  arguments.insert(arguments.end(), questions.begin(), questions.end());
  const Outcome run = run_dcheck(arguments, 120);
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << run.err;
  return report.is_discarded() ? Json() : report;
}

class Write : public ContestTest {};

TEST_F(Write, EveryNetOfTheContestIsTheSameNetInEveryFormat) {
  const TemporaryDirectory folder;
  for (const ContestNet& contest : contest_nets()) {
    const std::string shape = shape_of(read_model(contest.model(), {}).net);
    for (const std::string& format : formats) {
      SCOPED_TRACE(contest.name + " " + format);
      const std::string file = folder.path() / ("net." + format);
      const Outcome run = run_dcheck({contest.model(), "--write", file}, 60);
      ASSERT_EQ(run.exit_code, 0) << run.err;
      EXPECT_EQ(fault_in(file, format), "");
      EXPECT_EQ(shape_of(read_model(file, {}).net), shape);
      if (contest.states() > small) continue;
      const Json report = report_of(file, {"--deadlock"});
      EXPECT_EQ(report.at("states"), contest.states());
      EXPECT_EQ(report.at("arcs"), contest.expected.at("transitions"));
      EXPECT_EQ(report.at("properties").at(0).at("verdict"),
                contest.expected.at("ReachabilityDeadlock").at("ReachabilityDeadlock"));
    }
  }
}

TEST(WriteOurs, EveryModelHasTheSameCountsAndVerdictsWhereTheFormatCanSayIt) {
  const TemporaryDirectory folder;
  const std::vector<std::vector<std::string>> models{{"kanban.spn", "-D", "N=2"},
                                                     {"kanban.cspl", "-D", "N=2"},
                                                     {"philosophers.spn", "-D", "N=5"},
                                                     {"philosophers.cspl", "-D", "N=5"},
                                                     {"database.spn", "-D", "N=5"},
                                                     {"fms.spn", "-D", "N=2"},
                                                     {"readers_writers.spn"},
                                                     {"token_ring_broken.spn"},
                                                     {"peterson.spn"},
                                                     {"mutex.spn", "-D", "N=6"},
                                                     {"dining.spn", "-D", "N=4"},
                                                     {"simple_protocol.spn"}};
  for (std::vector<std::string> arguments : models) {
    SCOPED_TRACE(command_line(arguments));
    arguments[0] = model_path(arguments[0]);
    const Json known = report_of(arguments[0], {arguments.begin() + 1, arguments.end()});
    for (const std::string& format : formats) {
      const std::string file = folder.path() / ("net." + format);
      std::vector<std::string> writing = arguments;
      writing.insert(writing.end(), {"--write", file});
      const Outcome run = run_dcheck(writing, 60);
      if (run.exit_code != 0) {  // our own language says everything
        EXPECT_NE(format, "spn");
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_EQ(count_lines(run.err), 1U) << run.err;
        EXPECT_NE(run.err.find("guard of transition") + run.err.find("inhibitor arcs"), 2 * std::string::npos)
            << run.err;
        continue;
      }
      EXPECT_EQ(fault_in(file, format), "");
      const Json report = report_of(file, {});
      for (const char* count : {"states", "arcs", "deadlocks", "max_tokens_in_place", "max_tokens_in_marking"})
        EXPECT_EQ(report.at(count), known.at(count)) << format << " " << count;
      if (format != "spn") continue;
      ASSERT_EQ(report.at("properties").size(), known.at("properties").size());
      for (std::size_t i = 0; i < known.at("properties").size(); ++i)
        for (const char* field : {"id", "verdict", "bound"})
          EXPECT_EQ(report.at("properties")[i].value(field, Json()), known.at("properties")[i].value(field, Json()));
    }
  }
}

TEST(WriteOurs, KeepsWhatIsAskedInOurLanguageAndTellsWhatIsLeftOut) {
  const TemporaryDirectory folder;
  const std::string file = folder.path() / "k.spn", other = folder.path() / "k.lola";
  const Outcome run = run_dcheck({model_path("kanban.spn"), "-D", "N=1", "--ctl", "EF full", "--write", file});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, file + ": 16 places, 16 transitions, 40 arcs\n");
  EXPECT_NE(content_of(file).find("check ctl-1 :"), std::string::npos) << content_of(file);
  EXPECT_EQ(run_dcheck({model_path("kanban.spn"), "--write", other}).out,
            other + ": 16 places, 16 transitions, 40 arcs; left out: 16 rates, 1 definition, 1 property\n");
}

TEST(WriteOurs, RefusesOtherEndingsItsOwnInputAndQuestionsOfExploration) {
  const TemporaryDirectory folder;
  const std::string model = folder.write("m.spn", "place p; trans t : p ->;");
  const auto error = [&](std::vector<std::string> more) {
    more.insert(more.begin(), model);
    const Outcome run = run_dcheck(more);
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  EXPECT_EQ(error({"--write", "x.cspl"}),
            "dcheck: --write: 'x.cspl': expected a name that ends in .spn, .pnml, .net or .lola\n");
  EXPECT_NE(error({"--write", model}).find("--write"), std::string::npos);
  EXPECT_EQ(error({"--write", "x.net", "--json", "-"}),
            "dcheck: --write explores nothing: leave --json and --test out\n");
  EXPECT_EQ(content_of(model), "place p; trans t : p ->;");
}

TEST(CsplTables, OfPaperFiveHaveTheirCounts) {
  struct Row {
    const char *model, *size;
    std::uint64_t states, arcs;
  };
  for (const auto& [model, size, states, arcs] :
       {Row{"kanban.cspl", "3", 58'400, 446'400}, Row{"kanban.cspl", "5", 2'546'432, 24'460'016},
        Row{"philosophers.cspl", "8", 103'682, 775'336}, Row{"philosophers.cspl", "9", 439'204, 3'694'923},
        Row{"philosophers.cspl", "11", 7'881'196, 81'036'637}}) {
    const Json report = report_of(model_path(model), {"-D", std::string("N=") + size, "--no-checks"});
    EXPECT_EQ(report.at("states"), states) << model << size;
    EXPECT_EQ(report.at("arcs"), arcs) << model << size;
  }
}

TEST(CsplTables, EatingIsAPredicateOfTheFile) {
  const Json report = report_of(model_path("philosophers.cspl"),
                                {"-D", "N=8", "--sat-counts", "--ctl", "eating", "--ctl", "AF eating"});
  EXPECT_EQ(report.at("properties")[0].at("sat_states"), 66'048);
  EXPECT_EQ(report.at("properties")[1].at("sat_states"), 90'816);
}

}  // namespace
}  // namespace dcheck::test
