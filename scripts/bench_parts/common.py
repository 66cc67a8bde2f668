"""What the benchmarks share: where things are, and one run of dcheck as its JSON."""

import json
import os
import platform
import subprocess
import sys

from campaign_parts.launch import BINARY, ROOT, SHARED

MIB = 1 << 20


def measure(arguments):
    command = [BINARY, *arguments, "--no-checks", "--quiet", "--json", "-"]
    run = subprocess.run(command, capture_output=True)
    if run.returncode != 0:
        sys.exit(f"bench: {' '.join(map(str, command))}: exit {run.returncode}\n{run.stderr.decode()}")
    return json.loads(run.stdout)


def describe_machine(rounds, which="best"):
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return f"{platform.machine()}, {os.cpu_count()} cores, commit {commit.stdout.strip()}, {which} of {rounds}"
