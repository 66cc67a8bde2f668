"""From results of runs to the figures of an experiment: one row for each problem, number of ranks and network."""

import csv
import statistics

COLUMNS = ["model", "parameters", "options", "ranks", "simulated", "rounds", "states", "arcs", "explore_s", "check_s", "total_s", "median_total_s",
           "wall_s", "speedup_explore", "speedup_check", "speedup_total", "efficiency_total", "reference_ranks", "computing", "sending",
           "receiving", "idle", "cross_arcs", "imbalance", "messages", "bytes_sent", "peak_rss_bytes", "version", "commit", "host", "cpu",
           "cores", "network"]
PARTS = ("computing", "sending", "receiving", "idle")
COUNTED = ("states", "arcs", "deadlocks")


def answer_of(report):
    """What must be the same in all runs of a problem."""
    test = report["test"] and [report["test"]["sat_states"], report["test"]["eating_states"]]
    return [[report[name] for name in COUNTED], [entry.get("verdict", entry.get("bound")) for entry in report["properties"]], test]


def seconds_of(report):
    """Planning is part of exploring: more ranks do not make it shorter."""
    explore = report["seconds"]["plan"] + report["seconds"]["explore"]
    return {"explore": explore, "check": report["seconds"]["check"], "total": explore + report["seconds"]["check"]}


def split_of(report):
    """Shares of the time of all ranks; one rank computes all the time."""
    each = (report["per_rank"] or {"each": []})["each"]
    whole = sum(rank["seconds"] for rank in each) * 1e9
    if whole == 0:
        return {"computing": 1.0, "sending": 0.0, "receiving": 0.0, "idle": 0.0}
    return {name: sum(rank[f"{name}_ns"] for rank in each) / whole for name in PARTS}


def imbalance_of(report):
    """(Largest - smallest) / mean of the partitions."""
    states = report["balance"]["states_per_rank"]
    return (max(states) - min(states)) * len(states) / max(1, sum(states))


def row_of(run, results):
    """The figures of the fastest of the rounds."""
    times = [seconds_of(result["report"])["total"] for result in results]
    best = results[times.index(min(times))]
    report, seconds = best["report"], seconds_of(best["report"])
    machine = best["machine"]
    return {"model": report["model"]["name"], "parameters": " ".join(run.point.parameters), "options": " ".join(best["options"]), "ranks": run.ranks,
            "simulated": run.network or "", "rounds": len(results), "states": report["states"], "arcs": report["arcs"],
            **{f"{name}_s": value for name, value in seconds.items()}, "median_total_s": statistics.median(times),
            "wall_s": best["wall_seconds"], **split_of(report), "cross_arcs": report["traffic"]["cross_arcs"] / max(1, report["arcs"]),
            "imbalance": imbalance_of(report), "messages": report["traffic"]["messages"], "bytes_sent": report["traffic"]["bytes"],
            "peak_rss_bytes": max(report["memory"]["peak_rss_bytes_per_rank"]), "version": report["dcheck"], "commit": best["commit"], "host": machine["host"],
            "cpu": machine["cpu"], "cores": machine["cores"], "network": run.network or machine["network"]}


def _ratio(first, row, name, by):
    """How many times faster: by time for one problem, by arcs a second where the problem grows."""
    if first[f"{name}_s"] <= 0 or row[f"{name}_s"] <= 0:
        return None
    ratio = first[f"{name}_s"] / row[f"{name}_s"]
    return ratio * row["arcs"] / first["arcs"] if by == "arcs" else ratio


def compare(rows, is_weak):
    """Adds speed-up and efficiency. Absolute: against one rank, which is the serial program; where there is no run on one rank,
    against the fewest there are, and the row says so. Simulated runs are compared with simulated ones."""
    groups = {}
    for row in rows:
        groups.setdefault((row["model"], None if is_weak else row["parameters"], row["options"], row["simulated"]), []).append(row)
    for group in groups.values():
        first = min(group, key=lambda row: row["ranks"])
        for row in group:
            row["reference_ranks"] = first["ranks"]
            for name in ("explore", "check", "total"):
                ratio = _ratio(first, row, name, "arcs" if is_weak else "time")
                row[f"speedup_{name}"] = None if ratio is None else ratio * first["ranks"]
            row["efficiency_total"] = row["speedup_total"] / row["ranks"] if row["speedup_total"] is not None else None
    return rows


def cell(value):
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else value


def write_csv(rows, path):
    with path.open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows([cell(row.get(name)) for name in COLUMNS] for row in rows)


def as_table(rows):
    """Markdown."""
    yield "| problem | ranks | explore s | check s | speed-up | efficiency % | computing / sending / receiving / idle % | cross arcs % | largest - smallest % |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for row in rows:
        where = f" simulated, {row['simulated']}" if row["simulated"] else ""
        speed_up = "" if row["speedup_total"] is None else f"{row['speedup_total']:.2f}"
        efficiency = "" if row["efficiency_total"] is None else f"{100 * row['efficiency_total']:.0f}"
        yield (f"| {row['model']} {row['parameters']} | {row['ranks']}{where} | {row['explore_s']:.3f} | {row['check_s']:.3f} | {speed_up} | {efficiency} | "
               f"{' / '.join(f'{100 * row[name]:.0f}' for name in PARTS)} | {100 * row['cross_arcs']:.1f} | {100 * row['imbalance']:.1f} |")
