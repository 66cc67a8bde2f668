#!/usr/bin/env python3
"""States that outlive a run, as a user meets them: --save, --load, --checkpoint, signals, other programs, damage.

    DCHECK_BINARY=build/dcheck python3 mpi_tests/mpi/states_test.py [StatesThatLast.test_...]

Every test_ of it is one test of ctest.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"))

from campaign_parts.answers import answers
from campaign_parts.launch import ROOT, Job, as_text, command, run

LIMIT_SECONDS = 120
FORMULAS = ["--ctl", "AG EF initial", "--ctl", "EX EX initial", "--ctl", "AF deadlock", "--ctl", "EG !deadlock"]
PHILOSOPHERS = [ROOT / "models/philosophers.spn", "-D", "N=5"]
KANBAN = [ROOT / "models/kanban.spn", "-D", "N=2"]
LONG = [ROOT / "models/kanban.spn", "-D", "N=6", "--lanes", "off", "--no-checks"]


class StatesThatLast(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "states.h5"

    def ended(self, ranks, arguments, code):
        outcome = run(ranks, arguments, LIMIT_SECONDS)
        about = f"{as_text(command(ranks, arguments))}\n{outcome.out[:2000]}{outcome.err}"
        self.assertFalse(outcome.is_late, about)
        self.assertEqual(outcome.left, [], about)
        self.assertEqual(outcome.code, code, about)
        return outcome

    def report(self, ranks, arguments, code):
        return self.ended(ranks, [*arguments, "--json", "-", "--quiet"], code).report()

    def refused(self, arguments, text, ranks=1):
        outcome = self.ended(ranks, arguments, 2)
        self.assertEqual(outcome.err.count("\n"), 1, outcome.err)
        self.assertIn(text, outcome.err)
        self.assertEqual(outcome.out, "")

    def test_saved_states_are_loaded_on_any_number_of_ranks_with_any_store(self):
        for model in (PHILOSOPHERS, KANBAN):
            expected = answers(self.report(1, [*model, *FORMULAS, "--sat-counts"], 1))
            self.report(2, [*model, *FORMULAS, "--save", self.file], 1)
            for ranks, store in ((1, "packed"), (3, "delta"), (8, "comback"), (1, "condensed")):
                found = self.report(ranks, ["--load", self.file, *FORMULAS, "--sat-counts", "--store", store], 1)
                self.assertEqual(answers(found), expected)
                self.assertEqual(found["resumed"]["states"], expected["states"])

    def test_h5py_reads_markings_and_the_states_of_properties(self):
        for model in (PHILOSOPHERS, KANBAN, [*KANBAN, "--lanes", "off"]):
            report = self.report(2, [*model, *FORMULAS, "--sat-counts", "--save", self.file], 1)
            reader = ["/usr/bin/python3", ROOT / "docs/example/read_states.py", self.file]
            lines = subprocess.run(reader, capture_output=True, text=True, check=True).stdout.splitlines()
            self.assertEqual(len(set(lines)), report["states"])
            for entry in report["properties"]:
                found = sum(1 for line in lines if entry["id"] in line.split("|")[1].split())
                self.assertEqual(found, entry["sat_states"], entry["id"])
            tokens = [[int(word.split("=")[1]) for word in line.split("|")[0].split()] for line in lines]
            self.assertEqual(max(max(marking, default=0) for marking in tokens), report["max_tokens_in_place"])
            self.assertEqual(max(map(sum, tokens)), report["max_tokens_in_marking"])
            for tool in (["h5ls", "-r", self.file], ["h5dump", "-H", self.file]):
                self.assertIn("keys", subprocess.run(tool, capture_output=True, text=True, check=True).stdout)

    def test_damaged_files_are_refused_in_one_line(self):
        self.report(1, [*KANBAN, *FORMULAS, "--save", self.file], 1)
        whole = self.file.read_bytes()
        dice = random.Random(1)
        for _ in range(20):
            self.file.write_bytes(whole[:dice.randrange(len(whole))])
            self.refused(["--load", self.file, *FORMULAS], str(self.file))
            broken = bytearray(whole)
            broken[dice.randrange(len(whole))] ^= 1 << dice.randrange(8)
            self.file.write_bytes(broken)
            self.refused(["--load", self.file, *FORMULAS], "is damaged")
        self.refused(["--load", self.file, *FORMULAS], "is damaged", ranks=2)
        self.file.unlink()
        self.refused(["--load", self.file], "cannot be read: No such file")

    def test_what_does_not_belong_together_is_refused(self):
        self.report(1, [*KANBAN, "--no-checks", "--save", self.file], 0)
        self.refused(["--load", self.file, *PHILOSOPHERS], "is of another model")
        self.refused(["--load", self.file, ROOT / "models/kanban.spn", "-D", "N=3"], "other values of its parameters")
        self.refused(["--load", self.file, "--levels"], "--levels")
        self.refused([*KANBAN, "--checkpoint", self.file], "is a state space, a checkpoint was expected")
        self.refused([*KANBAN, "--on-usr1", "stop"], "--checkpoint FILE.h5 was expected")
        self.file.unlink()
        self.report(1, [*LONG, "--checkpoint", self.file, "--max-states", "1000"], 3)
        self.assertTrue(self.file.exists())
        self.refused([*LONG, "--levels", "--checkpoint", self.file], "of a run without --levels")
        self.refused([*LONG, "--ctl", "EF deadlock", "--checkpoint", self.file], "of a run without property ctl-1 'EF deadlock'")
        self.refused([*KANBAN, "--checkpoint", self.file], "other values of its parameters")

    def interrupted(self, ranks, victim, number, code):
        arguments = [*LONG, "--checkpoint", self.file, "--on-usr1", "stop"]
        job = Job(command(ranks, arguments), LIMIT_SECONDS)
        while not job.is_over() and not job.has_said("exploring"):
            time.sleep(0.02)
        os.kill(job.launcher() if victim == "mpirun" else job.ranks()[victim], number)
        outcome = job.finish()
        self.assertEqual(outcome.code, code, outcome.err)
        self.assertTrue(self.file.exists(), outcome.err)
        self.assertIn("goes on from the checkpoint", outcome.err)

    def test_signals_leave_a_checkpoint_that_other_ranks_go_on_from(self):
        for ranks, victim, number, next_ranks in ((2, "mpirun", signal.SIGUSR1, 3), (1, 0, signal.SIGTERM, 2), (3, 1, signal.SIGINT, 1)):
            self.interrupted(ranks, victim, number, 4)
            report = self.report(next_ranks, [*LONG, "--checkpoint", self.file], 0)
            self.assertGreater(report["resumed"]["states"], 0)
            self.assertEqual((report["states"], report["arcs"]), (11_261_376, 115_708_992))
            self.assertFalse(self.file.exists())

    def test_a_run_goes_on_where_the_disk_is_full(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk], check=False).returncode:
            self.skipTest("no small file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=False)
        file = disk / "states.h5"
        arguments = [*LONG, "--checkpoint", file]
        self.report(2, [*arguments, "--max-states", "1000"], 3)
        old = file.read_bytes()
        outcome = self.ended(2, [*arguments, "--checkpoint-every", "0.01", "--max-states", "9000000"], 3)
        self.assertIn("No space left on device; the last one stays", outcome.err)
        self.assertEqual(file.read_bytes(), old)
        self.assertEqual([entry.name for entry in disk.iterdir()], ["states.h5"])
        self.assertEqual(self.report(1, [*arguments, "--checkpoint-every", "0"], 0)["states"], 11_261_376)


if __name__ == "__main__":
    unittest.main()
