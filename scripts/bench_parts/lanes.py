"""`--lanes auto` against `--lanes off` on nets of other people and on ours."""

import math
import pathlib
import random
import tempfile
import xml.etree.ElementTree as ET

from bench_parts.common import MIB, ROOT, SHARED, describe_machine, measure

LARGE = 10_000  # states: from here on lanes must pay
NOISE = 0.0005  # seconds: two runs of the same work differ by as much
# states a row that some nets are known to allow
AT_LEAST = {
    "Philosophers-PT-000010": 30, "philosophers 10": 30, "ERK-PT-000010": 30, "CircularTrains-PT-024": 30,
    "SwimmingPool-PT-01": 15, "SwimmingPool-PT-02": 15,
}
OURS = [
    ("kanban.spn", 4), ("kanban.spn", 7), ("philosophers.spn", 8), ("philosophers.spn", 10), ("fms.spn", 4),
    ("database.spn", 10), ("mutex.spn", 14), ("leader.spn", 10), ("peterson.spn", 3), ("eratosthenes.spn", 40),
    ("stop_and_wait.spn", 7),
]


def nets():
    for folder in sorted((SHARED / "mcc").glob("*-PT-*")):
        yield folder.name, [folder / "model.pnml"]
    for model, n in OURS:
        yield f"{model[:-4]} {n}", [ROOT / "models" / model, "-D", f"N={n}"]


def total_bytes(report):
    return sum(report[part]["bytes"] for part in ("store", "payload", "worklist", "plan"))


def faster(a, b):
    return b if a is None or b["seconds"]["explore"] < a["seconds"]["explore"] else a


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def states_per_row(report):
    return report["states"] / report["rows"]


def arcs_per_operation(report):
    return report["arcs"] / max(1, report["row_operations"])


def compare(arguments, rounds):
    """The best run each, and the peak memory of both; the runs take turns."""
    auto = off = None
    for _ in range(rounds):
        off = faster(off, measure([*arguments, "--lanes", "off"]))
        auto = faster(auto, measure(arguments))
    return auto, off


def lanes(rounds):
    print(describe_machine(rounds))
    print(f"{'net':38}{'states':>13}{'lanes':>6}{'st/row':>8}{'arc/op':>8}{'visits':>7}{'plan ms':>8}"
          f"{'auto ms':>9}{'off ms':>9}{'off/auto':>9}{'total':>9}{'off':>9}{'MiB':>7}{'off':>7}")
    slow, fat, late, large, few = [], [], [], [], []
    for name, arguments in nets():
        auto, off = compare(arguments, rounds)
        times = [run["seconds"]["explore"] for run in (auto, off)]
        totals = [run["seconds"]["total"] for run in (auto, off)]
        peaks = [max(run["memory"]["peak_rss_bytes_per_rank"]) for run in (auto, off)]
        plan = auto["seconds"]["plan"]
        print(f"{name:38}{auto['states']:13,}{auto['lanes']:6}{states_per_row(auto):8.1f}{arcs_per_operation(auto):8.1f}"
              f"{auto['row_visits'] / auto['rows']:7.2f}{plan * 1e3:8.1f}{times[0] * 1e3:9.1f}{times[1] * 1e3:9.1f}"
              f"{times[1] / times[0]:9.2f}{totals[0] * 1e3:9.1f}{totals[1] * 1e3:9.1f}{peaks[0] / MIB:7.1f}{peaks[1] / MIB:7.1f}",
              flush=True)
        slow += [name] if times[0] > 1.2 * times[1] + NOISE else []
        fat += [name] if peaks[0] > 1.1 * peaks[1] else []
        late += [name] if plan > max(0.05, 0.1 * totals[0]) else []
        few += [name] if states_per_row(auto) < AT_LEAST.get(name, 0) else []
        large += [(auto, times[1] / times[0], totals[1] / totals[0])] if auto["states"] > LARGE else []
    return judge(slow, fat, late, large, few)


def judge(slow, fat, late, large, few):
    means = [
        ("states per row", geometric_mean([states_per_row(auto) for auto, *_ in large]), 12),
        ("arcs per row operation", geometric_mean([arcs_per_operation(auto) for auto, *_ in large]), 6),
        ("exploration time off / auto", geometric_mean([ratio for _, ratio, _ in large]), 4),
        ("total time off / auto", geometric_mean([ratio for *_, ratio in large]), 0),
    ]
    print(f"\ngeometric means over {len(large)} nets above {LARGE:,} states")
    for what, mean, bar in means:
        print(f"  {what}: {mean:.1f} (bar {bar}) {'ok' if mean >= bar else 'MISSED'}")
    print(f"fewer states a row than they should have: {', '.join(few) or 'none'}")
    print(f"auto above 1.2 times the exploration time of off and 0.5 ms: {', '.join(slow) or 'none'}")
    print(f"auto above 1.1 times the peak memory of off: {', '.join(fat) or 'none'}")
    print(f"planning above 50 ms and 10 % of the run: {', '.join(late) or 'none'}")
    return 1 if slow or fat or late or few or any(mean < bar for _, mean, bar in means) else 0


def shuffle_pnml(source, target, dice):
    """The same net: every place and transition with another id, everything in another order."""
    ET.register_namespace("", "http://www.pnml.org/version-2009/grammar/pnml")
    tree = ET.parse(source)
    local = lambda element: element.tag.rsplit("}", 1)[-1]
    nodes = [e for e in tree.iter() if local(e) in ("place", "transition")]
    numbers = list(range(len(nodes)))
    dice.shuffle(numbers)
    ids = {node.get("id"): f"n{number}" for node, number in zip(nodes, numbers)}
    for node in nodes:
        node.set("id", ids[node.get("id")])
    for arc in (e for e in tree.iter() if local(e) == "arc"):
        arc.set("source", ids[arc.get("source")])
        arc.set("target", ids[arc.get("target")])
    for page in (e for e in tree.iter() if local(e) == "page"):
        children = list(page)
        dice.shuffle(children)
        page[:] = children
    for listed in (e for e in tree.iter() if local(e) == "places" and e.text):  # units name their places
        listed.text = " ".join(ids[name] for name in listed.text.split())
    tree.write(target, encoding="utf-8", xml_declaration=True)


def shuffled(rounds):
    print(describe_machine(1))
    dice = random.Random(1)
    apart = []
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy.pnml"
        for name, arguments in nets():
            if arguments[0].suffix != ".pnml":
                continue
            report = measure(arguments)
            if report["states"] <= LARGE:
                continue
            found = [states_per_row(report)]
            for _ in range(max(2, rounds)):
                shuffle_pnml(arguments[0], copy, dice)
                found.append(states_per_row(measure([copy])))
            spread = max(found) / min(found)
            apart += [name] if spread > 1.1 else []
            print(f"{name:38}" + " ".join(f"{value:8.1f}" for value in found) + ("   APART" if spread > 1.1 else ""), flush=True)
    print(f"states a row more than 10 % apart: {', '.join(apart) or 'none'}")
    return 1 if apart else 0
