"""`--allocation local` against `hash`: arcs between ranks, how even partitions are, and what is sent.

Counts, not times, are judged, so the machine need not be idle. They may differ a little from run to run (what is sent in a
batch depends on when it is sent): of several runs the worst figure counts, and of times the best. All runs
must find the states and arcs that are known from elsewhere.
"""

import dataclasses
import json
import sys

from bench_parts.common import ROOT, SHARED, describe_machine
from campaign_parts.launch import as_text, command, run

RANKS = (2, 8, 52)
LIMIT_SECONDS = 3600
# most cross arcs, most (largest - smallest) / mean, in percent
BARS = {2: (30, 5), 8: (30, 5), 52: (45, 10)}
MOST_VISITS = 2


@dataclasses.dataclass
class Net:
    name: str
    arguments: list
    counts: tuple  # states and arcs, known from elsewhere
    has_bars: bool = True


def our_net(model, n, counts):
    return Net(f"{model} {n}", [ROOT / "models" / f"{model}.spn", "-D", f"N={n}"], counts)


def contest_net(name, has_bars=True):
    folder = SHARED / "mcc" / name
    expected = json.loads((folder / "expected.json").read_text())
    return Net(name, [folder / "model.pnml"], (expected["states"], expected["transitions"]), has_bars)


def allocation_nets():
    return [our_net("kanban", 7, (41_644_800, 450_455_040)), our_net("philosophers", 11, (7_881_196, 81_036_637)), contest_net("FMS-PT-00005"),
            contest_net("HouseConstruction-PT-00005"), contest_net("SwimmingPool-PT-02"), contest_net("RefineWMG-PT-002003"),
            contest_net("LeafsetExtension-PT-S08C2", has_bars=False)]


def lanes_nets():
    return [our_net("kanban", 8, (133_865_325, 1_507_898_700)), our_net("philosophers", 11, (7_881_196, 81_036_637)), contest_net("FMS-PT-00005")]


@dataclasses.dataclass
class Figures:
    """Of a run, or the worst of several."""

    cross: float      # percent of the arcs
    imbalance: float  # percent of the mean
    visits: float     # a row
    bytes: float      # a state
    states_per_row: float
    plan: float
    explore: float

    @staticmethod
    def of(report):
        shares = report["balance"]["states_per_rank"]
        states = report["states"]
        return Figures(100 * report["traffic"]["cross_arcs"] / report["arcs"],
                       100 * (max(shares) - min(shares)) * len(shares) / states,
                       report["row_visits"] / report["rows"], report["traffic"]["bytes"] / states, states / report["rows"],
                       report["seconds"]["plan"], report["seconds"]["explore"])

    def worse(self, other):
        return Figures(*(max(getattr(self, name), getattr(other, name)) for name in ("cross", "imbalance", "visits", "bytes")),
                       *(min(getattr(self, name), getattr(other, name)) for name in ("states_per_row", "plan", "explore")))


class Measured:
    """Figures by net, ranks, lanes and allocation; each is measured once, however many tables show it."""

    def __init__(self, rounds):
        self._rounds = rounds
        self._figures = {}

    def figures(self, net, ranks, lanes, allocation):
        key = (net.name, ranks, lanes, allocation)
        if key not in self._figures:
            runs = [self._run(net, ranks, lanes, allocation) for _ in range(self._rounds)]
            worst = runs[0]
            for figures in runs[1:]:
                worst = worst.worse(figures)
            self._figures[key] = worst
        return self._figures[key]

    def _run(self, net, ranks, lanes, allocation):
        arguments = [*net.arguments, "--lanes", lanes, "--allocation", allocation, "--no-checks", "--json", "-", "--quiet"]
        text = as_text(command(ranks, arguments))
        outcome = run(ranks, arguments, LIMIT_SECONDS)
        report = outcome.report()
        if outcome.code != 0 or report is None or not report["complete"]:
            sys.exit(f"bench: {text}: exit {outcome.code}\n{outcome.err}")
        found = (report["states"], report["arcs"])
        if sum(report["balance"]["states_per_rank"]) != found[0]:
            sys.exit(f"bench: {text}: the states of the ranks do not add up")
        if found != net.counts:
            sys.exit(f"bench: {text}: {found[0]} states, {found[1]} arcs instead of {net.counts[0]}, {net.counts[1]}")
        return Figures.of(report)


def _verdict(is_met):
    return "met" if is_met else "MISSED"


def print_row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def print_head(*cells):
    print()
    print_row(*cells)
    print("|" + "---|" * len(cells))


def allocation_table(measured, lanes, nets):
    """Local with hash beside it. Bars are on `--lanes off`; returns how many were missed."""
    is_judged = lanes == "off"
    print_head(f"`--lanes {lanes}`", "states", "ranks", "cross arcs, %", "by hash", "imbalance, %", "by hash", "visits a row", "by hash",
                "bytes a state", "by hash", "plan + explore, s", "by hash", *(["bars"] if is_judged else []))
    missed = 0
    for net in nets:
        for ranks in RANKS:
            local, hashed = (measured.figures(net, ranks, lanes, allocation) for allocation in ("local", "hash"))
            cells = [net.name, f"{net.counts[0]:,}", ranks]
            for form, names in (("{:.1f}", ["cross"]), ("{:.1f}", ["imbalance"]), ("{:.2f}", ["visits"]), ("{:.3g}", ["bytes"]),
                                ("{:.2f}", ["plan", "explore"])):
                cells += [" + ".join(form.format(getattr(figures, name)) for name in names) for figures in (local, hashed)]
            if is_judged:
                most_cross, most_imbalance = BARS[ranks]
                is_met = local.cross < most_cross and local.imbalance < most_imbalance
                missed += net.has_bars and not is_met
                cells.append(_verdict(is_met) if net.has_bars else "none")
            print_row(*cells)
    return missed


def lanes_table(measured, nets):
    """`--allocation local`, with and without lanes: what lanes save on the way."""
    print_head("`--allocation local`", "ranks", "states a row", "visits a row", "bytes a state", "`--lanes off`", "ratio", "at least", "visits", "bytes")
    missed = 0
    for net in nets:
        for ranks in RANKS:
            auto, off = (measured.figures(net, ranks, lanes, "local") for lanes in ("auto", "off"))
            ratio = off.bytes / auto.bytes if auto.bytes > 0 else float("inf")
            least = auto.states_per_row / 4
            verdicts = [auto.visits <= MOST_VISITS, ratio >= least]
            missed += verdicts.count(False)
            print_row(net.name, ranks, f"{auto.states_per_row:.1f}", f"{auto.visits:.2f}", f"{auto.bytes:.3g}", f"{off.bytes:.3g}",
                       f"{ratio:.1f}", f"{least:.1f}", *map(_verdict, verdicts))
    return missed


def locality(rounds, only):
    print(describe_machine(rounds, "worst"))
    chosen = lambda nets: [net for net in nets if only.search(net.name)]
    measured = Measured(rounds)
    missed = sum(allocation_table(measured, lanes, chosen(allocation_nets())) for lanes in ("auto", "off"))
    missed += lanes_table(measured, chosen(lanes_nets()))
    print(f"\nbars missed: {missed}")
    return 1 if missed else 0
