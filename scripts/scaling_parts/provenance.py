"""Where figures come from: program, commit, host, processor, network, MPI."""

import functools
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess

from campaign_parts.launch import ROOT


@functools.cache
def digest_of(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def _first_line(words):
    if shutil.which(words[0]) is None:
        return None
    outcome = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return (outcome.stdout.strip() or outcome.stderr.strip()).splitlines()[0] if outcome.returncode == 0 else None


@functools.cache
def commit():
    """Of the folder that this script is in; with + where files were changed since."""
    short = _first_line(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"])
    if short is None:
        return None
    changed = subprocess.run(["git", "-C", str(ROOT), "status", "--porcelain", "-uno"], capture_output=True, text=True).stdout.strip()
    return short + ("+" if changed else "")


def _processor():
    match = re.search(r"^model name\s*:\s*(.+)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return match.group(1) if match else platform.machine()


def _memory_bytes():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _interfaces():
    """Network devices that are up, with their speed in Mbit/s where they tell."""
    found = [f"{path.name} (InfiniBand)" for path in sorted(pathlib.Path("/sys/class/infiniband").glob("*"))]
    for path in sorted(pathlib.Path("/sys/class/net").glob("*")):
        try:
            if path.name != "lo" and (path / "operstate").read_text().strip() == "up":
                speed = int((path / "speed").read_text())
                found.append(f"{path.name} ({speed} Mbit/s)" if speed > 0 else path.name)
        except (OSError, ValueError):
            found.append(path.name)
    return ", ".join(found)


@functools.cache
def machine():
    """This machine, or the first of the job's."""
    nodes = os.environ.get("SLURM_JOB_NODELIST")
    is_alone = int(os.environ.get("SLURM_JOB_NUM_NODES", "1")) == 1
    return {"host": platform.node(), "nodes": nodes, "cpu": _processor(), "cores": os.cpu_count(), "usable_cores": len(os.sched_getaffinity(0)),
            "memory_bytes": _memory_bytes(), "kernel": platform.release(), "interfaces": _interfaces(),
            "network": "one machine: shared memory" if is_alone else f"{nodes}: {_interfaces()}",
            "btl": os.environ.get("OMPI_MCA_btl"), "mpi": _first_line(["mpirun", "--version"]), "job": os.environ.get("SLURM_JOB_ID")}
