#!/usr/bin/env python3
"""scripts/scaling: what is run, what is kept, what is written.

    DCHECK_BINARY=build/dcheck python3 mpi_tests/mpi/scaling_test.py
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = pathlib.Path(os.environ.get("DCHECK_BINARY", ROOT / "build/dcheck")).resolve()


class Scaling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def scaling(self, *words):
        return subprocess.run([str(ROOT / "scripts/scaling"), *words], cwd=self.folder, env={**os.environ, "DCHECK_BINARY": str(BINARY)},
                              capture_output=True, text=True, timeout=150)

    def rows(self, out):
        with (self.folder / out / "scaling.csv").open() as file:
            return list(csv.DictReader(file))

    def test_only_what_is_missing_is_run_again(self):
        words = ["models/kanban.spn", "-D", "N=1,2", "--ranks", "1,2", "--repeat", "1", "--test", "S-EU", "--simulate", "ethernet",
                 "--simulate-ranks", "1,3"]
        first = self.scaling(*words)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertNotIn("kept", first.stdout)
        self.assertEqual([(row["parameters"], row["ranks"], row["simulated"]) for row in self.rows("scaling/kanban")],
                         [(f"N={n}", ranks, network) for n in (1, 2) for network, counts in (("", "12"), ("ethernet", "13")) for ranks in counts])
        if "no pictures" not in first.stdout:
            for name in ("speed-up", "time", "traffic"):
                self.assertIn("<svg", (self.folder / f"scaling/kanban/{name}.svg").read_text())
                self.assertTrue((self.folder / f"scaling/kanban/{name}.png").read_bytes().startswith(b"\x89PNG"))
        kept = sorted((self.folder / "scaling/kanban/runs").iterdir())
        self.assertEqual(len(kept), 8)
        kept[0].unlink()
        second = self.scaling(*words)
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertEqual(second.stdout.count("kept from before"), 7)
        self.assertEqual(sorted((self.folder / "scaling/kanban/runs").iterdir()), kept)

    def test_speed_up_is_against_one_rank_and_the_figures_say_where_they_are_from(self):
        outcome = self.scaling("models/philosophers.spn", "-D", "N=5", "--ranks", "1,2", "--repeat", "2", "--ctl", "EF deadlock", "--out", "here")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        one, two = self.rows("here")
        self.assertEqual((one["speedup_total"], one["reference_ranks"], two["reference_ranks"], two["rounds"]), ("1", "1", "1", "2"))
        self.assertAlmostEqual(float(two["speedup_total"]), float(one["total_s"]) / float(two["total_s"]), 3)
        self.assertTrue(all(two[name] for name in ("version", "host", "cpu", "cores", "network")))
        runs = json.loads((self.folder / "here/scaling.json").read_text())["runs"]
        self.assertEqual(sorted(run["ranks"] for run in runs), [1, 1, 2, 2])

    def test_weak_scaling_takes_a_parameter_for_each_number_of_ranks(self):
        outcome = self.scaling("models/kanban.spn", "-D", "N=1,2", "--weak", "--ranks", "1,2", "--repeat", "1")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        one, two = self.rows("scaling/kanban")
        self.assertEqual([(row["parameters"], row["ranks"]) for row in (one, two)], [("N=1", "1"), ("N=2", "2")])
        expected = float(two["arcs"]) / float(one["arcs"]) * float(one["total_s"]) / float(two["total_s"])
        self.assertAlmostEqual(float(two["speedup_total"]) / expected, 1, 2)

    def test_disagreement_between_runs_is_an_error(self):
        words = ["models/kanban.spn", "-D", "N=1", "--ranks", "1,2", "--repeat", "1", "--out", "here"]
        self.assertEqual(self.scaling(*words).returncode, 0)
        path = next((self.folder / "here/runs").iterdir())
        path.write_text(path.read_text().replace('"states": 160', '"states": 161', 1))
        outcome = self.scaling(*words)
        self.assertNotEqual(outcome.returncode, 0)
        self.assertIn("other counts", outcome.stderr)

    def test_mistakes_are_said_in_one_line(self):
        for words, text in ((["no-such.spn", "--ranks", "1"], "there is no model no-such.spn"),
                            (["models/kanban.spn", "-D", "N", "--ranks", "1"], "NAME=VALUE"),
                            (["models/kanban.spn", "-D", "N=1,2,3", "--weak", "--ranks", "1,2"], "as many values as --ranks"),
                            (["models/kanban.spn", "-D", "M=1", "--ranks", "1", "--repeat", "1"], "exit 2")):
            outcome = self.scaling(*words)
            self.assertNotEqual(outcome.returncode, 0)
            self.assertIn(text, outcome.stderr)


if __name__ == "__main__":
    unittest.main()
