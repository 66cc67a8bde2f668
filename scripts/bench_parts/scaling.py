"""Two ranks against one: time to explore, planning included, and to check, on all large nets.

Per net and choice of lanes, in turn, the best of some rounds each: one rank, two ranks, two ranks with `--allocation
hash`; and, for what the machine can give, two runs of one rank each at the same time. On cores that share more than their
memory two such runs are slower than one alone: `machine` is the speed-up that two ranks would have if ranks cost nothing,
2 * alone / together. Then CTLFireability on one and two ranks, where the net has it.

Times are the program's own, without what mpirun takes to start.
"""

import json
import math
import sys

from bench_parts.common import ROOT, SHARED, describe_machine
from campaign_parts.launch import Job, as_text, command

LEAST_STATES = 1_000_000
OURS = {"kanban 6": ["kanban.spn", "-D", "N=6"], "philosophers 10": ["philosophers.spn", "-D", "N=10"]}
LONG, SHORT = 1.0, 0.2  # seconds on one rank: bars are about nets that take so long, or less
LEAST_MEAN, LEAST, LEAST_OF_HASH, LEAST_OF_CHECK, MOST_MORE = 1.7, 1.4, 0.95, 1.5, 0.1
PATIENCE = 3600


def nets(pattern):
    for name, (file, *parameters) in OURS.items():
        if pattern.search(name):
            yield name, [ROOT / "models" / file, *parameters], None
    for folder in ("mcc", "mcc-large"):
        for net in sorted((SHARED / folder).glob("*-PT-*")):
            states = json.loads((net / "expected.json").read_text()).get("states") or 0
            if states >= LEAST_STATES and pattern.search(net.name):
                yield net.name, [net / "model.pnml"], net / "CTLFireability.xml"


def reports(ranks, arguments, jobs=1):
    words = command(ranks, [*arguments, "--json", "-", "--quiet"])
    started = [Job(words, PATIENCE) for _ in range(jobs)]
    outcomes = [job.finish() for job in started]
    for outcome in outcomes:
        if outcome.code not in (0, 1, 3) or outcome.report() is None:
            sys.exit(f"bench: {as_text(words)}: exit {outcome.code}\n{outcome.err}")
    return [outcome.report() for outcome in outcomes]


def explore_seconds(all_reports):
    return max(report["seconds"]["plan"] + report["seconds"]["explore"] for report in all_reports)


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def explore(arguments, rounds, limit):
    """Seconds of each way; None where one rank alone takes longer than the limit, or does not come to its end."""
    ways = {"one": (1, [], 1), "two": (2, [], 1), "hash": (2, ["--allocation", "hash"], 1), "pair": (1, [], 2)}
    best = dict.fromkeys(ways, math.inf)
    first = reports(1, [*arguments, "--no-checks", "--max-time", limit])[0]
    if not first["complete"]:
        return None
    for _ in range(rounds):
        for way, (ranks, words, jobs) in ways.items():
            best[way] = min(best[way], explore_seconds(reports(ranks, [*arguments, *words, "--no-checks"], jobs)))
    return best


def check(arguments, formulas, limit):
    """Speed-up of checking; None where a run does not come to its end in time."""
    words = [*arguments, "--formulas", formulas, "--max-time", limit]
    one, two = (reports(ranks, words)[0] for ranks in (1, 2))
    if any(p.get("verdict") is None for report in (one, two) for p in report["properties"]):
        return None
    return one["seconds"]["check"] / max(1e-3, two["seconds"]["check"]) if one["seconds"]["check"] >= 0.5 else None


def scaling(rounds, limit, pattern):
    print(f"{describe_machine(rounds)}; seconds with planning; nets that take one rank longer than {limit} s are left out\n")
    print("| net | lanes | one rank | two | speed-up | by hash | machine | checking |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    long, checks, missed = [], [], []
    for name, arguments, formulas in nets(pattern):
        for lanes in ("auto", "off"):
            words = [*arguments, "--lanes", lanes]
            best = explore(words, rounds, limit)
            if best is None:
                print(f"| {name} | {lanes} | > {limit} | | | | | |", flush=True)
                continue
            one, two, by_hash = best["one"], best["two"], best["hash"]
            checked = check(words, formulas, 4 * limit) if formulas and lanes == "auto" else None
            print(f"| {name} | {lanes} | {one:.2f} | {two:.2f} | {one / two:.2f} | {one / by_hash:.2f} | "
                  f"{2 * one / best['pair']:.2f} | {'' if checked is None else f'{checked:.2f}'} |", flush=True)
            if checked is not None:
                checks.append(checked)
            if one >= LONG:
                long.append(one / two)
                if one / two < LEAST:
                    missed.append(f"{name}, lanes {lanes}: speed-up {one / two:.2f} (bar {LEAST})")
                if by_hash / two < LEAST_OF_HASH:
                    missed.append(f"{name}, lanes {lanes}: {by_hash / two:.2f} of hash (bar {LEAST_OF_HASH})")
            if one <= SHORT and two > one + MOST_MORE:
                missed.append(f"{name}, lanes {lanes}: two ranks take {two - one:.2f} s more (bar {MOST_MORE})")
    print(f"\nspeed-up of {len(long)} that take one rank {LONG} s or more: geometric mean {mean(long):.2f} "
          f"(bar {LEAST_MEAN}), least {min(long, default=float('nan')):.2f} (bar {LEAST}); of checking, "
          f"{len(checks)} that take 0.5 s or more: {mean(checks):.2f} (bar {LEAST_OF_CHECK})")
    if long and mean(long) < LEAST_MEAN:
        missed.append(f"mean speed-up {mean(long):.2f}")
    if checks and mean(checks) < LEAST_OF_CHECK:
        missed.append(f"mean speed-up of checking {mean(checks):.2f}")
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0
