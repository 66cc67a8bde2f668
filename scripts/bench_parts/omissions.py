"""How often stores that keep hashes alone leave states out, against the probability that they state.

Each case is run with many seeds. A run left something out if it found fewer states than there are; the share of such runs is
compared with the mean of what the runs stated.
"""

import dataclasses
import math
import sys

from bench_parts.common import describe_machine
from bench_parts.locality import print_head, print_row
from campaign_parts.launch import ROOT, as_text, command, run

MOST_FACTOR = 3
LIMIT_SECONDS = 60
NETS = {  # name: model, parameters, and the states it has
    "simple_protocol 4 3": ("simple_protocol", ("N=4", "C=3"), 3_329),
    "kanban 2": ("kanban", ("N=2",), 4_600),
    "philosophers 6": ("philosophers", ("N=6",), 5_778),
    "peterson_flags 3": ("peterson_flags", ("N=3",), 20_754),
    "database 8": ("database", ("N=8",), 17_497),
}
TARGETS = (0.1, 0.4)  # about how probable it is to be that a state is left out
HASHES = (1, 3, 15)


@dataclasses.dataclass(frozen=True)
class Case:
    lanes: str
    options: tuple


def _cases(states):
    """So few bits that about every tenth run, and about two of five, leave a state out where states have one lane."""
    found = []
    for target in TARGETS:
        kept = -math.log(1 - target)
        bits = round(math.log2(states * states / 2 / kept))
        found.append(("--store", "compaction", "--hash-bits", str(bits)))
        for hashes in HASHES:
            # The sum over states of (hashes * i / size) ** hashes is to be `kept`.
            size = hashes * states * (states / (hashes + 1) / kept) ** (1 / hashes)
            found.append(("--store", "bitstate", "--hashes", str(hashes), "--table", str(max(1, round(size / 8)))))
    return [Case(lanes, options) for options in found for lanes in ("off", "auto")]


def _arguments(name, case, seed):
    model, parameters, _ = NETS[name]
    definitions = [word for text in parameters for word in ("-D", text)]
    return [ROOT / "models" / f"{model}.spn", *definitions, "--lanes", case.lanes, *case.options, "--seed", str(seed), "--no-checks", "--quiet", "--json", "-"]


def _look(name, case, runs):
    """Share of runs that left something out, and the mean probability stated."""
    left_out, stated = 0, 0.0
    for seed in range(1, runs + 1):
        arguments = _arguments(name, case, seed)
        outcome = run(1, arguments, LIMIT_SECONDS)
        report = outcome.report()
        if outcome.code != 3 or report is None or report["complete"] or report["states"] > NETS[name][2]:
            sys.exit(f"bench: {as_text(command(1, arguments))}: exit {outcome.code}\n{outcome.err}")
        left_out += report["states"] < NETS[name][2]
        stated += report["store"]["omission_probability"]
    return left_out / runs, stated / runs


def omissions(runs, only):
    print(describe_machine(runs, "all"))
    print(f"\nBar: stated and observed differ by a factor of {MOST_FACTOR} at most, or by what {runs} runs cannot tell")
    print_head("", "states", "lanes", "options", "runs that left states out, %", "stated, %", "bar")
    missed = 0
    for name in (name for name in NETS if only.search(name)):
        for case in _cases(NETS[name][2]):
            observed, stated = _look(name, case, runs)
            # Of so many runs this many may be a matter of chance.
            noise = 3 * math.sqrt(max(stated, 1 / runs) / runs)
            is_met = observed <= MOST_FACTOR * stated + noise and stated <= MOST_FACTOR * observed + noise
            missed += not is_met
            print_row(name, f"{NETS[name][2]:,}", case.lanes, f"`{' '.join(case.options)}`", f"{100 * observed:.1f}", f"{100 * stated:.1f}", "met" if is_met else "MISSED")
    print(f"\nbars missed: {missed}")
    return 1 if missed else 0
