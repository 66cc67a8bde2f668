#!/usr/bin/env python3
"""The job scripts of slurm/ as users submit them, to a real SLURM that each test starts and stops.

    DCHECK_BINARY=build/dcheck python3 mpi_tests/slurm/slurm_test.py [JobScripts.test_...]

Every test_ of it is one test of ctest. What dcheck alone answers is what every job must. Where SLURM cannot run, they are skipped.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from campaign_parts.answers import answers
from campaign_parts.launch import BINARY, run
from slurm_parts.daemons import Slurm, reason_not_to

SKIPPED = 77
JOB_SECONDS = 100  # on a busy machine; idle, jobs take some seconds
KANBAN = [str(ROOT / "models/kanban.spn"), "-D", "N=4", "--sat-counts", "--ctl", "AG EF initial", "--ctl", "EF deadlock"]
# Long enough to be interrupted some seconds after its start, whatever the machine.
LONG = [str(ROOT / "models/kanban.spn"), "-D", "N=7", "--lanes", "off", "--ctl", "AG EF initial", "--sat-counts"]


class JobScripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def slurm(self, nodes, **options):
        cluster = Slurm(nodes, **options)
        cluster.__enter__()
        self.addCleanup(cluster.__exit__)
        return cluster

    def submit(self, cluster, script, options=(), arguments=(), environment=None):
        """The number of the job."""
        settings = {"DCHECK_HOME": str(ROOT), "DCHECK_BINARY": str(BINARY.resolve()), **(environment or {})}
        words = ["sbatch", "--parsable", *options, ROOT / "slurm" / script, *arguments]
        outcome = subprocess.run(list(map(str, words)), cwd=self.folder, env={**os.environ, **cluster.environment(), **settings},
                                 capture_output=True, text=True, timeout=60)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        return outcome.stdout.strip()

    def said(self, job):
        path = self.folder / f"dcheck-{job}.out"
        return path.read_text() if path.exists() else ""

    def wait_until(self, is_so, about, seconds=JOB_SECONDS):
        give_up = time.monotonic() + seconds
        while not is_so():
            self.assertLess(time.monotonic(), give_up, about())
            time.sleep(0.1)

    def state(self, cluster, job):
        return dict(entry.split("=", 1) for entry in cluster.command(["scontrol", "-o", "show", "job", job]).split() if "=" in entry)

    def end(self, cluster, job):
        """State and exit code, once it has ended for good."""
        def all_of_it():
            return "\n".join([str(self.state(cluster, job)), self.said(job), cluster.command(["sinfo", "-N", "-l"])])
        self.wait_until(lambda: self.state(cluster, job)["JobState"] in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"), all_of_it)
        found = self.state(cluster, job)
        return found["JobState"], int(found["ExitCode"].split(":")[0])

    def report(self, job):
        return json.loads((self.folder / f"dcheck-{job}.json").read_text())

    def wait_until_exploring(self, cluster, job):
        self.wait_until(lambda: "exploring: " in self.said(job), lambda: f"{self.state(cluster, job)}\n{self.said(job)}")

    def expect_answers(self, cluster, job, ranks, expected, code=1):
        self.assertEqual(self.end(cluster, job)[1], code, self.said(job))
        report = self.report(job)
        self.assertEqual(report["ranks"], ranks)
        self.assertEqual(answers(report), expected)

    def test_one_node_and_three_answer_as_dcheck_alone_by_srun_and_by_mpirun(self):
        cluster = self.slurm(3)
        expected = answers(run(1, [*KANBAN, "--json", "-", "--quiet"], JOB_SECONDS).report())
        jobs = []
        for launcher in ("srun", "mpirun"):
            choice = {"DCHECK_LAUNCHER": launcher}
            jobs.append((self.submit(cluster, "one-node.sbatch", (), KANBAN, choice), 2))
            jobs.append((self.submit(cluster, "many-nodes.sbatch", (), KANBAN, choice), 6))
        for job, ranks in jobs:
            self.expect_answers(cluster, job, ranks, expected)
            self.assertIn(f"{ranks} ranks on {3 if ranks == 6 else 1} nodes", self.said(job))

    def test_array_makes_one_result_per_task(self):
        cluster = self.slurm(1)
        job = self.submit(cluster, "array.sbatch")
        self.wait_until(lambda: not cluster.command(["squeue", "-h"]), lambda: cluster.command(["squeue"]))
        found = {path.name: json.loads(path.read_text()) for path in self.folder.glob("*.json")}
        self.assertEqual(sorted(found), [f"dcheck-{job}-{task}.json" for task in range(6)])
        for task in range(6):
            report = found[f"dcheck-{job}-{task}.json"]
            self.assertEqual(report["states"], (58_400, 454_475, 2_546_432)[task // 2])
            self.assertEqual([entry["verdict"] for entry in report["properties"]], [task % 2 == 0])
            self.assertRegex((self.folder / f"dcheck-{job}-{task}.out").read_text(), r"1 cores each, .* 3[0-9]{3} seconds left")

    def test_scaling_runs_in_a_job_and_by_jobs_of_its_own(self):
        cluster = self.slurm(1)
        model = [str(ROOT / "models/kanban.spn"), "-D", "N=2"]
        strong = self.submit(cluster, "strong-scaling.sbatch", (), model)
        settings = {**os.environ, **cluster.environment(), "DCHECK_BINARY": str(BINARY.resolve())}
        words = [ROOT / "scripts/scaling", *model, "--ranks", "1,3", "--repeat", "1", "--sbatch", "--out", "own"]
        subprocess.run(list(map(str, words)), cwd=self.folder, env=settings, check=True, capture_output=True, timeout=60)
        self.wait_until(lambda: not cluster.command(["squeue", "-h"]), lambda: cluster.command(["squeue"]))
        for folder, ranks in (("scaling/kanban", [1, 2, 4]), ("own", [1, 3])):
            about = json.loads((self.folder / folder / "scaling.json").read_text())
            self.assertEqual([row["ranks"] for row in about["figures"]], ranks, (self.folder / f"dcheck-strong-{strong}.out").read_text())
            self.assertTrue(all("srun" in run["command"][0] for run in about["runs"]))

    def test_job_whose_node_dies_ends_and_leaves_nothing(self):
        cluster = self.slurm(3, node_timeout=5)
        job = self.submit(cluster, "many-nodes.sbatch", ["--no-requeue"], LONG)
        self.wait_until_exploring(cluster, job)
        cluster.crash("n2")
        self.assertIn(self.end(cluster, job)[0], ("FAILED", "NODE_FAIL"))
        self.assertNotIn("holds", self.said(job))
        self.wait_until(lambda: not cluster.left_of_jobs(), lambda: f"left: {cluster.left_of_jobs()}")

    def test_job_that_fails_says_what_to_run_again(self):
        cluster = self.slurm(1)
        job = self.submit(cluster, "one-node.sbatch", (), [KANBAN[0], "-D", "M=1", "--ctl", "EF deadlock"])
        self.assertEqual(self.end(cluster, job), ("FAILED", 2))
        self.assertIn(f"to run it again: sbatch -N 1 -n 2 {ROOT}/slurm/one-node.sbatch '{KANBAN[0]}' '-D' 'M=1' '--ctl' 'EF deadlock'\n", self.said(job))

    def test_cancelled_job_tells_what_it_reached(self):
        cluster = self.slurm(1)
        job = self.submit(cluster, "one-node.sbatch", (), LONG)
        self.wait_until_exploring(cluster, job)
        cluster.command(["scancel", job])
        self.assertEqual(self.end(cluster, job)[0], "CANCELLED")
        self.wait_until(lambda: "unknown" in self.said(job), lambda: self.said(job), 20)
        self.assertIn("stopped by SIGTERM", self.said(job))
        self.wait_until(lambda: not cluster.left_of_jobs(), lambda: f"left: {cluster.left_of_jobs()}")


if __name__ == "__main__":
    reason = reason_not_to()
    if reason:
        # As GoogleTest says it: scripts/count-tests looks for that.
        print(f"slurm_test.py: Skipped\n{reason}")
        sys.exit(SKIPPED)
    unittest.main()
