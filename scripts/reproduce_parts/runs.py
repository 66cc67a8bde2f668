"""What is run: nets with counts known from elsewhere, in several variants that take turns, as often as the time allows."""

import dataclasses
import math
import sys
import time

from bench_parts.common import ROOT
from campaign_parts.launch import as_text, command, run

LOSSY = ("compaction", "bitstate")
COMMON = ["--lanes", "off", "--no-checks", "--quiet", "--json", "-"]


@dataclasses.dataclass(frozen=True)
class Net:
    name: str
    model: str
    parameters: tuple
    states: int
    arcs: int

    def arguments(self):
        return [ROOT / "models" / f"{self.model}.spn", *(word for text in self.parameters for word in ("-D", text))]

    def title(self):
        return f"{self.model}.spn, {', '.join(self.parameters)}"


class Result:
    """The best run of one variant, and the times of all of them."""

    def __init__(self):
        self.report = None
        self.seconds = []
        self.limit = None  # where a run did not end in so many seconds

    def add(self, report):
        seconds = report["seconds"]["explore"]
        if all(seconds < other for other in self.seconds):
            self.report = report
        self.seconds.append(seconds)

    def best(self):
        return min(self.seconds, default=math.inf)

    def store(self, field):
        """A figure of the store; None where it has none of that name, or no run ended."""
        return None if self.report is None else self.report["store"].get(field)

    def waiting_bytes_per_row(self):
        return None if self.report is None else self.report["worklist"]["bytes"] / self.report["rows"]


def run_once(net, options, limit):
    """The report; None where it did not come in time. Counts must be those that are known; stores that keep hashes alone may have less."""
    arguments = [*net.arguments(), *options, *COMMON]
    outcome = run(1, arguments, limit)
    if outcome.is_late:
        return None
    text = as_text(command(1, arguments))
    report = outcome.report()
    is_lossy = any(word in options for word in LOSSY)
    if outcome.code != (3 if is_lossy else 0) or report is None:
        sys.exit(f"reproduce: {text}: exit {outcome.code}\n{outcome.err}")
    found = (report["states"], report["arcs"])
    if is_lossy and found[0] <= net.states and found[1] <= net.arcs and "keeps hashes" in report["stop_reason"]:
        return report
    if is_lossy or found != (net.states, net.arcs) or report["rows"] != net.states:
        sys.exit(f"reproduce: {text}: {found[0]} states, {found[1]} arcs instead of {net.states}, {net.arcs}")
    return report


@dataclasses.dataclass(frozen=True)
class Plan:
    """How much is run: rounds at most, seconds for a run at most, and after `budget` seconds in all no run is begun and, as far
    as can be told, none ends."""

    rounds: int
    limit: float
    budget: float


class Measured:
    """Results by net and variant. Variants of a net take turns, so that what slows the machine down slows all of them."""

    def __init__(self, plan):
        self._plan = plan
        self._started = time.monotonic()
        self._results = {}

    def result(self, net, variant):
        return self._results.setdefault((net.name, variant), Result())

    def elapsed(self):
        return time.monotonic() - self._started

    def measure(self, work):
        """work: {net: {variant: options}}. One round of everything, then more of what there is time for."""
        cost = {}
        for number in range(self._plan.rounds):
            for net, variants in work.items():
                if number > 0 and self.elapsed() + cost[net] > self._plan.budget:
                    continue
                before = self.elapsed()
                for variant, options in variants.items():
                    self._run(net, variant, options)
                cost[net] = self.elapsed() - before
                print(f"{self.elapsed():7.0f} s: {net.name}, round {number + 1}: {cost[net]:.1f} s", file=sys.stderr, flush=True)

    def _run(self, net, variant, options):
        result = self.result(net, variant)
        if result.limit is not None or self.elapsed() > self._plan.budget:
            return
        report = run_once(net, options, self._plan.limit)
        if report is None:
            result.limit = self._plan.limit
        else:
            result.add(report)
