"""What a run found, as {name: value}, so that two runs can be compared; and what is wrong with a run."""

import re

from campaign_parts.nets import COUNTS

# mpirun's own, now and then on a busy machine: when it closes its pipes to ranks that have ended, and when the shell that
# it starts on another host is quicker than it is. Nothing is lost.
HARMLESS = re.compile(r"^(\[warn\] Epoll .* Bad file descriptor|\[.*\] plm:rsh: Warning: setpgid\(.*\) failed in parent .*)\n",
                      re.MULTILINE)


def answers(report):
    """Verdicts and bounds by id, the size of each set as `ID states` where it was counted, and the counts where all was
    explored."""
    found = {}
    if report["complete"]:
        found.update({name: report[name] for name in COUNTS})
        if report["levels"] is not None:
            found["levels"] = report["levels"]
    for entry in report["properties"]:
        found[entry["id"]] = entry["bound"] if "bound" in entry else entry["verdict"]
        if entry["sat_states"] is not None:
            found[f"{entry['id']} states"] = entry["sat_states"]
    return found


def differences(found, expected):
    """Of what both know."""
    return [f"{name}: {value} instead of {expected[name]}"
            for name, value in found.items() if name in expected and value != expected[name]]


def _exit_code_of(report):
    verdicts = [entry["verdict"] for entry in report["properties"] if "verdict" in entry]
    return 1 if False in verdicts else 3 if None in verdicts else 0


def complaints(outcome, ranks, ids, is_full):
    """What is wrong with a run by itself. `ids`: the formulas it was asked."""
    if outcome.is_late:
        return [f"did not end within {outcome.seconds:.0f} s"]
    wrong = [f"left {len(outcome.left)} processes behind"] if outcome.left else []
    report = outcome.report()
    if report is None:
        return wrong + [f"exit {outcome.code}, no report: {' '.join(outcome.err.split())[:300]}"]
    if outcome.code != _exit_code_of(report):
        wrong.append(f"exit {outcome.code} with verdicts that mean {_exit_code_of(report)}")
    said = HARMLESS.sub("", outcome.err)
    if said:
        wrong.append(f"said: {' '.join(said.split())[:300]}")
    if report["ranks"] != ranks:
        wrong.append(f"{report['ranks']} ranks in the report instead of {ranks}")
    if is_full and not report["complete"]:
        wrong.append(f"not complete: {report['stop_reason']}")
    if sum(report["balance"]["states_per_rank"]) != report["states"]:
        wrong.append("the states of the ranks do not add up")
    if report["complete"] and report["lanes"] == 1 and report["rows"] != report["states"]:
        wrong.append(f"{report['rows']} rows of one lane for {report['states']} states")
    missing = set(ids) - {entry["id"] for entry in report["properties"]}
    if missing:
        wrong.append(f"no answer for {', '.join(sorted(missing))}")
    return wrong


def store_complaints(store, row):
    """What a store tells about itself that cannot be, with the options it was given. Where the initial marking decides
    everything there is none."""
    if store["bytes"] == 0:
        return []
    if store["kind"] != row.get("store", "packed"):
        return [f"stored as {store['kind']}"]
    if store["kind"] == "packed":
        return []
    wrong = []
    most_links = row.get("delta-k")
    if most_links and store["longest_chain"] >= int(most_links):
        wrong.append(f"a chain of {store['longest_chain']} links")
    parts = sum(store[f"{part}_bytes"] for part in ("index", "link", "key", "cache"))
    if parts != store["bytes"]:
        wrong.append(f"{store['bytes']} bytes, but parts of {parts}")
    return wrong
