"""dcheck's time for an arc against that of a random memory access on the same machine."""

import subprocess

from bench_parts.common import MIB, ROOT, SHARED, describe_machine, measure

# name, arguments, floors per arc at most, bytes a state at most, peak RSS at most
RUNS = [
    ("kanban 7, lanes off", [ROOT / "models/kanban.spn", "-D", "N=7", "--lanes", "off"], 1.5, 8, None),
    (
        "kanban 9, leaf = last cell",
        [ROOT / "models/kanban.spn", "-D", "N=9", "--lanes", "pm[4],pback[4],pout[4],pkan[4]"],
        0.05, 0.4, 300 * MIB,
    ),
    ("LeafsetExtension, lanes auto", [SHARED / "mcc/LeafsetExtension-PT-S08C2/model.pnml"], 4, None, None),
]


def measure_floor():
    return float(subprocess.run([ROOT / "build/mpi_tests/limit", "1"], check=True, capture_output=True).stdout)


def ns_per_arc(report):
    return report["seconds"]["explore"] * 1e9 / report["arcs"]


def verdict(value, bar):
    return "" if bar is None else f"(bar {bar:g}) " + ("ok" if value <= bar else "MISSED")


def floors(rounds):
    floor = float("inf")
    best = {}
    for _ in range(rounds):
        floor = min(floor, measure_floor())
        for name, arguments, *_ in RUNS:
            report = measure(arguments)
            if name not in best or ns_per_arc(report) < ns_per_arc(best[name]):
                best[name] = report

    print(describe_machine(rounds))
    print(f"floor: {floor:.2f} ns")
    is_missed = False
    for name, _, floor_bar, state_bar, rss_bar in RUNS:
        report = best[name]
        ns = ns_per_arc(report)
        rss = max(report["memory"]["peak_rss_bytes_per_rank"])
        tables = report["store"]["bytes"] + report["payload"]["bytes"]
        if report["lanes"] == 1:  # without lanes the bar is on all tables
            tables += report["worklist"]["bytes"] + report["plan"]["bytes"]
        per_state = tables / report["states"]
        notes = [verdict(ns / floor, floor_bar), verdict(per_state, state_bar), verdict(rss / MIB, rss_bar and rss_bar / MIB)]
        is_missed = is_missed or any("MISSED" in note for note in notes)
        print(f"{name}: {report['states']:,} states, {report['arcs']:,} arcs, {report['seconds']['explore']:.3f} s")
        print(f"  {ns:.3f} ns per arc = {ns / floor:.4f} floors {notes[0]}")
        print(f"  {per_state:.3f} bytes a state {notes[1]}; peak RSS {rss / MIB:.0f} MiB {notes[2]}".rstrip())
    return 1 if is_missed else 0
