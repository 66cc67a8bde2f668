"""Deciding the contest's formulas against exploring: time and memory, with the graph of rows and without it.

Per net of ../shared/mcc above 10 000 states and of ../shared/mcc-large: the exploration, then each of its five files of
formulas with `--graph off --local off`, as labels alone would decide them, and as dcheck does by itself. Verdicts must be
those that the contest knows, and the same both ways.
"""

import json
import math
import subprocess
import sys

from bench_parts.common import BINARY, MIB, SHARED, describe_machine

FILES = ("CTLCardinality", "CTLFireability", "ReachabilityCardinality", "ReachabilityFireability", "UpperBounds")
LEAST_STATES = 10_000
LEAST_SECONDS = 0.1  # of exploring, for the bars
MOST_MEAN, MOST_RATIO, MOST_SLOWER = 3, 10, 1.1
WAYS = {"off": ["--graph", "off", "--local", "off"], "auto": []}


def nets(pattern):
    for folder in ("mcc", "mcc-large"):
        for net in sorted((SHARED / folder).glob("*-PT-*")):
            states = json.loads((net / "expected.json").read_text()).get("states") or 0
            if states >= LEAST_STATES and pattern.search(net.name):
                yield net


def decide(net, words, limit):
    command = [BINARY, net / "model.pnml", *words, "--quiet", "--json", "-", "--max-time", str(limit)]
    run = subprocess.run(command, capture_output=True)
    if run.returncode not in (0, 1, 3):
        sys.exit(f"bench: {' '.join(map(str, command))}: exit {run.returncode}\n{run.stderr.decode()}")
    return json.loads(run.stdout)


def verdicts(report):
    return {p["id"]: p.get("bound") if p.get("bound") is not None else p["verdict"] for p in report["properties"]}


def differences(net, reports):
    """Properties whose verdict is another one by the other way; unknown ones do not count."""
    one, other = (verdicts(reports[way]) for way in WAYS)
    return [f"{net.name}: {id} is {one[id]} and {other[id]}" for id in one
            if None not in (one[id], other[id]) and one[id] != other[id]]


def shown(report, limit):
    late = "> " if report["seconds"]["total"] >= limit else ""
    return f"{late}{report['seconds']['check']:.2f}"


def formulas(limit, pattern):
    print(f"{describe_machine(1)}; seconds to check, limit {limit} s a run; memory: MiB at the peak\n")
    print("| net | states | explore | " + " | ".join(f"{file} off | auto" for file in FILES) + " | memory off | auto |")
    print("|---|" + "---:|" * (2 * len(FILES) + 4))
    ratios, missed = {}, []
    for net in nets(pattern):
        explored = decide(net, ["--no-checks"], limit)
        seconds = explored["seconds"]["explore"]
        cells, peaks = [], dict.fromkeys(WAYS, 0)
        for file in FILES:
            reports = {way: decide(net, ["--formulas", net / f"{file}.xml", *words], limit) for way, words in WAYS.items()}
            missed += differences(net, reports)
            for way, report in reports.items():
                cells.append(shown(report, limit))
                peaks[way] = max(peaks[way], *report["memory"]["peak_rss_bytes_per_rank"])
            off, auto = (reports[way]["seconds"]["check"] for way in WAYS)
            if seconds < LEAST_SECONDS:
                continue
            if auto > MOST_SLOWER * off and auto - off > 0.05:
                missed.append(f"{net.name}: {file} takes {auto:.2f} s, and {off:.2f} s by labels alone")
            if file.startswith("CTL"):
                ratios[net.name, file] = auto / seconds
        print(f"| {net.name} | {explored['states']:,} | {seconds:.2f} | " + " | ".join(cells) +
              " | " + " | ".join(f"{peak / MIB:.0f}" for peak in peaks.values()) + " |", flush=True)
    for (name, file), ratio in ratios.items():
        if ratio > MOST_RATIO:
            missed.append(f"{name}: checking {file} takes {ratio:.1f} times exploring")
    if ratios:
        mean = math.exp(sum(math.log(max(ratio, 1e-3)) for ratio in ratios.values()) / len(ratios))
        print(f"\nCTL files against exploring, {len(ratios)} of nets that take {LEAST_SECONDS} s or more: geometric mean "
              f"{mean:.2f} (bar {MOST_MEAN}), largest {max(ratios.values()):.1f} (bar {MOST_RATIO})")
        if mean > MOST_MEAN:
            missed.append(f"checking takes {mean:.2f} times exploring in the mean")
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0
