"""Two ranks against two runs of one rank each, on the same two cores.

What is compared: S is the number of states. Two ranks explore S states in T; two runs that are started together explore S
states each, 2 S in all, in P, the time of the slower one. So the throughput of two ranks is S / T against 2 S / P, and the
ratio is P / (2 T): 1 where a rank is as fast on its half as a run on its own that has the same competition for cores and
memory. Times are the program's own (`seconds`), without what mpirun takes to start.
"""

import pathlib
import sys
import tempfile

from bench_parts.common import MIB, ROOT, describe_machine
from campaign_parts.launch import Job, as_text, command

KANBAN = [ROOT / "models/kanban.spn", "-D", "N=7", "--lanes", "off"]
PHILOSOPHERS = [ROOT / "models/philosophers.spn", "-D", "N=11", "--lanes", "off"]
RUNS = {  # name: arguments, the times that are compared, the least ratio
    "kanban 7, exploration": ([*KANBAN, "--no-checks"], ("explore",), 0.85),
    "kanban 7, O-EU": ([*KANBAN, "--test", "O-EU"], ("check", "total"), 0.85),
    "philosophers 11, AU": ([*PHILOSOPHERS, "--test", "AU"], ("check", "total"), 0.75),
}
MEMORY_BAR = 1.15
LIMIT_SECONDS = 3600


def measure_together(ranks, arguments, jobs):
    """The reports of so many jobs that run at the same time."""
    words = command(ranks, [*arguments, "--json", "-", "--quiet"])
    started = [Job(words, LIMIT_SECONDS) for _ in range(jobs)]
    outcomes = [job.finish() for job in started]
    for outcome in outcomes:
        if outcome.code != 0 or outcome.report() is None:
            sys.exit(f"bench: {as_text(words)}: exit {outcome.code}\n{outcome.err}")
    return [outcome.report() for outcome in outcomes]


def slowest(reports, part):
    return max(report["seconds"][part] for report in reports)


def peak(report):
    return sum(report["memory"]["peak_rss_bytes_per_rank"])


def start_up(ranks):
    """Memory of all ranks before there is anything to store."""
    with tempfile.TemporaryDirectory() as folder:
        net = pathlib.Path(folder, "still.spn")
        net.write_text("place a init 1;\n")
        return min(peak(measure_together(ranks, [net], 1)[0]) for _ in range(3))


def measure(arguments, rounds):
    """Rounds of a job of two ranks and a pair of one-rank jobs, in turn: the lists of reports of each."""
    two, pair = [], []
    for _ in range(rounds):
        two.append(measure_together(2, arguments, 1))
        pair.append(measure_together(1, arguments, 2))
    return two, pair


def compare_times(name, parts, bar, two, pair):
    """Prints a row for each time, and yields what is to be judged."""
    states = {report["states"] for reports in two + pair for report in reports}
    if len(states) != 1:
        sys.exit(f"bench: the runs disagree: {sorted(states)} states")
    for part in parts:
        ours, theirs = (min(slowest(reports, part) for reports in runs) for runs in (two, pair))
        ratio = theirs / (2 * ours)
        print(f"| {name}, {part} | {min(states):,} | {ours:.2f} | {theirs:.2f} | {ratio:.2f} |", flush=True)
        yield f"throughput, {name}, {part}", ratio, bar, ratio >= bar


def compare_memory(name, two, pair, base):
    """The most that two ranks took against the least that one did, each beyond start-up."""
    ours = max(peak(report) for reports in two for report in reports) - base[2]
    theirs = min(peak(report) for reports in pair for report in reports) - base[1]
    what = f"memory, {name}: {ours / MIB:.0f} MiB on two ranks, {theirs / MIB:.0f} MiB on one beyond start-up"
    return what, ours / theirs, MEMORY_BAR, ours <= MEMORY_BAR * theirs


def ranks(rounds):
    print(describe_machine(rounds))
    base = {number: start_up(number) for number in (1, 2)}
    judged = []
    print("\n| | states | two ranks, s | two runs together, s | ratio |\n|---|---|---|---|---|")
    for name, (arguments, parts, bar) in RUNS.items():
        two, pair = measure(arguments, rounds)
        judged += compare_times(name, parts, bar, two, pair)
        judged.append(compare_memory(name, two, pair, base))
    print()
    for what, value, bar, is_met in judged:
        print(f"{what}: {value:.2f} (bar {bar:g}) {'met' if is_met else 'MISSED'}")
    return 0 if all(is_met for *_, is_met in judged) else 1
