"""Table 1 of paper one (Evangelista and Pradat-Peyre 2005): time and space of delta-markings against k.

Time T and space S are relative to a search in the same order whose keys are all stored (`--store packed`).
"""

import dataclasses

from bench_parts.common import describe_machine
from reproduce_parts import chart, tables
from reproduce_parts.runs import Measured, Net, Plan

KS = (5, 10, 20, 50)
ORDERS = ("depth-first", "breadth-first")
OPTIONS = ("--no-predecessor-update", "--no-backward-firing", "--no-collapse")
OPTIONS_K = 20
OPTIONS_STATES = 12_000_000  # at most: there is no time for more


@dataclasses.dataclass(frozen=True)
class Printed:
    """What the paper has: model and parameter, states, and T and S in percent for each k."""

    name: str
    states: int
    percents: tuple


DBM = Printed("Dbm 12", 2_125_765, ((109, 24), (119, 16), (171, 5), (173, 4)))
ERATOS = Printed("Eratos 70", 3_177_699, ((123, 40), (148, 33), (198, 29), (340, 27)))
PETERSON = Printed("Peterson 4", 3_407_946, ((131, 64), (151, 60), (191, 58), (316, 57)))
MUTEX = Printed("Mutex 17", 5_701_632, ((130, 58), (148, 53), (176, 50), (249, 48)))
LEADER = Printed("Leader 16", 10_475_430, ((137, 46), (176, 39), (231, 37), (329, 32)))
DINING = Printed("Dining 13", 14_741_195, ((137, 54), (155, 48), (181, 45), (218, 44)))

NETS = {
    Net("database 12", "database", ("N=12",), 2_125_765, 15_588_960): DBM,
    Net("eratosthenes 70", "eratosthenes", ("N=70",), 182_554, 764_856): ERATOS,
    Net("sieve 42", "sieve", ("N=42",), 3_128_650, 15_700_875): ERATOS,
    Net("peterson_flags 4", "peterson_flags", ("N=4",), 3_407_946, 13_631_784): PETERSON,
    Net("mutex 19", "mutex", ("N=19",), 5_505_024, 59_768_832): MUTEX,
    Net("leader_silent 16", "leader_silent", ("N=16",), 10_475_430, 117_722_093): LEADER,
    Net("dining_chairs 13", "dining_chairs", ("N=13",), 14_741_195, 157_812_343): DINING,
}
QUICK_NETS = {
    Net("database 8", "database", ("N=8",), 17_497, 81_664): DBM,
    Net("eratosthenes 40", "eratosthenes", ("N=40",), 5_816, 17_525): ERATOS,
    Net("sieve 25", "sieve", ("N=25",), 48_561, 180_710): ERATOS,
    Net("peterson_flags 3", "peterson_flags", ("N=3",), 20_754, 62_262): PETERSON,
    Net("mutex 12", "mutex", ("N=12",), 28_672, 208_896): MUTEX,
    Net("leader_silent 10", "leader_silent", ("N=10",), 31_302, 218_407): LEADER,
    Net("dining_chairs 8", "dining_chairs", ("N=8",), 24_735, 160_400): DINING,
}
PLAN = Plan(rounds=3, limit=240, budget=19 * 60)
QUICK_PLAN = Plan(rounds=1, limit=60, budget=60)


def packed(order):
    return (order, "packed")


def delta(order, k, *options):
    return (order, "delta", f"k={k}", *options)


def variants(net):
    """{variant: options}"""
    chosen = {}
    for order in ORDERS:
        chosen[packed(order)] = ("--store", "packed", "--order", order)
        for k in KS:
            chosen[delta(order, k)] = ("--store", "delta", "--delta-k", str(k), "--order", order)
    for option in OPTIONS if net.states <= OPTIONS_STATES else ():
        chosen[delta(ORDERS[0], OPTIONS_K, option)] = (*chosen[delta(ORDERS[0], OPTIONS_K)], option)
    return chosen


def ratios_table(nets, measured):
    head = ["T / S, %", "states", "rounds", "packed: s", "bytes a row", *(f"k = {k}" for k in KS)]
    rows = []
    for net, printed in nets.items():
        rows.append([f"paper: {printed.name}", tables.grouped(printed.states), "", "", "", *(f"{t} / {s}" for t, s in printed.percents)])
        for order in ORDERS:
            base = measured.result(net, packed(order))
            results = [measured.result(net, delta(order, k)) for k in KS]
            rows.append([f"{net.name}, {order}", tables.grouped(net.states), len(base.seconds), tables.seconds(base, 2), tables.bytes_per_row(base),
                         *(f"{tables.time_percent(result, base)} / {tables.space_percent(result, base)}" for result in results)])
    return tables.markdown(head, rows)


def figure(value, form):
    return "" if value is None else form.format(value)


def chains_table(nets, measured):
    head = ["bytes a row / explicit, % / mean chain", "key, bits", *(f"k = {k}" for k in KS)]
    rows = []
    for net in nets:
        for order in ORDERS:
            cells = []
            for k in KS:
                result = measured.result(net, delta(order, k))
                explicit = result.store("explicit_rows")
                cells.append(f"{tables.bytes_per_row(result)} / {figure(explicit and 100 * explicit / net.states, '{:.1f}')} / "
                             f"{figure(result.store('mean_chain'), '{:.1f}')}")
            rows.append([f"{net.name}, {order}", figure(measured.result(net, packed(order)).store("key_bits"), "{}"), *cells])
    return tables.markdown(head, rows)


def options_table(nets, measured):
    head = ["T / S, %", "all on: s", "bytes a row", *(f"`{option}`" for option in OPTIONS)]
    rows = []
    for net in (net for net in nets if net.states <= OPTIONS_STATES):
        base = measured.result(net, delta(ORDERS[0], OPTIONS_K))
        others = [measured.result(net, delta(ORDERS[0], OPTIONS_K, option)) for option in OPTIONS]
        rows.append([net.name, tables.seconds(base, 2), tables.bytes_per_row(base),
                     *(f"{tables.time_percent(other, base)} / {tables.space_percent(other, base)}" for other in others)])
    return tables.markdown(head, rows)


def picture(nets, measured):
    places = [(0, "packed"), *((number, str(k)) for number, k in enumerate(KS, 1))]
    space, time = chart.Panel("bytes a row", []), chart.Panel("time, relative to packed in the same order", [])
    for number, net in enumerate(nets):
        for order in ORDERS:
            base = measured.result(net, packed(order))
            results = [base, *(measured.result(net, delta(order, k)) for k in KS)]
            ended = [(place, result) for place, result in enumerate(results) if result.report is not None]
            look = (net.name, chart.colour_of(number), order != ORDERS[0])
            space.lines.append(chart.Line(*look, [(place, result.store("bytes_per_row"), False) for place, result in ended]))
            time.lines.append(chart.Line(*look, [(place, tables.time_ratio(result, base), False) for place, result in ended]))
    return chart.draw([space, time], places, "k", ["solid: depth-first; dashed: breadth-first"])


def reproduce(is_quick):
    """Markdown, CSV and SVG."""
    nets, plan = (QUICK_NETS, QUICK_PLAN) if is_quick else (NETS, PLAN)
    work = {net: variants(net) for net in nets}
    measured = Measured(plan)
    measured.measure(work)
    text = f"""# Δ-markings: Table 1 of paper one, and ours

    scripts/reproduce delta{' --quick' if is_quick else ''}

{describe_machine(plan.rounds)} where there was time (column rounds); {measured.elapsed() / 60:.0f} minutes in all. [What is run, and what differs](reproduce.md).

T and S: time and bytes of the store relative to `--store packed` in the same order. The paper searched depth-first.

{tables.QUICK_NOTE if is_quick else ""}{ratios_table(nets, measured)}
![bytes a row and time against k](delta.svg)

## Bytes a row, explicit rows and chains

{chains_table(nets, measured)}
## What each option is worth

Depth-first, k = {OPTIONS_K}; relative to the same search with nothing switched off.

{options_table(nets, measured)}"""
    return text, tables.comma_separated(work, measured), picture(nets, measured)
