"""How long reading coloured nets takes, unfolding included, and how much memory: the contest's, and ours of growing size."""

import pathlib
import re
import subprocess
import sys
import tempfile

from bench_parts.common import ROOT, SHARED, describe_machine

SIZES = {"database": (100, 224, 316, 707), "philosophers": (1_000, 10_000, 50_000, 250_000)}
MOST_SECONDS = 2  # for a net of the contest
MOST_GROWTH = 4   # of the time for an arc, from the second size to the last


def read(path, rounds):
    """The line of the fastest run, and its seconds and microseconds an arc."""
    best = None
    for _ in range(rounds):
        line = subprocess.run([ROOT / "build/mpi_tests/unfold", path], check=True, capture_output=True, text=True).stdout.strip()
        found = re.search(r" ([\d.]+) s, ([\d.]+) us an arc", line)
        if not found:
            sys.exit(line)
        run = float(found[1]), float(found[2]), line
        best = min(best or run, run)
    return best


def unfold(rounds):
    """Prints a line a net; fails where a bar is missed."""
    missed = 0
    print(describe_machine(rounds))
    for folder in sorted((SHARED / "mcc").glob("*-COL-*")):
        seconds, _, line = read(folder / "model.pnml", rounds)
        missed += seconds > MOST_SECONDS
        print(line)
    with tempfile.TemporaryDirectory() as folder:
        for kind, sizes in SIZES.items():
            times = []
            for size in sizes:
                path = pathlib.Path(folder, f"{kind}{size}.pnml")
                with path.open("w") as file:
                    subprocess.run([ROOT / "mpi_tests/bench/make-coloured", kind, str(size)], check=True, stdout=file)
                _, per_arc, line = read(path, rounds)
                times.append(per_arc)
                print(line)
            growth = times[-1] / times[1]
            missed += growth > MOST_GROWTH
            print(f"{kind}: {growth:.1f} times the time for an arc from {sizes[1]} to {sizes[-1]} (bar {MOST_GROWTH})")
    return 1 if missed else 0
