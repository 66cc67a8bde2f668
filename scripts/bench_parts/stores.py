"""The stores with chains against `packed`: bytes a row, memory, time; and rows without a parent on several ranks.

Nets with wide keys, `--lanes off`: models with parameters that give more than 10^6 rows and keys of 16 bytes or more (none of
the contest's nets has both). Bytes are the store's own count. That it counts everything is judged by the process:
what its memory grew by, beyond that of a run that stops at once, against what store and payload say.
"""

import dataclasses
import sys

from bench_parts.common import ROOT, describe_machine
from bench_parts.locality import print_head, print_row
from campaign_parts.launch import as_text, command, run

LEAST_ROWS = 1_000_000
LEAST_KEY_BITS = 121  # 16 bytes
LIMIT_SECONDS = 3600
NETS = {  # name: model, parameters, and the rows it has
    "database 12": ("database.spn", {"N": 12}, 2_125_765),
    "eratosthenes 90": ("eratosthenes.spn", {"N": 90}, 1_766_530),
    "peterson 5": ("peterson.spn", {"N": 5}, 10_042_596),
    "peterson_flags 4": ("peterson_flags.spn", {"N": 4}, 3_407_946),
    "sieve 40": ("sieve.spn", {"N": 40}, 2_028_970),
    "simple_protocol 11 4": ("simple_protocol.spn", {"N": 11, "C": 4}, 1_477_425),
}
PARTS = ("index", "link", "key", "cache")
MOST_GROWTH = 1.15        # of memory, times store and payload
MOST_WITHOUT_PARENT = 10  # percent of the rows
RANKS = (2, 8)


@dataclasses.dataclass(frozen=True)
class Way:
    """A store with its options, and the bars that it must meet."""

    name: str
    options: tuple           # `ROWS`: one of 100 rows
    has_size_bars: bool      # bytes a row, memory; on ranks rows without a parent
    most_time: float = None  # times packed
    most_bytes: float = 9    # a row

    def words(self, rows):
        return [str(rows // 100) if word == "ROWS" else word for word in self.options]


WAYS = (
    Way("packed", ("--store", "packed"), False),
    Way("delta, k = 20", ("--store", "delta", "--delta-k", "20"), True),
    Way("delta, k = 10", ("--store", "delta", "--delta-k", "10"), False, 2),
    Way("difference, k = 20", ("--store", "difference", "--delta-k", "20"), True, None, 12),
    Way("comback", ("--store", "comback"), True),
    Way("comback, cache of 1 %", ("--store", "comback", "--cache", "ROWS"), False, 3),
)


@dataclasses.dataclass
class Measured:
    """Of all rounds: the best time, and the most memory."""

    report: dict = None
    seconds: float = float("inf")
    peak: int = 0

    def add(self, report):
        self.report = report
        self.seconds = min(self.seconds, report["seconds"]["explore"])
        self.peak = max(self.peak, _peak(report))

    @property
    def store(self):
        return self.report["store"]

    def bytes_a_row(self, part=""):
        """None where the store does not tell."""
        count = self.store.get(f"{part}_bytes" if part else "bytes")
        return None if count is None else count / self.report["rows"]

    def growth(self, start):
        return (self.peak - start) / (self.store["bytes"] + self.report["payload"]["bytes"])


def _peak(report):
    return max(report["memory"]["peak_rss_bytes_per_rank"])


def _arguments(name):
    model, parameters, _ = NETS[name]
    definitions = [word for key, value in parameters.items() for word in ("-D", f"{key}={value}")]
    return [ROOT / "models" / model, *definitions, "--lanes", "off", "--no-checks", "--json", "-", "--quiet"]


def _run(name, ranks, options, is_full=True):
    arguments = [*_arguments(name), *options]
    outcome = run(ranks, arguments, LIMIT_SECONDS)
    report = outcome.report()
    if report is None or outcome.code != (0 if is_full else 3):
        sys.exit(f"bench: {as_text(command(ranks, arguments))}: exit {outcome.code}\n{outcome.err}")
    if is_full and report["rows"] != NETS[name][2]:
        sys.exit(f"bench: {as_text(command(ranks, arguments))}: {report['rows']} rows instead of {NETS[name][2]}")
    return report


def _check_width(name, packed):
    bits = packed.store["key_bits"]
    if packed.report["rows"] <= LEAST_ROWS or bits < LEAST_KEY_BITS:
        sys.exit(f"bench: {name} has {packed.report['rows']} rows and keys of {bits} bits: not what is to be measured")


def _verdict(is_met):
    return "met" if is_met else "MISSED"


def _number(value):
    return "-" if value is None else f"{value:.2f}"


def _judged(way, measured, growth, times):
    """What each bar is about, and whether it is met."""
    found = []
    if way.has_size_bars:
        found += [("bytes", measured.bytes_a_row() <= way.most_bytes), ("memory", growth <= MOST_GROWTH)]
    if way.most_time:
        found.append(("time", times <= way.most_time))
    return found


def _compare(name, rounds):
    """A row of the table for each way, all measured in turn; returns how many bars were missed."""
    rows = NETS[name][2]
    starts = [min(_peak(_run(name, 1, [*way.words(rows), "--max-states", "1"], False)) for _ in range(3)) for way in WAYS]
    measured = [Measured() for _ in WAYS]
    for _ in range(rounds):
        for way, own in zip(WAYS, measured):
            own.add(_run(name, 1, way.words(rows)))
    _check_width(name, measured[0])
    missed = 0
    for way, own, start in zip(WAYS, measured, starts):
        growth, times = own.growth(start), own.seconds / measured[0].seconds
        judged = _judged(way, own, growth, times)
        missed += sum(not is_met for _, is_met in judged)
        print_row(name, f"{rows:,}", way.name, _number(own.bytes_a_row()), *(_number(own.bytes_a_row(part)) for part in PARTS),
                  f"{growth:.2f}", f"{own.seconds:.2f}", f"{times:.2f}",
                  ", ".join(f"{what} {_verdict(is_met)}" for what, is_met in judged) or "none")
    return missed


def _compare_ranks(name):
    """A row of the table for each store with chains and number of ranks; returns how many bars were missed."""
    missed = 0
    for ranks in RANKS:
        for way in WAYS:
            if not way.has_size_bars:
                continue
            report = _run(name, ranks, [*way.words(NETS[name][2]), "--allocation", "local"])
            store = report["store"]
            shares = [100 * store[figure] / report["rows"] for figure in
                      ("explicit_without_parent", "parents_found", "explicit_by_k", "explicit_rows")]
            is_met = shares[0] < MOST_WITHOUT_PARENT
            missed += not is_met
            print_row(name, ranks, way.name, *map(_number, shares), _number(store["mean_chain"]), store["longest_chain"],
                      _number(store["bytes_per_row"]), f"{report['seconds']['explore']:.2f}", _verdict(is_met))
    return missed


def stores(rounds, only):
    names = [name for name in NETS if only.search(name)]
    print(describe_machine(rounds))
    print("\nBars: bytes a row " + ", ".join(f"{way.most_bytes} ({way.name})" for way in WAYS if way.has_size_bars) + f", memory {MOST_GROWTH} times store and payload, time "
          + ", ".join(f"{way.most_time} times packed ({way.name})" for way in WAYS if way.most_time))
    print_head("`--lanes off`, one rank", "rows", "store", "bytes a row", "index", "links", "keys", "cache",
               "memory / (store + payload)", "explore, s", "times packed", "bars")
    missed = sum(_compare(name, rounds) for name in names)
    print(f"\nBar: fewer than {MOST_WITHOUT_PARENT} % of the rows explicit for want of a parent on their rank")
    print_head("`--lanes off --allocation local`", "ranks", "store", "without parent, %", "found one, %", "explicit by k, %",
               "explicit, %", "mean chain", "longest", "bytes a row", "explore, s", "bar")
    missed += sum(_compare_ranks(name) for name in names)
    print(f"\nbars missed: {missed}")
    return 1 if missed else 0
