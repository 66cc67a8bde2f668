"""Runs that decide formulas, for the benchmarks of formulas: their nets, one run as a few figures, and a CSV of runs, so
that a benchmark that was ended goes on where it was."""

import csv
import json
import math
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ET

from bench_parts.common import BINARY, MIB, SHARED

LEAST_STATES = 10_000
XMLNS = "http://mcc.lip6.fr/"


def contest_nets(pattern, folders=("mcc", "mcc-large"), least_states=LEAST_STATES):
    """The folders of P/T nets with so many states, whose name matches."""
    for folder in folders:
        for net in sorted((SHARED / folder).glob("*-PT-*")):
            states = json.loads((net / "expected.json").read_text()).get("states") or 0
            if states >= least_states and pattern.search(net.name):
                yield net


def report_of(arguments, limit):
    command = [BINARY, *arguments, "--quiet", "--json", "-", "--max-time", str(limit)]
    run = subprocess.run(command, capture_output=True)
    if run.returncode not in (0, 1, 3):
        sys.exit(f"bench: {' '.join(map(str, command))}: exit {run.returncode}\n{run.stderr.decode()}")
    return json.loads(run.stdout)


def figures(report):
    """What a CSV keeps of a run. `answers`: one word per property, `?` where it is unknown."""
    answers = [p["bound"] if p.get("bound") is not None else p["verdict"] for p in report["properties"]]
    return {
        "states": report["states"],
        "explore": report["seconds"]["explore"],
        "check": report["seconds"]["check"],
        "mib": max(report["memory"]["peak_rss_bytes_per_rank"]) / MIB,
        "late": int(not report["complete"] and bool(report["properties"]) and "?" in map(answer_word, answers)),
        "answers": " ".join(map(answer_word, answers)),
    }


def answer_word(answer):
    return "?" if answer is None else str(answer)


def formula_ids(file):
    return [node.text.strip() for node in ET.parse(file).getroot().iter(f"{{{XMLNS}}}id")]


def one_formula(file, number, folder):
    """A file with one formula of another one, in a folder."""
    ET.register_namespace("", XMLNS)
    tree = ET.parse(file)
    root = tree.getroot()
    for i, node in enumerate(root.findall(f"{{{XMLNS}}}property")):
        if i != number:
            root.remove(node)
    out = pathlib.Path(folder, file.name)
    tree.write(out)
    return out


class Runs:
    """Runs by name. With a CSV, each is written to it when it is done, and what is in it is not run again."""

    FIELDS = ("name", "states", "explore", "check", "mib", "late", "answers")

    def __init__(self, file):
        self._file = pathlib.Path(file) if file else None
        self._known = {}
        if self._file and self._file.exists():
            with self._file.open(newline="") as lines:
                self._known = {row["name"]: self._read(row) for row in csv.DictReader(lines)}

    @staticmethod
    def _read(row):
        return {"states": int(row["states"]), "explore": float(row["explore"]), "check": float(row["check"]),
                "mib": float(row["mib"]), "late": int(row["late"]), "answers": row["answers"]}

    def run(self, name, arguments, limit):
        if name not in self._known:
            self._known[name] = figures(report_of(arguments, limit))
            self._keep(name)
        return self._known[name]

    def _keep(self, name):
        if not self._file:
            return
        is_new = not self._file.exists()
        with self._file.open("a", newline="") as out:
            writer = csv.DictWriter(out, self.FIELDS)
            if is_new:
                writer.writeheader()
            writer.writerow({"name": name, **self._known[name]})


def mean(values):
    return math.exp(sum(math.log(max(value, 1e-3)) for value in values) / len(values)) if values else float("nan")
