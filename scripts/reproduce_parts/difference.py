"""Tables 1 and 2 of paper three (Mukherjee, Tari and Bertok 2010): bytes and time of the first 500 states against the distance of explicit states.

Beside them what 500 states are too few for: the same nets with more states, and whole state spaces with wide keys.
"""

import sys

from bench_parts.common import describe_machine
from campaign_parts.launch import as_text, command, run
from reproduce_parts import chart, tables
from reproduce_parts.runs import COMMON, Measured, Net, Plan, Result

KS = (1, 2, 3, 7, 20)
WHOLE_KS = (1, 2, 5, 20, 50)
# Places, tokens; bytes of 500 states and milliseconds without the algorithm and for each k, as the paper has them.
PRINTED = {
    (4, 5): ((9_980, 9_980, 5_996, 4_668, 3_148, 2_396), (0, 20, 90, 160, 430, 1_490)),
    (60, 90): ((179_640, 179_640, 90_996, 61_448, 27_628, 10_896), (20, 40, 80, 100, 210, 570)),
    (200, 400): ((798_400, 798_400, 400_996, 268_528, 116_908, 41_896), (80, 130, 170, 200, 320, 680)),
    (400, 700): ((1_397_200, 1_397_200, 700_996, 468_928, 203_308, 71_896), (140, 220, 260, 290, 410, 770)),
    (800, 1000): ((1_996_000, 1_996_000, 1_000_996, 669_328, 289_708, 101_896), (200, 310, 350, 380, 500, 850)),
    (1500, 2000): ((3_992_000, 3_992_000, 2_000_996, 1_337_328, 577_708, 201_896), (400, 620, 660, 680, 820, 1_200)),
}
FEW, MANY = 500, 20_000
WHOLE = [
    Net("database 10", "database", ("N=10", "STEP=1"), 196_832, 1_181_001),
    Net("simple_protocol 7, 4", "simple_protocol", ("N=7", "C=4", "STEP=1"), 215_196, 1_133_846),
    Net("peterson_flags 4", "peterson_flags", ("N=4",), 3_407_946, 13_631_784),
    Net("database 12", "database", ("N=12",), 2_125_765, 15_588_960),
]
QUICK_WHOLE = [
    Net("database 7", "database", ("N=7", "STEP=1"), 5_105, 20_427),
    Net("peterson_flags 3", "peterson_flags", ("N=3",), 20_754, 62_262),
]
PLAN = Plan(rounds=3, limit=240, budget=10 * 60)
QUICK_PLAN = Plan(rounds=1, limit=60, budget=40)
LIMIT_SECONDS = 240


PACKED = ("packed",)
DELTA = ("delta", "k=20")


def difference(k):
    return ("difference", f"k={k}")


def stores(ks):
    """{variant: options}"""
    return {PACKED: ("--store", "packed"), **{difference(k): ("--store", "difference", "--delta-k", str(k)) for k in ks}}


class FirstStates:
    """Runs that stop when they have so many states: depth-first, as in the paper, the best of some rounds."""

    def __init__(self, rounds):
        self._rounds = rounds
        self._results = {}

    def result(self, size, states, variant):
        return self._results[size, states, variant]

    def measure(self, size, states):
        net = Net(f"named_tokens {size[0]}, {size[1]}", "named_tokens", (f"N={size[0]}", f"M={size[1]}"), states, None)
        for _ in range(self._rounds):
            for variant, options in stores(KS).items():
                arguments = [*net.arguments(), *options, "--order", "depth-first", "--max-states", str(states), *COMMON]
                outcome = run(1, arguments, LIMIT_SECONDS)
                report = outcome.report()
                # A net with fewer states than that ends by itself.
                if outcome.code not in (0, 3) or report is None or not min(states, size[0] ** size[1]) <= report["states"] <= 2 * states:
                    sys.exit(f"reproduce: {as_text(command(1, arguments))}: exit {outcome.code}\n{outcome.err}")
                self._results.setdefault((size, states, variant), Result()).add(report)


def saved(value, base):
    return f"{100 * (1 - value / base):.0f} %"


def longer(value, base):
    return "" if base == 0 else f"{100 * (value / base - 1):.0f} %"


def per_state(result):
    """Bytes: without the index and the cache, which the paper does not count, where a store tells them apart; and all."""
    report = result.report
    parts = sum(report["store"].get(f"{part}_bytes", 0) for part in ("link", "key"))
    return report["store"]["bytes"] / report["rows"], parts / report["rows"]


def space_table(first, states):
    head = ["places, tokens", "key, bits", "", "packed", *(f"k = {k}" for k in KS)]
    rows = []
    for size, (printed, _) in PRINTED.items():
        rows.append([f"{size[0]}, {size[1]}", "", "paper: bytes", printed[0], *printed[1:]])
        rows.append(["", "", "paper: saved", "", *(saved(value, printed[0]) for value in printed[1:])])
        base = first.result(size, states, PACKED)
        results = [first.result(size, states, difference(k)) for k in KS]
        rows.append(["", base.store("key_bits"), "ours: bytes a state", f"{per_state(base)[0]:.1f}", *(f"{per_state(result)[0]:.1f}" for result in results)])
        rows.append(["", "", "ours: saved", "", *(saved(per_state(result)[0], per_state(base)[0]) for result in results)])
        keys = base.store("key_bits") / 8
        rows.append(["", "", "of keys and links: bytes a state", f"{keys:.1f}", *(f"{per_state(result)[1]:.1f}" for result in results)])
        rows.append(["", "", "saved", "", *(saved(per_state(result)[1], keys) for result in results)])
    return tables.markdown(head, rows)


def time_table(first, states):
    head = ["places, tokens", "", "packed", *(f"k = {k}" for k in KS)]
    rows = []
    for size, (_, printed) in PRINTED.items():
        rows.append([f"{size[0]}, {size[1]}", "paper: ms", printed[0], *printed[1:]])
        rows.append(["", "paper: longer", "", *(longer(value, printed[0]) for value in printed[1:])])
        base = first.result(size, states, PACKED).best()
        mine = [first.result(size, states, difference(k)).best() for k in KS]
        rows.append(["", "ours: ms", f"{1000 * base:.1f}", *(f"{1000 * value:.1f}" for value in mine)])
        rows.append(["", "ours: longer", "", *(longer(value, base) for value in mine)])
    return tables.markdown(head, rows)


def whole_table(nets, measured):
    head = ["bytes a row / time, % of packed", "states", "key, bits", "packed: s", "bytes", *(f"k = {k}" for k in WHOLE_KS), "`delta`, k = 20"]
    rows = []
    for net in nets:
        base = measured.result(net, PACKED)
        cells = [measured.result(net, variant) for variant in (*map(difference, WHOLE_KS), DELTA)]
        rows.append([net.name, tables.grouped(net.states), base.store("key_bits"), tables.seconds(base, 2), tables.bytes_per_row(base),
                     *(f"{tables.bytes_per_row(result)} / {tables.time_percent(result, base)}" for result in cells)])
    return tables.markdown(head, rows)


def picture(first, states):
    places = [(number, str(k)) for number, k in enumerate(KS)]
    space = chart.Panel("keys and links, bytes a state relative to keys alone", [])
    time = chart.Panel("time, relative to packed", [])
    for number, size in enumerate(PRINTED):
        base = first.result(size, states, PACKED)
        results = [first.result(size, states, difference(k)) for k in KS]
        look = (f"{size[0]} places, {size[1]} tokens", chart.colour_of(number), False)
        space.lines.append(chart.Line(*look, [(x, per_state(result)[1] / (base.store("key_bits") / 8), False) for x, result in enumerate(results)]))
        time.lines.append(chart.Line(*look, [(x, tables.time_ratio(result, base), False) for x, result in enumerate(results)]))
    return chart.draw([space, time], places, "k", ["depth-first"])


def reproduce(is_quick):
    """Markdown, CSV and SVG."""
    nets, plan = (QUICK_WHOLE, QUICK_PLAN) if is_quick else (WHOLE, PLAN)
    many = FEW if is_quick else MANY
    first = FirstStates(plan.rounds)
    for size in PRINTED:
        for states in {FEW, many}:
            first.measure(size, states)
    work = {net: {**stores(WHOLE_KS), DELTA: ("--store", "delta", "--delta-k", "20")} for net in nets}
    measured = Measured(plan)
    measured.measure(work)
    text = f"""# Differences: Tables 1 and 2 of paper three, and ours

    scripts/reproduce difference{' --quick' if is_quick else ''}

{describe_machine(plan.rounds)}. [What is run, and what differs](reproduce.md).

## Bytes of the first {FEW} states

The paper counts what it stores of states: 4 bytes for each token of an explicit one. Ours are all bytes of the store, and below them those of keys and links alone, without the index
that finds them and the cache; these are compared with the bits of a key.

{space_table(first, FEW)}
## Bytes of the first {tables.grouped(many)} states

On 500 states whole pages of memory are most of what a store takes. (4 places and 5 tokens have 1 024 states.)

{space_table(first, many)}
## Time of the first {FEW} states

{time_table(first, FEW)}
## Time of the first {tables.grouped(many)} states

{time_table(first, many)}
![keys and links, and time, against k](difference.svg)

## Whole state spaces

By default young rows first; all bytes of the store.

{whole_table(nets, measured)}"""
    return text, tables.comma_separated(work, measured), picture(first, many)
