"""The 16 formulas of a contest's file in one run against 16 runs of one formula each: the seconds to check.

Exploring is left out of both, so that what is compared is what formulas share.
"""

import tempfile

from bench_parts.common import describe_machine
from bench_parts.formula_runs import Runs, contest_nets, formula_ids, mean, one_formula

FILES = ("CTLCardinality", "CTLFireability")
LEAST_SECONDS = 0.1  # of the single runs together, for the bar
MOST = 1 / 3


def ratio_of(net, file, runs, limit):
    """Prints the row of a file; its ratio, where the bar is about it."""
    xml = net / f"{file}.xml"
    together = runs.run(f"{net.name} {file}", [net / "model.pnml", "--formulas", xml], limit)
    single = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(len(formula_ids(xml))):
            one = one_formula(xml, number, folder)
            single.append(runs.run(f"{net.name} {file} {number}", [net / "model.pnml", "--formulas", one], limit))
    total = sum(run["check"] for run in single)
    late = any(run["late"] for run in [together, *single])
    ratio = together["check"] / max(total, 1e-9)
    print(f"| {net.name} | {file} | {'> ' if late else ''}{together['check']:.2f} | {total:.2f} | {ratio:.2f} |", flush=True)
    return ratio if total >= LEAST_SECONDS and not late else None


def together(limit, pattern, file):
    print(f"{describe_machine(1)}; seconds to check, without exploring, limit {limit} s a run\n")
    print("| net | file | together | one by one | ratio |")
    print("|---|---|---:|---:|---:|")
    runs = Runs(file)
    ratios = {(net.name, name): ratio_of(net, name, runs, limit)
              for net in contest_nets(pattern, ("mcc-large",)) for name in FILES}
    ratios = {key: ratio for key, ratio in ratios.items() if ratio is not None}
    print(f"\n{len(ratios)} files whose formulas take {LEAST_SECONDS} s or more one by one: geometric mean "
          f"{mean(ratios.values()):.2f} (bar {MOST:.2f} for each)")
    missed = [f"missed: {name}: {file} takes {ratio:.2f} of the single runs" for (name, file), ratio in ratios.items()
              if ratio > MOST]
    print("\n".join(missed))
    return 1 if missed else 0
