"""Pictures of an experiment, from its scaling.json: speed-up and efficiency, the split of time, arcs between ranks and balance.

    /usr/bin/python3 scripts/scaling_parts/pictures.py FOLDER

Runs as a program of its own, because the python3 that runs scripts need not be the one that has matplotlib.
"""

import json
import math
import pathlib
import subprocess
import sys

COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e5ea2", "#d98e04", "#16818a"]
PART_COLOURS = {"computing": "#1b6ca8", "sending": "#d98e04", "receiving": "#8e5ea2", "idle": "#cccccc"}


def draw(folder):
    """The files that were made; none, and a line that says why, where there is no matplotlib."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import matplotlib"], capture_output=True).returncode == 0:
            outcome = subprocess.run([python, __file__, folder], capture_output=True, text=True)
            if outcome.returncode != 0:
                sys.exit(f"scaling: pictures: {outcome.stderr.strip()}")
            return outcome.stdout.split("\n")[:-1]
    print("\nno pictures: install python3-matplotlib and start the same command again")
    return []


def curves(rows, is_weak):
    """{(problem, network): rows}, by ranks."""
    found = {}
    for row in rows:
        name = row["model"] if is_weak else f"{row['model']} {row['parameters']}".strip()
        found.setdefault((name, row["simulated"]), []).append(row)
    return {key: sorted(group, key=lambda row: row["ranks"]) for key, group in found.items()}


def label(name, network):
    return f"{name} (simulated: {network})" if network else name


def style(number, network):
    """Real runs are solid and filled, simulated ones dashed and hollow."""
    colour = COLOURS[number % len(COLOURS)]
    return {"color": colour, "linestyle": "--" if network else "-", "marker": "o", "markersize": 4,
            "markerfacecolor": "white" if network else colour}


def rank_axis(axes, rows):
    ranks = sorted({row["ranks"] for row in rows})
    axes.set_xscale("log", base=2)
    axes.set_xticks(ranks, [str(count) for count in ranks], fontsize=8)
    axes.minorticks_off()
    axes.set_xlabel("ranks")
    axes.grid(color="#dddddd")


def speed_up(plot, data):
    """One column for each thing that takes time; below, efficiency."""
    rows, is_weak = data["figures"], data["experiment"]["weak"]
    kinds = [kind for kind in ("explore", "check") if any(row[f"speedup_{kind}"] for row in rows)]
    figure, grid = plot.subplots(2, len(kinds), figsize=(4.6 * len(kinds) + 2, 7.6), squeeze=False, layout="constrained")
    problems = sorted({name for name, _ in curves(rows, is_weak)})
    for kind, (above, below) in zip(kinds, grid.T):
        for (name, network), group in curves(rows, is_weak).items():
            points = [(row["ranks"], row[f"speedup_{kind}"]) for row in group if row[f"speedup_{kind}"]]
            look = {**style(problems.index(name), network), "label": label(name, network)}
            above.plot(*zip(*points), **look)
            below.plot([ranks for ranks, _ in points], [100 * ratio / ranks for ranks, ratio in points], **look)
        ranks = sorted({row["ranks"] for row in rows})
        above.plot(ranks, ranks, color="#999999", linewidth=0.8, label="as many times as ranks")
        above.set_yscale("log", base=2)
        least = min(row[f"speedup_{kind}"] for row in rows if row[f"speedup_{kind}"])
        ticks = [2.0**power for power in range(min(0, math.floor(math.log2(least))), math.ceil(math.log2(ranks[-1])) + 1)]
        above.set_yticks(ticks, [f"{tick:g}" for tick in ticks], fontsize=8)
        above.set_title(f"speed-up, {kind}" + (", by arcs a second" if is_weak else ""))
        below.set_title(f"efficiency, {kind}, %")
        below.set_ylim(0, max(105, below.get_ylim()[1]))
        below.axhline(100, color="#999999", linewidth=0.8)
        for axes in (above, below):
            rank_axis(axes, rows)
    grid[0][-1].legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def time_split(plot, data):
    """A bar for each run: where the time of all ranks went."""
    groups = curves(data["figures"], data["experiment"]["weak"])
    figure, grid = plot.subplots(1, len(groups), figsize=(max(4.2, 3.4 * len(groups)), 4.2), squeeze=False, sharey=True, layout="constrained")
    for axes, ((name, network), group) in zip(grid[0], groups.items()):
        bottom = [0.0] * len(group)
        for part, colour in PART_COLOURS.items():
            shares = [100 * row[part] for row in group]
            axes.bar(range(len(group)), shares, bottom=bottom, color=colour, label=part, hatch="//" if network else None, edgecolor="white", linewidth=0.3)
            bottom = [low + share for low, share in zip(bottom, shares)]
        axes.set_xticks(range(len(group)), [str(row["ranks"]) for row in group])
        axes.set_xlabel("ranks")
        axes.set_title(label(name, network), fontsize=10)
    grid[0][0].set_ylabel("share of the time of all ranks, %")
    grid[0][-1].legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def traffic(plot, data):
    rows, is_weak = data["figures"], data["experiment"]["weak"]
    figure, (left, middle, right) = plot.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    problems = sorted({name for name, _ in curves(rows, is_weak)})
    for (name, network), group in curves(rows, is_weak).items():
        look = {**style(problems.index(name), network), "label": label(name, network)}
        ranks = [row["ranks"] for row in group]
        left.plot(ranks, [100 * row["cross_arcs"] for row in group], **look)
        middle.plot(ranks, [100 * row["imbalance"] for row in group], **look)
        if not network:  # simulated ranks share the memory of one process
            right.plot(ranks, [row["peak_rss_bytes"] / 2**20 for row in group], **look)
    for axes, title in ((left, "arcs between ranks, % of all"), (middle, "balance: (largest - smallest) / mean, % of states"),
                        (right, "largest rank's memory, MiB")):
        rank_axis(axes, rows)
        axes.set_title(title, fontsize=10)
        axes.set_ylim(bottom=0)
    left.legend(fontsize=8)
    return figure


def source_of(data):
    real = [row for row in data["figures"] if not row["simulated"]] or data["figures"]
    row = real[0]
    network = "" if row["simulated"] else f", {row['network']}"
    return f"dcheck {row['version']}, commit {data['experiment']['commit']}; {row['host']}: {row['cpu']}, {row['cores']} cores{network}; best of {row['rounds']}"


def main(folder):
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "dcheck"
    from matplotlib import pyplot
    data = json.loads((folder / "scaling.json").read_text())
    for name, make in (("speed-up", speed_up), ("time", time_split), ("traffic", traffic)):
        figure = make(pyplot, data)
        figure.suptitle(source_of(data), fontsize=6, color="#666666")
        for ending in ("svg", "png"):
            path = folder / f"{name}.{ending}"
            figure.savefig(path, dpi=110)
            print(path)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
