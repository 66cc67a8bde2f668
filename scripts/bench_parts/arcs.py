"""Nanoseconds an arc of EU and AU on the kept graph, without lanes, where nearly all states join.

EU: `EF initial` and `EF deadlock`. AU: `AF (initial || deadlock)`. Each in a run of its own, for its number of states; the
arcs that it walks are those into the states that join, about as many a state as there are in all.
"""

from bench_parts.common import ROOT, describe_machine
from bench_parts.formula_runs import contest_nets, report_of

OURS = {
    "kanban 6": ["kanban.spn", "-D", "N=6"],
    "philosophers 11": ["philosophers.spn", "-D", "N=11"],
}
FORMULAS = {"EU": ("EF initial", "EF deadlock"), "AU": ("AF (initial || deadlock)",)}
BARS = {"EU": 15, "AU": 25}
LEAST_STATES = 1_000_000
LEAST_PART = 0.9  # of the states: fewer are not judged


def nets(pattern):
    for name, (model, *parameters) in OURS.items():
        if pattern.search(name):
            yield name, [ROOT / "models" / model, *parameters]
    for net in contest_nets(pattern, ("mcc-large",), LEAST_STATES):
        yield net.name, [net / "model.pnml"]


def ns_of_arcs(arguments, formula, rounds, limit):
    """ns an arc, none where too few states join to tell, and the part of the states that do; none of both where the run
    does not come to its end."""
    words = ["--no-checks", "--lanes", "off", "--graph", "keep", "--local", "off", "--sat-counts", "--ctl", formula]
    best = None
    for _ in range(rounds):
        report = report_of([*arguments, *words], limit)
        joined = report["properties"][0]["sat_states"]
        graph = report["labels"]["graph"]
        if not report["complete"] or joined is None or not graph or not graph["kept"]:
            return None
        if joined < LEAST_PART * report["states"]:
            return None, joined / report["states"]
        arcs = report["arcs"] * joined / report["states"]
        ns = report["properties"][0]["seconds"] * 1e9 / arcs
        best = min(best or ns, ns)
    return best, joined / report["states"]


def arcs(rounds, limit, pattern):
    print(f"{describe_machine(rounds)}; `--lanes off --graph keep`, limit {limit} s a run\n")
    print("| net | formula | states that join | ns an arc |")
    print("|---|---|---:|---:|")
    missed = []
    for name, arguments in nets(pattern):
        for operator, formulas in FORMULAS.items():
            for formula in formulas:
                found = ns_of_arcs(arguments, formula, rounds, limit)
                if found is None:
                    print(f"| {name} | {formula} | > {limit} s | |", flush=True)
                    continue
                ns, part = found
                print(f"| {name} | {formula} | {100 * part:.1f} % | {f'{ns:.1f}' if ns else ''} |", flush=True)
                if ns and ns > BARS[operator]:
                    missed.append(f"missed: {name}: {formula} takes {ns:.1f} ns an arc (bar {BARS[operator]})")
    print("\n".join(missed))
    return 1 if missed else 0
