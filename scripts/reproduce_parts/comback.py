"""Table 6.1 of paper two (Westergaard, Kristensen, Brodal and Arge 2007): time and space of ComBack against the size of its cache.

Time and space are relative to a depth-first search whose keys are all stored (`--store packed`), as in the paper.
"""

import math

from bench_parts.common import describe_machine
from reproduce_parts import chart, tables
from reproduce_parts.runs import Measured, Net, Plan

ORDERS = ("depth-first", "breadth-first")
STANDARD = "packed"
# The paper measured its basic algorithm: only the initial state has its key, 31 bits of a hash, full states wait, chains are followed
# forwards and stay as they are.
AS_PRINTED = ("--delta-k", "0", "--hash-bits", "31", "--waiting", "full", "--no-backward-firing", "--no-predecessor-update")
PRINTED_CACHES = (0, 100, 1000)
CACHES = (0, 100, 1000, 10_000)
ONE_PERCENT = "1 %"
# What the paper has: time in %, space in %, bytes a state; depth-first and breadth-first, for no cache, 100, 1000, standard.
PRINTED = {
    "DP22": [((10337, 97, 608), (219, 42, 260)), ((2963, 98, 610), (207, 42, 261)),
             ((363, 100, 625), (211, 45, 281)), ((100, 100, 625), (100, 61, 380))],
    "DB9": [((214, 10, 80), (225, 28, 212)), ((178, 11, 83), (182, 28, 214)), ((171, 13, 98), (157, 30, 229)), ((100, 100, 769), (100, 100, 770))],
    "DB10": [((44, 9, 82), (48, 25, 230)), ((38, 9, 83), (41, 25, 231)), ((37, 10, 89), (39, 26, 236)), ((100, 100, 927), (106, 100, 927))],
    "SW7,4": [((319, 41, 85), (319, 47, 98)), ((189, 41, 86), (278, 47, 98)), ((178, 42, 87), (258, 48, 100)), ((100, 100, 210), (100, 100, 210))],
}
COUNTED = {"DP22": (39_604, 481_625), "DB9": (59_051, 314_947), "DB10": (196_832, 1_181_001), "SW7,4": (215_196, 1_242_386)}
NETS = {
    Net("dining 22", "dining", ("N=22", "STEP=1"), 39_604, 481_625): "DP22",
    Net("database 9", "database", ("N=9", "STEP=1"), 59_051, 314_947): "DB9",
    Net("database 10", "database", ("N=10", "STEP=1"), 196_832, 1_181_001): "DB10",
    Net("simple_protocol 7, 4", "simple_protocol", ("N=7", "C=4", "STEP=1"), 215_196, 1_133_846): "SW7,4",
}
QUICK_NETS = {
    Net("dining 16", "dining", ("N=16", "STEP=1"), 2_208, 19_521): "DP22",
    Net("database 7", "database", ("N=7", "STEP=1"), 5_105, 20_427): "DB9",
    Net("simple_protocol 4, 3", "simple_protocol", ("N=4", "C=3", "STEP=1"), 3_330, 12_826): "SW7,4",
}
DEFAULT = "default"
OTHERS = {
    "path optimisation off": ("--no-predecessor-update",),
    "reconstruct, not backwards": ("--no-backward-firing",),
    "waiting: number": ("--waiting", "number"),
    "waiting: full": ("--waiting", "full"),
    "labels: family": ("--labels", "family"),
    "hash bits: 16": ("--hash-bits", "16"),
    "hash bits: 30": ("--hash-bits", "30"),
    "hash bits: 40": ("--hash-bits", "40"),
}
# Hash compaction with 31 bits, bit-state hashing with 15 bits a state in a table of 12.5 MB. The paper: states, and depth-first
# time in %, space in %, bytes a state.
LOSSY = {
    "Hash compaction": ("--store", "compaction", "--hash-bits", "31"),
    "Bit-state": ("--store", "bitstate", "--hashes", "15", "--table", "12500000"),
}
PRINTED_LOSSY = {
    "DP22": {"Hash compaction": (39_603, 93, 88, 550), "Bit-state": (39_604, 104, 135, 846)},
    "DB9": {"Hash compaction": (59_049, 89, 3, 25), "Bit-state": (59_051, 104, 28, 218)},
    "DB10": {"Hash compaction": (196_798, 18, 3, 26), "Bit-state": (196_832, 21, 7, 66)},
    "SW7,4": {"Hash compaction": (214_569, 92, 12, 25), "Bit-state": (215_196, 114, 28, 60)},
}
PLAN = Plan(rounds=5, limit=150, budget=17 * 60)
QUICK_PLAN = Plan(rounds=1, limit=20, budget=60)


def rows_of(cache, net):
    return net.states // 100 if cache == ONE_PERCENT else cache


def variants(net):
    """{variant: options}"""
    chosen = {}
    for order in ORDERS:
        chosen[(order, STANDARD)] = ("--store", "packed", "--order", order)
        comback = ("--store", "comback", "--order", order)
        for cache in PRINTED_CACHES:
            chosen[(order, f"as printed, cache {cache}")] = (*comback, *AS_PRINTED, "--cache", str(cache))
        for cache in (*CACHES, ONE_PERCENT):
            chosen[(order, f"cache {cache}")] = (*comback, "--cache", str(rows_of(cache, net)))
        chosen[(order, DEFAULT)] = comback
        for name, options in OTHERS.items():
            chosen[(order, name)] = (*comback, *options)
    for name, options in LOSSY.items():
        chosen[(ORDERS[0], name)] = options
    return chosen


def space(result):
    """Bytes a row of the store and of what waits; None where there was no run."""
    return None if result.report is None else result.store("bytes_per_row") + result.waiting_bytes_per_row()


def cells(result, base):
    """Time and space in percent of the base, and bytes a row."""
    mine, other = space(result), space(base)
    return [tables.time_percent(result, base), "" if mine is None or not other else tables.percent(mine / other),
            "" if mine is None else f"{mine:.1f}"]


def nets_table(nets):
    head = ["", "paper: states", "ours", "paper: arcs", "ours", "our net"]
    rows = []
    for net, name in nets.items():
        states, arcs = (tables.grouped(number) for number in COUNTED[name])
        rows.append([name, states, tables.grouped(net.states), arcs, tables.grouped(net.arcs), net.title()])
    return tables.markdown(head, rows)


def main_table(nets, measured):
    head = ["", "method", *(f"{order}: {what}: {who}" for order in ("DFS", "BFS")
                            for what in ("time, %", "space, %", "bytes a state") for who in ("paper", "ours"))]
    methods = [*((f"ComBack {cache}" if cache else "ComBack", f"as printed, cache {cache}") for cache in PRINTED_CACHES), ("Standard", STANDARD), ("by default", DEFAULT)]
    rows = []
    for net, name in nets.items():
        base = measured.result(net, (ORDERS[0], STANDARD))
        for number, (method, variant) in enumerate(methods):
            printed = PRINTED[name][number] if variant != DEFAULT else (("", "", ""),) * 2
            row = [name, method]
            for order, theirs in zip(ORDERS, printed):
                for pair in zip(theirs, cells(measured.result(net, (order, variant)), base)):
                    row += pair
            rows.append(row)
    return tables.markdown(head, rows)


def lossy_table(nets, measured):
    head = ["", "method", "paper: states left out", "ours", "probability that any is, stated", *(f"{what}: {who}" for what in ("time, %", "space, %", "bytes a state")
                                                                                                 for who in ("paper", "ours"))]
    rows = []
    for net, name in nets.items():
        base = measured.result(net, (ORDERS[0], STANDARD))
        for method in LOSSY:
            result = measured.result(net, (ORDERS[0], method))
            states, *printed = PRINTED_LOSSY[name][method]
            row = [name, method, tables.grouped(COUNTED[name][0] - states), "", ""]
            if result.report is not None:
                row[3:] = [tables.grouped(net.states - result.report["states"]), f"{result.store('omission_probability'):.2g}"]
            for pair in zip(printed, cells(result, base)):
                row += pair
            rows.append(row)
    return tables.markdown(head, rows)


def caches_table(nets, measured):
    caches = (*CACHES, ONE_PERCENT)
    head = ["time, % / bytes a row / links a comparison", "rounds", "packed: s", *(f"cache {cache}" for cache in caches)]
    rows = []
    for net in nets:
        for order in ORDERS:
            base = measured.result(net, (order, STANDARD))
            results = [measured.result(net, (order, f"cache {cache}")) for cache in caches]
            rows.append([f"{net.name}, {order}", len(base.seconds), tables.seconds(base, 3),
                         *(f"{tables.time_percent(result, base)} / {tables.bytes_per_row(result)} / {links_per_comparison(result)}"
                           for result in results)])
    return tables.markdown(head, rows)


def links_per_comparison(result):
    links, comparisons = result.store("comparison_links"), result.store("comparisons")
    return "" if links is None or not comparisons else f"{links / comparisons:.1f}"


def variants_table(nets, measured):
    columns = [(net, order) for net in nets for order in ORDERS]
    bases = [measured.result(net, (order, DEFAULT)) for net, order in columns]
    rows = [["by default: s / bytes a row + waiting", *(f"{tables.seconds(base, 3)} / {both_bytes(base)}" for base in bases)]]
    for name in OTHERS:
        results = [measured.result(net, (order, name)) for net, order in columns]
        rows.append([name, *(f"{tables.time_percent(result, base)} / {both_bytes(result)}" for result, base in zip(results, bases))])
    return tables.markdown(["time, % / bytes a row + waiting", *(f"{net.name}, {order}" for net, order in columns)], rows)


def both_bytes(result):
    return "" if result.report is None else f"{result.store('bytes_per_row'):.1f} + {result.waiting_bytes_per_row():.1f}"


def place_of(rows):
    """On the axis of the picture: logarithmic, and no cache a step to the left of 100 rows."""
    return 1 if rows == 0 else math.log10(rows)


def picture(nets, measured):
    places = [(place_of(cache), tables.grouped(cache)) for cache in CACHES]
    bytes_panel, time_panel = chart.Panel("bytes a row", []), chart.Panel("time, relative to packed in the same order", [])
    for number, net in enumerate(nets):
        for order in ORDERS:
            base = measured.result(net, (order, STANDARD))
            ended = []
            for cache in (*CACHES, ONE_PERCENT):
                result = measured.result(net, (order, f"cache {cache}"))
                if result.report is not None:
                    ended.append((place_of(rows_of(cache, net)), cache == ONE_PERCENT, result))
            ended.sort(key=lambda entry: entry[:2])
            look = (net.name, chart.colour_of(number), order != ORDERS[0])
            bytes_panel.lines.append(chart.Line(*look, [(x, result.store("bytes_per_row"), hollow) for x, hollow, result in ended]))
            time_panel.lines.append(chart.Line(*look, [(x, tables.time_ratio(result, base), hollow) for x, hollow, result in ended]))
    return chart.draw([bytes_panel, time_panel], places, "rows in the cache",
                      ["solid: depth-first; dashed: breadth-first; hollow: a cache of 1 % of the rows"])


def reproduce(is_quick):
    """Markdown, CSV and SVG."""
    nets, plan = (QUICK_NETS, QUICK_PLAN) if is_quick else (NETS, PLAN)
    work = {net: variants(net) for net in nets}
    measured = Measured(plan)
    measured.measure(work)
    text = f"""# ComBack: Table 6.1 of paper two, and ours

    scripts/reproduce comback{' --quick' if is_quick else ''}

{describe_machine(plan.rounds)} where there was time (column rounds); {measured.elapsed() / 60:.0f} minutes in all. [What is run, and what differs](reproduce.md).

Time and space in percent of a depth-first search that stores all keys. Space is the store and what waits to be explored. ComBack as the paper measured it:
`{" ".join(AS_PRINTED)}`; `by default` is what `--store comback` does when nothing else is said.

{tables.QUICK_NOTE if is_quick else ""}{nets_table(nets)}
{main_table(nets, measured)}
![bytes a row and time against the size of the cache](comback.svg)

## Hashes alone

Stores that may leave states out, depth-first: `{" ".join(LOSSY["Hash compaction"])}` and `{" ".join(LOSSY["Bit-state"])}`, as in the paper. Space with what waits, as above.

{lossy_table(nets, measured)}

## Against the size of the cache

`--store comback` with nothing but `--cache` said. Time relative to `--store packed` in the same order; bytes of the store with its cache.

{caches_table(nets, measured)}
## Variants

Each against `--store comback` with nothing else said, in the same order.

{variants_table(nets, measured)}"""
    return text, tables.comma_separated(work, measured), picture(nets, measured)
