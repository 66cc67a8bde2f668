"""`--estimate` against what is known: numbers of states, and the bytes that full runs take.

Nets: those of the contest above 10^5 states, and models of ours. Every second one, in alphabetical order, is
kept aside: constants are tuned on the others (`tune`), and the bars are about all.
"""

import json
import subprocess
import sys
import time

from bench_parts.common import MIB, describe_machine
from bench_parts.locality import print_head, print_row
from campaign_parts.launch import BINARY, ROOT, SHARED

LEAST_STATES = 100_000
MOST_SECONDS = 2.0
MOST_OFF = 0.25        # of the bytes
LEAST_BYTES = 4 * MIB  # fewer are not worth an estimate: arrays grow by whole pages of 2 MiB
LEAST_HITS = 0.8       # of the nets: the truth is in the range
STORES = ("packed", "delta", "comback")
MODELS = {  # model, N: states
    ("kanban", 5): 2_546_432, ("kanban", 8): 133_865_325, ("kanban", 12): 5_519_907_575, ("kanban", 20): 805_422_366_595,
    ("philosophers", 10): 1_860_498, ("philosophers", 13): 141_422_324, ("database", 12): 2_125_765,
    ("peterson", 5): 10_042_596,
}


def nets():
    """name: arguments, states"""
    found = {f"{model} {n}": ([ROOT / f"models/{model}.spn", "-D", f"N={n}"], states) for (model, n), states in MODELS.items()}
    for folder in (SHARED / "mcc", SHARED / "mcc-large"):
        for expected in sorted(folder.glob("*-PT-*/expected.json")):
            states = json.loads(expected.read_text())["states"]
            if states > LEAST_STATES:
                found[expected.parent.name] = ([expected.parent / "model.pnml"], states)
    return dict(sorted(found.items()))


def run(arguments, options, codes=(0,)):
    command = [BINARY, *arguments, "--no-checks", "--quiet", "--json", "-", *options]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"bench: {' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout), time.monotonic() - begin


def bytes_of(report):
    return report["store"]["bytes"] + report["payload"]["bytes"]


def off(foretold, taken):
    """As a share of what is taken."""
    return (foretold - taken) / taken


def check_bytes(arguments, states, most_states):
    """For each store how far the estimate for the true number of states is off; none where a run would take too long."""
    if states > most_states:
        return {}
    foretold, _ = run(arguments, [f"--estimate={states}"])
    stores = foretold["estimate"]["store_bytes"]
    found = {}
    for store in STORES:
        report, _ = run(arguments, ["--store", store])
        if bytes_of(report) >= LEAST_BYTES:
            found[store] = off(stores[store]["likely"], bytes_of(report))
    return found


def estimate(most_states, only):
    print(describe_machine(1, "one"))
    print_head("net", "", "states", "low", "likely", "high", "in range", "found", "took, s",
               *(f"{store}, bytes off" for store in STORES))
    hits, late, wrong, judged = 0, 0, 0, 0
    chosen = {name: net for name, net in nets().items() if only.search(name)}
    for number, (name, (arguments, states)) in enumerate(chosen.items()):
        report, took = run(arguments, ["--estimate"])
        found = report["estimate"]["states"]
        is_hit = found["low"] <= states <= found["high"]
        byte_errors = check_bytes(arguments, states, most_states)
        hits += is_hit
        late += took > MOST_SECONDS
        wrong += sum(abs(error) > MOST_OFF for error in byte_errors.values())
        judged += len(byte_errors)
        print_row(name, "kept aside" if number % 2 else "tuned on", f"{states:,}", f"{found['low']:,}", f"{found['likely']:,}",
                  f"{found['high']:,}", "yes" if is_hit else "NO", report["estimate"]["how"], f"{took:.2f}",
                  *(f"{100 * byte_errors[store]:+.0f} %" if store in byte_errors else "-" for store in STORES))
        sys.stdout.flush()
    print(f"\nin range: {hits} of {len(chosen)} (bar: {100 * LEAST_HITS:.0f} %); later than {MOST_SECONDS} s: {late}; "
          f"bytes off by more than {100 * MOST_OFF:.0f} %: {wrong} of {judged}")
    return 1 if hits < LEAST_HITS * len(chosen) or late or wrong else 0
