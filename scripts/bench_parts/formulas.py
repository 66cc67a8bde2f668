"""Deciding the contest's formulas against exploring: time and memory, with the graph of rows and without it.

Per net of ../shared/mcc above 10 000 states and of ../shared/mcc-large: the exploration, then each of its five files of
formulas with `--graph off` and as dcheck does by itself. Verdicts must be those that the contest knows, and the same both
ways.
"""

import json

from bench_parts.common import describe_machine
from bench_parts.formula_runs import Runs, contest_nets, formula_ids, mean

FILES = ("CTLCardinality", "CTLFireability", "ReachabilityCardinality", "ReachabilityFireability", "UpperBounds")
LEAST_SECONDS = 0.1  # of exploring, for the bars
MOST_MEAN, MOST_RATIO, MOST_SLOWER = 3, 10, 1.1
NO_MATTER = 0.05  # seconds that are no difference
WAYS = {"off": ["--graph", "off"], "auto": []}


def wrong_answers(net, file, of_ways):
    """Properties that are not as the contest knows them, or not alike both ways; unknown ones do not count."""
    known = json.loads((net / "expected.json").read_text()).get(file, {})
    rows = zip(formula_ids(net / f"{file}.xml"), *(run["answers"].split() for run in of_ways.values()))
    for id, *answers in rows:
        words = {word for word in answers if word != "?"}
        if known.get(id) is not None:
            words.add(str(known[id]))
        if len(words) > 1:
            yield f"{net.name}: {id} is {' and '.join(sorted(words))}"


def cell(run):
    return f"{'> ' if run['late'] else ''}{run['check']:.2f}"


def check_net(net, runs, limit, judged):
    """Prints the row of a net; adds to what is judged."""
    explored = runs.run(net.name, [net / "model.pnml", "--no-checks"], limit)
    cells, peaks = [], dict.fromkeys(WAYS, 0.0)
    for file in FILES:
        if not (net / f"{file}.xml").exists():
            cells += ["", ""]
            continue
        of_ways = {way: runs.run(f"{net.name} {file} {way}",
                                 [net / "model.pnml", "--formulas", net / f"{file}.xml", *words], limit)
                   for way, words in WAYS.items()}
        judged["wrong"] += wrong_answers(net, file, of_ways)
        cells += [cell(run) for run in of_ways.values()]
        peaks = {way: max(peaks[way], run["mib"]) for way, run in of_ways.items()}
        if explored["explore"] < LEAST_SECONDS:
            continue
        off, auto = (run["check"] for run in of_ways.values())
        judged["slower"][net.name, file] = (auto, off)
        if file.startswith("CTL"):
            judged["ratios"][net.name, file] = auto / explored["explore"]
    print(f"| {net.name} | {explored['states']:,} | {explored['explore']:.2f} | " + " | ".join(cells) +
          " | " + " | ".join(f"{peak:.0f}" for peak in peaks.values()) + " |", flush=True)


def missed_bars(judged):
    yield from judged["wrong"]
    for (name, file), (auto, off) in judged["slower"].items():
        if auto > MOST_SLOWER * off and auto - off > NO_MATTER:
            yield f"{name}: {file} takes {auto:.2f} s, and {off:.2f} s without the graph"
    for (name, file), ratio in judged["ratios"].items():
        if ratio > MOST_RATIO:
            yield f"{name}: checking {file} takes {ratio:.1f} times exploring"
    if judged["ratios"] and mean(judged["ratios"].values()) > MOST_MEAN:
        yield f"checking takes {mean(judged['ratios'].values()):.2f} times exploring in the mean"


def formulas(limit, pattern, file):
    print(f"{describe_machine(1)}; seconds to check, limit {limit} s a run; memory: MiB at the peak\n")
    print("| net | states | explore | " + " | ".join(f"{name} off | auto" for name in FILES) + " | memory off | auto |")
    print("|---|" + "---:|" * (2 * len(FILES) + 4))
    runs = Runs(file)
    judged = {"wrong": [], "slower": {}, "ratios": {}}
    for net in contest_nets(pattern):
        check_net(net, runs, limit, judged)
    ratios = judged["ratios"].values()
    if ratios:
        print(f"\nCTL files against exploring, {len(ratios)} of nets that take {LEAST_SECONDS} s or more: geometric mean "
              f"{mean(ratios):.2f} (bar {MOST_MEAN}), largest {max(ratios):.1f} (bar {MOST_RATIO})")
    missed = list(missed_bars(judged))
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0
