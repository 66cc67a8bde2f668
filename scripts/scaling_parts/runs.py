"""The runs of an experiment: which there are, how one is started, and where its result is kept.

A run's result is a file of its own, written in one go when the run has ended, so that an experiment that is interrupted, or spread over
several jobs, goes on where it was. The file's name is a digest of all that the result depends on: the program, the model, the options,
ranks, and the round.
"""

import dataclasses
import hashlib
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

from campaign_parts.launch import BINARY, MPI_ENVIRONMENT
from scaling_parts.provenance import commit, digest_of, machine

NETWORKS = ("shm", "infiniband", "ethernet")


@dataclasses.dataclass(frozen=True)
class Point:
    """A problem: a model with its parameters."""

    model: pathlib.Path
    parameters: tuple  # of "NAME=VALUE"

    def name(self):
        return " ".join([self.model.stem, *self.parameters])

    def arguments(self):
        return [str(self.model), *(word for text in self.parameters for word in ("-D", text))]


@dataclasses.dataclass(frozen=True)
class Run:
    point: Point
    ranks: int
    number: int  # of the round
    network: str | None  # None: real ranks; else ranks in virtual time

    def name(self):
        where = f", simulated, {self.network}" if self.network else f", round {self.number + 1}"
        return f"{self.point.name()}: {self.ranks} rank{'s' if self.ranks > 1 else ''}{where}"


def points_of(models, definitions):
    """Every model with every choice of values; definitions: {NAME: [VALUE, ...]}."""
    choices = [[f"{name}={value}" for value in values] for name, values in definitions.items()]
    return [Point(model, chosen) for model in models for chosen in itertools.product(*choices)]


def in_allocation():
    return "SLURM_JOB_ID" in os.environ and shutil.which("srun") is not None


def launcher(ranks):
    """What starts so many ranks; one rank is started as it is, and does not touch MPI. In a job of SLURM by srun, on as few nodes as
    will do; otherwise by mpirun."""
    if in_allocation() and os.environ.get("DCHECK_LAUNCHER") != "mpirun":
        nodes, tasks = (int(os.environ.get(f"SLURM_{name}", "1")) for name in ("JOB_NUM_NODES", "NTASKS"))
        on_each = -(-tasks // nodes)
        mpi = os.environ.get("DCHECK_SRUN", "--mpi=pmix").split()
        return ["srun", *mpi, "--kill-on-bad-exit=1", "-N", str(-(-ranks // on_each)), "-n", str(ranks)]
    return ["mpirun", "--quiet", "-n", str(ranks)] if ranks > 1 else []


class Experiment:
    """Runs with the same options; results below one folder."""

    def __init__(self, folder, options, limit):
        self._folder = folder
        self._options = options
        self._limit = limit
        self._program = digest_of(BINARY)

    def file_of(self, run):
        key = [self._program, digest_of(run.point.model), run.point.parameters, self._options, run.ranks, run.number, run.network]
        return self._folder / f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:24]}.json"

    def result(self, run):
        """What was kept of it; None where it has not been run."""
        try:
            return json.loads(self.file_of(run).read_text())
        except FileNotFoundError:
            return None

    def perform(self, run):
        """Runs it and keeps the result. A run that does not end with an answer ends the program: nothing is kept of it."""
        words = [str(BINARY), *run.point.arguments(), *self._options, "--quiet", "--json", "-"]
        if run.network:
            words += ["--simulate", f"{run.ranks}:{run.network}"]
        else:
            words = launcher(run.ranks) + words
        started, clock = time.time(), time.monotonic()
        try:
            outcome = subprocess.run(words, env={**MPI_ENVIRONMENT, **os.environ}, stdin=subprocess.DEVNULL, capture_output=True,
                                     text=True, timeout=self._limit)
        except subprocess.TimeoutExpired:
            sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {run.name()}: not ended after {self._limit:g} s (--limit)\n{' '.join(words)}")
        seconds = time.monotonic() - clock
        try:
            report = json.loads(outcome.stdout)
        except ValueError:
            report = None
        if outcome.returncode not in (0, 1) or report is None or not report["complete"]:
            sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {run.name()}: exit {outcome.returncode}\n{' '.join(words)}\n{outcome.stderr.strip()}")
        self._keep(run, {"command": words, "ranks": run.ranks, "round": run.number, "network": run.network, "model": str(run.point.model),
                         "parameters": run.point.parameters, "options": self._options, "started": int(started), "wall_seconds": seconds,
                         "program_sha256": self._program, "commit": commit(), "machine": machine(), "report": report})

    def _keep(self, run, result):
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self.file_of(run)
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_text(json.dumps(result))
        temporary.rename(path)
