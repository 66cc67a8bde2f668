"""Tables 1 to 6 and Figures 6 to 10 of paper five (Bell and Haverkort 2005): counts, times, iterations, and speed-up on up to 52 ranks.

Times of one rank are real; runs on several ranks are in virtual time, and every figure from them is marked. Results are kept below
build/reproduce/parsecs-runs: started again, only what is missing is run. After BUDGET no simulated run is begun: its cells stay empty until
the next time.
"""

import csv
import io
import math
import sys
import time

from bench_parts.common import ROOT
from reproduce_parts import chart, tables
from reproduce_parts.parsecs_paper import (EATING, FIXED_ITERATIONS, KANBAN, KANBAN_COUNTS, KANBAN_TESTS, PHILOSOPHER_TESTS,
                                           PHILOSOPHERS)
from scaling_parts.figures import imbalance_of, seconds_of
from scaling_parts.runs import Experiment, Point, Run

NETWORK = "ethernet"
RANKS = (1, 2, 4, 8, 12, 26, 52)
SHORT, ROUNDS, LIMIT = 5.0, 3, 900  # seconds; runs below SHORT are repeated
BUDGET = 36 * 60  # seconds
OFF = ("--lanes", "off")
PROPOSITIONS = [f"pm[{cell}] > 1" for cell in range(1, 5)]
CURVES = {"kanban": ((5, 6, 7), ("S-EU", "O-EU")), "philosophers": ((10, 11), ("O-EU", "AU", "AG"))}
COUNTS = {"kanban": KANBAN_COUNTS, "philosophers": {n: row[:2] for n, row in PHILOSOPHERS.items()}}
# So far without lanes, as the paper's program works; above, with lanes. B-EX and F-EX take all of Sat in every iteration.
MOST_WITHOUT_LANES = {"kanban": 7, "philosophers": 11}
MOST_OF_EX = {"B-EX": {"kanban": 5, "philosophers": 10}, "F-EX": {"kanban": 4}}
MOST_OF_QUICK = {"kanban": 3, "philosophers": 8}


class Runs:
    """Every run is asked for where its figure is written down, and made where it is not kept yet."""

    def __init__(self, is_quick):
        self._folder = ROOT / "build/reproduce/parsecs-runs"
        self._is_quick = is_quick
        self.lines = []
        self._started = time.monotonic()
        self._oldest = None

    def describe(self):
        """The machine, and the program: the same in all runs that are kept, so its commit is that of the oldest."""
        machine = self._oldest["machine"]
        return (f"{machine['cpu']}, {machine['cores']} cores, commit {self._oldest['commit']} (program {self._oldest['program_sha256'][:12]}), "
                f"best of {ROUNDS}")

    def wanted(self, model, values):
        return [n for n in values if not self._is_quick or n <= MOST_OF_QUICK[model]]

    def ranks(self):
        return RANKS[:3] if self._is_quick else RANKS

    def report(self, model, n, options, ranks=1, network=None):
        """The report of the fastest round. Counts must be those that are known."""
        experiment = Experiment(self._folder, [*options], LIMIT)
        point = Point(ROOT / f"models/{model}.spn", (f"N={n}",))
        reports = []
        for number in range(ROUNDS):
            run = Run(point, ranks, number, network)
            if experiment.result(run) is None:
                experiment.perform(run)
                print(f"{run.name()}: {' '.join(options)}: {seconds_of(experiment.result(run)['report'])['total']:.2f} s", file=sys.stderr, flush=True)
            result = experiment.result(run)
            self._oldest = min(self._oldest or result, result, key=lambda one: one["started"])
            reports.append(result["report"])
            if network or seconds_of(reports[-1])["total"] > SHORT:
                break
        best = min(reports, key=lambda report: seconds_of(report)["total"])
        found = (best["states"], best["arcs"])
        if found != COUNTS[model][n]:
            sys.exit(f"reproduce: {point.name()}: {found[0]} states, {found[1]} arcs instead of {COUNTS[model][n]}")
        self._note(model, n, options, ranks, network, best)
        return best

    def _note(self, model, n, options, ranks, network, report):
        test, times = report["test"] or {}, seconds_of(report)
        line = [model, n, " ".join(options), ranks, network or "", report["states"], report["arcs"], f"{times['explore']:.4f}",
                f"{times['check']:.4f}", test.get("iterations") or "", test.get("sat_states") or "",
                f"{report['traffic']['cross_arcs'] / report['arcs']:.4f}", f"{imbalance_of(report):.4f}", max(report["memory"]["peak_rss_bytes_per_rank"])]
        if line not in self.lines:
            self.lines.append(line)

    def simulated(self, model, n, name, ranks):
        """The report of a test in virtual time; None where there is no time for it."""
        lanes = OFF if n <= MOST_WITHOUT_LANES[model] else ()
        options = ("--test", name, *lanes)
        run = Run(Point(ROOT / f"models/{model}.spn", (f"N={n}",)), ranks, 0, NETWORK)
        is_kept = Experiment(self._folder, [*options], LIMIT).result(run) is not None
        if not is_kept and time.monotonic() - self._started > BUDGET:
            return None
        return self.report(model, n, options, ranks, NETWORK)

    def test(self, model, n, name):
        most = MOST_OF_EX.get(name, MOST_WITHOUT_LANES)
        lanes = OFF if n <= most[model] else ()
        report = self.report(model, n, ("--test", name, *lanes))
        printed = {"kanban": KANBAN_TESTS, "philosophers": PHILOSOPHER_TESTS}[model].get(n, {}).get(name)
        if name in FIXED_ITERATIONS and printed and report["test"]["iterations"] != printed[1]:
            sys.exit(f"reproduce: {model} {n}, {name}: {report['test']['iterations']} iterations instead of {printed[1]}")
        return report, not lanes


def seconds(value):
    return "" if value is None else f"{value:.1f}" if value >= 10 else f"{value:.3f}"


def counts_table(runs):
    """Tables 1 and 2."""
    head = ["net", "states: paper", "ours", "arcs: paper", "ours", "generate, s: paper", "ours", "ours, with lanes", "memory: paper", "ours", "with lanes"]
    rows = []
    for model, printed in (("kanban", KANBAN), ("philosophers", PHILOSOPHERS)):
        for n in runs.wanted(model, printed):
            row = printed[n]
            lanes = runs.report(model, n, ("--no-checks",))
            off = runs.report(model, n, ("--no-checks", *OFF)) if n <= MOST_WITHOUT_LANES[model] else None
            cells = [(seconds(seconds_of(report)["explore"]), f"{max(report['memory']['peak_rss_bytes_per_rank']) / 1e6:.0f} MB") if report else ("", "")
                     for report in (off, lanes)]
            rows.append([f"{model} {n}", tables.grouped(row[0]), tables.grouped(lanes["states"]), tables.grouped(row[1]), tables.grouped(lanes["arcs"]),
                         seconds(row[2]), cells[0][0], cells[1][0], (row[4] if model == "kanban" else None) or "", cells[0][1], cells[1][1]])
    return tables.markdown(head, rows)


def propositions_table(runs):
    """The two columns of Table 1 about propositions."""
    head = ["kanban N", "four propositions, s: paper", "ours", "conjunction, s: paper", "ours"]
    rows = []
    for n in runs.wanted("kanban", [n for n, row in KANBAN.items() if row[5] is not None]):
        four = [word for text in PROPOSITIONS for word in ("--ctl", text)]
        cells = [seconds_of(runs.report("kanban", n, (*words, "--sat-counts", *OFF)))["check"]
                 for words in (four, ("--ctl", " && ".join(PROPOSITIONS[:2])))]
        rows.append([n, f"{KANBAN[n][5]:.1f}", seconds(cells[0]), f"{KANBAN[n][6]:.1f}", seconds(cells[1])])
    return tables.markdown(head, rows)


def tests_table(runs, model, printed, names):
    """Tables 4 and 5. The paper's times include reading the state space; ours are those of the test alone."""
    head = ["N", *(f"{name}, {what}: {who}" for name in names for what in ("s", "iterations") for who in ("paper", "ours"))]
    rows = []
    for n in runs.wanted(model, printed):
        row = [n]
        for name in names:
            report, has_lanes = runs.test(model, n, name)
            iterations = report["test"]["iterations"]
            row += [seconds(printed[n][name][0]), seconds(report["test"]["seconds"]) + ("*" if has_lanes else ""), printed[n][name][1],
                    "" if iterations is None else iterations]
        rows.append(row)
    return tables.markdown(head, rows)


def eating_table(runs):
    """Table 6."""
    head = ["N", "eating: paper", "ours", "Sat(AU): paper", "ours", "AU, s: paper", "ours", "iterations: paper", "ours", "AG, s: paper", "ours"]
    rows = []
    for n in runs.wanted("philosophers", EATING):
        eating, sat, au_seconds, iterations, ag_seconds = EATING[n]
        au, ag = (runs.test("philosophers", n, name)[0]["test"] for name in ("AU", "AG"))
        if (au["eating_states"], au["sat_states"]) != (eating, sat):
            sys.exit(f"reproduce: philosophers {n}: {au['eating_states']} eat, {au['sat_states']} satisfy AU instead of {eating}, {sat}")
        rows.append([n, tables.grouped(eating), tables.grouped(au["eating_states"]), tables.grouped(sat), tables.grouped(au["sat_states"]),
                     seconds(au_seconds), seconds(au["seconds"]), iterations, au["iterations"], seconds(ag_seconds), seconds(ag["seconds"])])
    return tables.markdown(head, rows)


def curve(runs, model, n, name):
    """{ranks: (speed-up of the test, of exploring, cross arcs, imbalance)}, simulated, as far as there is time."""
    found, first = {}, runs.simulated(model, n, name, 1)
    for ranks in runs.ranks():
        report = first and runs.simulated(model, n, name, ranks)
        if report is None:
            continue
        found[ranks] = (first["test"]["seconds"] / report["test"]["seconds"], seconds_of(first)["explore"] / seconds_of(report)["explore"],
                        report["traffic"]["cross_arcs"] / report["arcs"], imbalance_of(report))
    return found


def curves(runs):
    """{(model, N, test): curve}; where the run is quick, of the largest nets that it has."""
    return {(model, n, name): curve(runs, model, n, name)
            for model, (sizes, names) in CURVES.items() for n in runs.wanted(model, sizes) or [MOST_OF_QUICK[model]] for name in names}


def curves_table(runs, found):
    head = ["simulated: speed-up of the test / of exploring", *(f"{ranks} ranks" for ranks in runs.ranks())]
    rows = [[f"{model} {n}, {name}", *(f"{points[ranks][0]:.2f} / {points[ranks][1]:.2f}" if ranks in points else "" for ranks in runs.ranks())]
            for (model, n, name), points in found.items()]
    return tables.markdown(head, rows)


def text_table(runs, found):
    """What the paper's text says of its figures."""
    def point(key, ranks, what=0):
        return found[key][ranks][what] if key in found and ranks in found[key] else None

    def percent(values):
        known = [100 * value for value in values if value is not None]
        return f"{min(known):.0f} to {max(known):.0f} %" if known else ""

    def efficiencies(ranks, keys):
        return percent(None if value is None else value / ranks for value in (point(key, ranks) for key in keys))

    au_ag = [("philosophers", n, name) for n in (10, 11) for name in ("AU", "AG")]
    most = max(runs.ranks())
    rows = [
        ["Fig. 6: kanban 5, speed-up of S-EU and O-EU on 12 to 14 processors", "about 10",
         " and ".join(f"{point(('kanban', 5, name), 12):.1f}" for name in ("S-EU", "O-EU") if point(("kanban", 5, name), 12))],
        ["Figs. 6 to 10: efficiency of all tests, 26 processors", "60 to 95 %", efficiencies(26, found)],
        ["Fig. 10: efficiency of AU and AG, 26 processors", "60 to 93 %", efficiencies(26, au_ag)],
        ["Fig. 10: efficiency of AU and AG, 52 processors", "52 to 75 %", efficiencies(52, au_ag)],
        ["Fig. 10: efficiency of AG, 11 philosophers, 52 processors", "about 75 %", efficiencies(52, [("philosophers", 11, "AG")])],
        [f"arcs between partitions, {most} ranks", "below 30 %", percent(points[most][2] for points in found.values() if most in points)],
        [f"(largest - smallest) / mean of the partitions, {most} ranks", "below 5 %", percent(points[most][3] for points in found.values() if most in points)],
    ]
    return tables.markdown(["", "paper", "ours, simulated"], rows + ([] if most < 52 else list(large_rows(runs))))


def large_rows(runs):
    """Kanban 8 and 9, with lanes, as the paper ran them on 52 processors, and its 11 philosophers."""
    eight, nine = (runs.simulated("kanban", n, "O-EU", 52) for n in (8, 9))
    alone = runs.test("kanban", 8, "O-EU")[0]
    ag = runs.simulated("philosophers", 11, "AG", 52)

    def of_test(report, remark=""):
        return seconds(report["test"]["seconds"]) + remark if report else ""

    yield ["kanban 8: generation on one fast workstation, s", "5160", f"{seconds(seconds_of(alone)['explore'])} (real, with lanes)"]
    yield ["kanban 8: O-EU on one fast workstation, s", "4080", f"{seconds(alone['test']['seconds'])} (real, with lanes)"]
    yield ["kanban 8: O-EU on 52 processors, s", "231", of_test(eight, " (with lanes)")]
    yield ["kanban 8: O-EU, one fast workstation against 52", "17.6", f"{alone['test']['seconds'] / eight['test']['seconds']:.1f} (with lanes)" if eight else ""]
    yield ["kanban 9: O-EU on 52 processors, s", "954", of_test(nine, " (with lanes)")]
    yield ["kanban 9: generation on 52 processors, s", "909", f"{seconds(seconds_of(nine)['explore'])} (with lanes)" if nine else ""]
    yield ["philosophers 11: AG on 52 processors, s", "416.7", of_test(ag)]


def picture(runs, found):
    """Speed-up and efficiency, as in Figures 6 to 10."""
    ticks = [(math.log2(ranks), str(ranks)) for ranks in runs.ranks()]
    panels = []
    for model in CURVES:
        mine = [(key, points) for key, points in found.items() if key[0] == model and len(points) > 1]
        above, below = chart.Panel(f"{model}: speed-up (simulated)", []), chart.Panel(f"{model}: efficiency, % (simulated)", [])
        for number, ((_, n, name), points) in enumerate(mine):
            look = (f"{model} {n}, {name}", chart.colour_of(number), True)
            above.lines.append(chart.Line(*look, [(math.log2(ranks), point[0], True) for ranks, point in points.items()]))
            below.lines.append(chart.Line(*look, [(math.log2(ranks), 100 * point[0] / ranks, True) for ranks, point in points.items()]))
        if mine:
            above.lines.append(chart.Line("as many times as ranks", "#999999", False, [(math.log2(ranks), ranks, False) for ranks in runs.ranks()]))
            panels += [above, below]
    return chart.draw(panels, ticks, "ranks", [f"the tests alone, without exploring; ranks in virtual time, network: {NETWORK}"]) if panels else ""


def comma_separated(lines):
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["model", "N", "options", "ranks", "simulated", "states", "arcs", "explore_s", "check_s", "iterations", "sat_states", "cross_arcs",
                    "imbalance", "peak_rss_bytes"])
    table.writerows(lines)
    return text.getvalue()


def reproduce(is_quick):
    """Markdown, CSV and SVG."""
    runs = Runs(is_quick)
    parts = [counts_table(runs), propositions_table(runs), tests_table(runs, "kanban", KANBAN_TESTS, ("B-EX", "F-EX", "S-EU", "O-EU")),
             tests_table(runs, "philosophers", PHILOSOPHER_TESTS, ("B-EX", "O-EU")), eating_table(runs)]
    found = curves(runs)
    text = f"""# Model checking on a cluster: the tables and figures of paper five, and ours

    scripts/reproduce parsecs{' --quick' if is_quick else ''}

{runs.describe()}, or one where a run takes more than {SHORT:g} s. The paper's machines: Pentium III, 500 MHz, 512 MB; 26 of them with two processors each and fast
Ethernet. [What is run, and what differs](reproduce.md#paper-five).

{tables.QUICK_NOTE if is_quick else ""}## Tables 1 and 2: states, arcs, time and memory of generating them

One rank, real. Without lanes a state is fired by itself, as in the paper; with lanes many at once. Memory is the largest resident set.

{parts[0]}
{parts[1]}
## Table 3: which algorithms the tests cover

| algorithm of the paper | test | here |
| --- | --- | --- |
| 1, 2: successors, predecessors | all | firing, and firing backwards |
| 3: EX forwards | F-EX | `--test F-EX`, on several ranks too |
| 4, 7, 8: EX backwards | B-EX | `--test B-EX` |
| 5, 9: EU, simple and optimised | S-EU, O-EU | `--test S-EU`, `--test O-EU` |
| 6, 10, 11: AU | AU, AG | `--test AU`, `--test AG`; with `--au query` by questions, as printed |

## Table 4: the tests on kanban, one processor

The paper's times include reading the state space, ours are the test alone. *: with lanes. Iterations of F-EX, O-EU and AU [depend on the order of a table](testing.md#the-six-tests); with
lanes O-EU has none.

{parts[2]}
## Table 5: the tests on the philosophers, one processor

{parts[3]}
## Table 6: AU and AG on the philosophers, one processor

{parts[4]}
## Figures 6 to 10: speed-up and efficiency on up to 52 processors

**Simulated**: ranks in virtual time ([what that leaves out](scaling.md#ranks-in-virtual-time)), network `{NETWORK}`, without lanes, owners as chosen by default. The paper prints its curves without numbers;
what its text says of them is below. A cell without a figure: there was no time for it.

![speed-up and efficiency, simulated](parsecs.svg)

{curves_table(runs, found)}
{text_table(runs, found)}"""
    return text, comma_separated(runs.lines), picture(runs, found)
