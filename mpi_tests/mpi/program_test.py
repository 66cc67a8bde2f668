#!/usr/bin/env python3
"""The built program under mpirun, as a user would start it: answers, exit codes, and what is said once.

    DCHECK_BINARY=build/dcheck python3 mpi_tests/mpi/program_test.py [ProgramOnRanks.test_...]

Every test_ of it is one test of ctest. What one rank answers, started without mpirun, is what all must.
"""

import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"))

from campaign_parts.answers import answers, complaints, differences
from campaign_parts.launch import ROOT, Job, as_text, command, run

LIMIT_SECONDS = 120  # on a busy machine ranks that yield get little of it
KANBAN = [ROOT / "models/kanban.spn", "-D", "N=2"]
PHILOSOPHERS = [ROOT / "models/philosophers.spn", "-D", "N=5"]
BROKEN_RING = [ROOT / "models/token_ring_broken.spn"]
FORMULAS = ["AG EF initial", "EX EX initial", "A[ !deadlock U EX initial ]", "EG !deadlock", "AF deadlock", "EF deadlock"]


def ctl(formulas):
    return [word for formula in formulas for word in ("--ctl", formula)]


class ProgramOnRanks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def model(self, text):
        path = self.folder / "model.spn"
        path.write_text(text)
        return path

    def ended(self, ranks, arguments, code, environment=None):
        """A run that ends in time, with this code, and leaves nothing behind."""
        outcome = run(ranks, arguments, LIMIT_SECONDS, environment)
        about = f"{as_text(command(ranks, arguments), environment)}\n{outcome.out}{outcome.err}"
        self.assertFalse(outcome.is_late, about)
        self.assertEqual(outcome.left, [], about)
        self.assertEqual(outcome.code, code, about)
        return outcome

    def expect_same_answers(self, arguments, rank_counts, environment=None):
        arguments = [*arguments, "--json", "-", "--quiet"]
        expected = answers(run(1, arguments, LIMIT_SECONDS).report())
        for ranks in rank_counts:
            with self.subTest(ranks=ranks, arguments=as_text(map(str, arguments))):
                outcome = run(ranks, arguments, LIMIT_SECONDS, environment)
                self.assertEqual(complaints(outcome, ranks, [], True), [])
                found = answers(outcome.report())
                self.assertEqual(differences(found, expected), [])
                self.assertEqual(found.keys(), expected.keys())

    def test_counts_verdicts_and_sets_are_those_of_one_rank(self):
        for model in (KANBAN, PHILOSOPHERS, [ROOT / "models/peterson.spn"], BROKEN_RING):
            self.expect_same_answers([*model, "--sat-counts", *ctl(FORMULAS)], (2, 3, 5, 8))

    def test_breadth_first_levels_are_those_of_one_rank(self):
        self.expect_same_answers([*PHILOSOPHERS, "--levels", "--sat-counts", *ctl(FORMULAS)], (2, 3, 5, 8))

    def test_late_messages_change_nothing(self):
        self.expect_same_answers([*PHILOSOPHERS, "--buffer", "64", "--sat-counts", *ctl(FORMULAS)], (2, 5),
                                 {"DCHECK_DELAY_US": "2000"})

    def test_delayed_batches_change_nothing(self):
        self.expect_same_answers([*PHILOSOPHERS, "--delay", "3", "--sat-counts", *ctl(FORMULAS)], (1, 2, 3, 5))

    def test_short_patience_with_many_ranks_ends_no_healthy_job(self):
        self.expect_same_answers([*KANBAN, "--dead-after", "10", "--sat-counts", *ctl(FORMULAS)], (2, 52))

    def test_a_rank_short_of_memory_gives_rows_to_one_with_room(self):
        arguments = [ROOT / "models/kanban.spn", "-D", "N=7", "--no-checks", "--lanes", "off", "--max-memory", "35M"]
        outcome = self.ended(2, [*arguments, "--json", "-", "--quiet"], 3)
        states = outcome.report()["balance"]["states_per_rank"]
        self.assertGreater(min(states), 0.7 * max(states), states)

    def test_fifty_two_ranks_answer_as_one_does(self):
        self.expect_same_answers([ROOT / "models/philosophers.spn", "-D", "N=6", "--sat-counts", *ctl(FORMULAS)], (52,))

    def test_simulated_ranks_answer_as_one_does(self):
        arguments = [*PHILOSOPHERS, "--sat-counts", *ctl(FORMULAS), "--json", "-", "--quiet"]
        expected = answers(run(1, arguments, LIMIT_SECONDS).report())
        for ranks in (1, 2, 5, 52):
            report = run(1, [*arguments, "--simulate", f"{ranks}:ethernet"], LIMIT_SECONDS).report()
            self.assertEqual(differences(answers(report), expected), [], ranks)
            self.assertEqual((report["ranks"], report["simulated"]), (ranks, "ethernet"))
            self.assertEqual(len(report["balance"]["states_per_rank"]), ranks)

    def test_ranks_of_mpi_simulate_no_others(self):
        outcome = self.ended(2, [*KANBAN, "--simulate", "4"], 2)
        self.assertIn("--simulate runs all ranks in one process: leave mpirun or srun out", outcome.err)

    def test_more_ranks_than_states(self):
        still = self.model("place a init 2, b;\n")
        self.expect_same_answers([still, "--sat-counts", *ctl(FORMULAS)], (2, 8))
        self.expect_same_answers([ROOT / "models/token_ring.spn", "-D", "N=1", "--sat-counts", *ctl(FORMULAS)], (8,))

    def test_asking_for_successors_answers_as_counting_them_does(self):
        for model, more in ((KANBAN, []), (BROKEN_RING, []), (PHILOSOPHERS, ["AF eating"])):
            for lanes in ("off", "auto"):
                arguments = [*model, "--lanes", lanes, "--sat-counts", *ctl(FORMULAS + more), "--json", "-", "--quiet"]
                expected = answers(run(1, arguments, LIMIT_SECONDS).report())
                for ranks in (1, 2, 3, 5):
                    report = run(ranks, [*arguments, "--au", "query"], LIMIT_SECONDS).report()
                    self.assertEqual(differences(answers(report), expected), [], (ranks, arguments))
                    if more:
                        self.assertEqual(report["traffic"]["queries"] > 0, ranks > 1, (ranks, arguments))

    def test_iterations_of_the_papers_tests_are_those_of_one_rank(self):
        kanban, philosophers = ROOT / "models/kanban.spn", ROOT / "models/philosophers.spn"
        expected = [(kanban, 3, "B-EX", 54, 58400), (kanban, 3, "F-EX", 54, 58400), (kanban, 4, "S-EU", 73, 454475),
                    (philosophers, 8, "B-EX", 25, 103680), (philosophers, 8, "S-EU", 25, 103680)]
        for model, n, test, iterations, states in expected:
            for ranks in (2, 3):
                arguments = [model, "-D", f"N={n}", "--test", test, "--json", "-", "--quiet"]
                found = self.ended(ranks, arguments, 0).report()["test"]
                self.assertEqual((found["iterations"], found["sat_states"]), (iterations, states), (ranks, arguments))
        for test, states in (("AU", 90816), ("AG", 2)):
            for method in ("count", "query"):
                arguments = [philosophers, "--test", test, "--au", method, "--json", "-", "--quiet"]
                found = self.ended(3, arguments, 0).report()["test"]
                self.assertEqual((found["eating_states"], found["sat_states"]), (66048, states), arguments)

    def test_one_rank_under_mpirun_is_one_rank(self):
        arguments = [*PHILOSOPHERS, *ctl(FORMULAS), "--sat-counts", "--json", "-", "--quiet"]
        alone = run(1, arguments, LIMIT_SECONDS)
        outcome = Job(["mpirun", "--quiet", "-n", "1", *command(1, arguments)], LIMIT_SECONDS).finish()
        self.assertEqual(complaints(outcome, 1, [], True), [])
        self.assertEqual(answers(outcome.report()), answers(alone.report()))

    def test_bad_input_is_exit_2_and_said_once(self):
        cases = [
            ([self.folder / "missing.spn"], "missing.spn"),
            ([self.model("place a init 1;\ntrans t : b -> a;\n")], "unknown name 'b'"),
            ([*KANBAN, "--ctl", "AG EF (pmm[1] == 1)"], "ctl-1:1:8: unknown name 'pmm[1]'"),
            ([*KANBAN, "--formulas", self.folder / "missing.ctl"], "missing.ctl"),
            ([*KANBAN, "--lanse", "off"], "--lanse"),
            ([*KANBAN, "--lanes", "pmm"], "pmm"),
            ([ROOT / "models/kanban.spn", "-D", "N=5", "--lanes", "pm[1],pm[2],pm[3],pm[4],pback[1]"], "lanes and there may be 2,048"),
            ([*KANBAN, "--test", "AU"], "eating"),
        ]
        for arguments, text in cases:
            outcome = self.ended(5, [*arguments, "--quiet"], 2)
            alone = self.ended(1, [*arguments, "--quiet"], 2)
            self.assertEqual(outcome.err.count(text), alone.err.count(text), outcome.err)
            self.assertEqual(outcome.err, alone.err)
            self.assertEqual(outcome.out, "")

    def test_help_and_version_are_printed_once(self):
        for option in ("--help", "--version"):
            self.assertEqual(self.ended(3, [option], 0).out, self.ended(1, [option], 0).out)

    def test_exit_codes_are_those_of_one_rank(self):
        self.ended(3, [*KANBAN, "--ctl", "AG !deadlock", "--quiet"], 0)
        self.ended(3, [*KANBAN, "--ctl", "AF deadlock", "--quiet"], 1)
        self.ended(3, [*KANBAN, "--ctl", "AG !deadlock", "--max-states", "100", "--quiet"], 3)

    def test_text_is_printed_by_one_rank(self):
        outcome = self.ended(3, [*KANBAN, "--quiet"], 0)
        self.assertEqual(outcome.out.count("home"), 1, outcome.out)
        self.assertEqual(outcome.err, "")

    def test_json_goes_to_a_file_once(self):
        path = self.folder / "report.json"
        outcome = self.ended(3, [*KANBAN, "--quiet", "--json", path], 0)
        outcome.out = path.read_text()
        self.assertEqual(complaints(outcome, 3, ["home"], True), [])

    def test_exported_files_are_those_of_one_rank(self):
        names = ("graph.aut", "graph.dot", "graph.csv", "graph.states.csv", "graph.tra", "graph.lab", "graph.sta")
        expected = None
        for ranks, options in ((1, []), (2, []), (3, ["--lanes", "off", "--store", "delta"]), (5, ["--levels"])):
            targets = [word for ending in ("aut", "dot", "csv", "tra")
                       for word in ("--export", self.folder / f"graph.{ending}")]
            self.ended(ranks, [*PHILOSOPHERS, "--no-checks", *options, *targets], 0)
            found = {name: (self.folder / name).read_text() for name in names}
            expected = expected or found
            self.assertEqual(found, expected, (ranks, options))
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(names))
        self.assertTrue(expected["graph.aut"].startswith("des (0, 6375, 1364)\n"), expected["graph.aut"][:40])

    def test_what_cannot_be_exported_is_one_line_and_exit_3(self):
        target = self.folder / "graph.aut"
        for ranks in (1, 3):
            for options, line in ((["--export-states", "100"], "1,364 states are more than 100 (--export-states)"),
                                  (["--max-states", "100"], "not all states were explored")):
                outcome = self.ended(ranks, [*PHILOSOPHERS, "--no-checks", "--quiet", "--export", target, *options], 3)
                self.assertIn(f"dcheck: --export: nothing was written: {line}\n", outcome.err)
                self.assertFalse(target.exists())

    def test_an_estimate_is_made_once_for_all_ranks(self):
        for ranks in (1, 3):
            outcome = self.ended(ranks, [*PHILOSOPHERS, "--estimate", "--json", "-"], 0)
            report = json.loads(outcome.out)
            self.assertEqual(report["estimate"]["states"], {"low": 1364, "likely": 1364, "high": 1364})
            self.assertEqual(report["ranks"], ranks)

    def test_unbounded_net_is_exit_3_with_the_place(self):
        model = self.model("place a init 1, b, heap;\ntrans go : a -> b;\ntrans back : b -> a + heap;\n")
        outcome = self.ended(3, [model, "--no-checks", "--quiet", "--json", "-"], 3)
        self.assertEqual(outcome.report()["unbounded"]["place"], "heap")

    def test_limits_stop_all_ranks(self):
        large = [ROOT / "models/kanban.spn", "-D", "N=8", "--lanes", "off", "--no-checks"]
        for option, value in (("--max-states", "1000"), ("--max-time", "0.5"), ("--max-memory", "30M")):
            report = self.ended(3, [*large, option, value, "--quiet", "--json", "-"], 3).report()
            self.assertFalse(report["complete"], option)
            self.assertTrue(report["stop_reason"], option)
        self.assertLess(max(report["memory"]["peak_rss_bytes_per_rank"]), 36 << 20)

    def stopped(self, target, number, arguments, phase):
        """A run that got a signal once it was in the phase: mpirun itself, or one of its ranks."""
        job = Job(command(3, arguments), LIMIT_SECONDS)
        while not job.is_over() and not job.has_said(phase):
            time.sleep(0.02)
        victim = job.launcher() if target == "mpirun" else (job.ranks() or [None])[target]
        self.assertIsNotNone(victim, phase)
        os.kill(victim, number)
        outcome = job.finish()
        about = f"{target}, {number}, {phase}\n{outcome.out[:2000]}{outcome.err}"
        self.assertFalse(outcome.is_late, about)
        self.assertEqual(outcome.left, [], about)
        return outcome, about

    def expect_report_of_stopped(self, target, number, arguments, phase, name, code):
        path = self.folder / "report.json"
        outcome, about = self.stopped(target, number, [*arguments, "--json", path], phase)
        self.assertEqual(outcome.code, code, about)
        self.assertEqual(outcome.err.count(f"dcheck: stopped by {name} after "), 1, about)
        self.assertIn(f"stopped by {name}", outcome.out, about)
        report = json.loads(path.read_text())
        path.unlink()
        self.assertEqual(report["complete"], phase != "exploring")
        self.assertIsNone(report["properties"][-1]["verdict"], about)
        self.assertIn(f"stopped by {name}", report["properties"][-1]["reason"])
        return report

    def test_signals_while_exploring_end_in_a_report(self):
        arguments = [ROOT / "models/kanban.spn", "-D", "N=8", "--lanes", "off", "--full", "--ctl", "EF pm[1] == 0",
                     "--ctl", "AG EF initial"]
        # mpirun sends its ranks TERM whatever it gets, and returns 1.
        for target, number, name, code in (("mpirun", signal.SIGINT, "SIGTERM", 1), ("mpirun", signal.SIGTERM, "SIGTERM", 1),
                                           (0, signal.SIGINT, "SIGINT", 130), (2, signal.SIGTERM, "SIGTERM", 143),
                                           (1, signal.SIGHUP, "SIGHUP", 129)):
            report = self.expect_report_of_stopped(target, number, arguments, "exploring", name, code)
            self.assertIs(report["properties"][0]["verdict"], True)

    def test_signals_while_checking_end_in_a_report(self):
        formulas = [f"AG EF (pm[1] == {i} && pm[2] == {j} && pm[3] == {k})" for i in range(5) for j in range(5) for k in range(5)]
        arguments = [ROOT / "models/kanban.spn", "-D", "N=4", "--lanes", "off", "--sat-counts", "--graph", "off", *ctl(formulas)]
        for target, number, name, code in (("mpirun", signal.SIGTERM, "SIGTERM", 1), (2, signal.SIGINT, "SIGINT", 130)):
            report = self.expect_report_of_stopped(target, number, arguments, "checking property", name, code)
            self.assertEqual(report["states"], 454475)

    def test_progress_names_what_is_done_in_sums_of_all_ranks(self):
        # 11 million states: no machine explores them in the second before the first line. Lines come at 1, 2, 4, ... s, and
        # checking takes longer than all before it: so one of them falls into it.
        formulas = ["AG EF initial", *[f"AG EF pm[{i}] == 0" for i in (1, 2, 3)]]
        arguments = [ROOT / "models/kanban.spn", "-D", "N=6", "--lanes", "off", "--graph", "off", "--local", "off",
                     *ctl(formulas), "--json", "-"]
        outcome = self.ended(2, arguments, 0)
        report = outcome.report()
        explored, checked = [], []
        for line in outcome.err.splitlines():
            match = re.fullmatch(r"dcheck: ([0-9.]+) (ms|s|min|h): (planning|exploring: .*|checking .*), [0-9.]+ [KMG]?i?B "
                                 r"of [0-9.]+ [KMG]?i?B( \(full in about [0-9]+.* at this rate\))? on the fullest of 2 ranks", line)
            self.assertTrue(match, line)
            if match[3] == "planning":
                continue
            states = int(re.search(r"([0-9,]+) states", match[3])[1].replace(",", ""))
            if match[3].startswith("exploring"):
                self.assertRegex(match[3], r"exploring: [0-9,]+ states( \([0-9.]+ [kMG]?/s\))?, [0-9.]+ ?[kMG]? waiting in "
                                           r"[0-9.]+ ?[kMG]? rows, [0-9.]+ ?[kMG]? arcs")
                explored.append(states)
            else:
                self.assertRegex(match[3], r"checking property [0-9]+ of 4(: (predicate|EX|EF|EU)(, .*)?)?, ")
                checked.append(states)
        self.assertTrue(explored and checked, outcome.err)
        # What the other rank has told last may be a few milliseconds old.
        self.assertEqual(explored + checked, sorted(explored + checked), outcome.err)
        self.assertEqual(checked[-1], report["states"], outcome.err)

    def test_a_launcher_that_mpi_does_not_understand_is_told_of(self):
        outcome = self.ended(1, [*KANBAN, "--quiet"], 0, {"PMI_RANK": "2", "PMI_SIZE": "4"})
        self.assertRegex(outcome.err, r"\Adcheck: warning: .*PMI_SIZE=4.*runs alone.*\n\Z")
        self.assertEqual(self.ended(3, [*KANBAN, "--quiet"], 0).err, "")
    def test_limits_end_a_run_before_its_first_state(self):
        pairs = "place a[1..20000] init 1, b[1..20000];\nfor i in 1..20000 { trans t[i] : a[i] -> b[i]; trans u[i] : b[i] -> a[i]; }"
        for option, value in (("--max-time", "0.001"), ("--max-memory", "20M")):
            outcome = self.ended(2, [self.model(pairs), option, value, "--quiet", "--json", "-"], 3)
            self.assertEqual(outcome.report()["states"], 0, option)
            self.assertEqual(outcome.err.count("limit"), 1, outcome.err)

    def test_a_transition_with_very_many_arcs_is_planned(self):
        model = self.model("place p[1..50000] init 1;\nplace q;\ntrans t : (sum i in 1..50000 : p[i]) -> q;")
        self.assertEqual(self.ended(2, [model, "--quiet", "--json", "-"], 0).report()["states"], 2)

    def test_shortest_witness_is_as_long_as_on_one_rank(self):
        arguments = [*BROKEN_RING, "--witness", "--levels", "--quiet", "--json", "-"]
        for ranks in (1, 2, 5):
            report = self.ended(ranks, arguments, 1).report()
            self.assertEqual(report["properties"][0]["id"], "safe")
            self.assertEqual(len(report["properties"][0]["witness"]["path"]), 11)


if __name__ == "__main__":
    unittest.main()
