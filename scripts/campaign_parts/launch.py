"""One job of dcheck on some ranks: how it is started, how it ended, and that nothing of it is left.

A job is a session of its own (setsid), so its processes are known by the session's number whoever their parents
are by now. It is always started by timeout(1): should these scripts die, the job does not stay.
"""

import dataclasses
import json
import os
import pathlib
import shlex
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = pathlib.Path(os.environ.get("DCHECK_SHARED", ROOT.parent / "shared"))
BINARY = pathlib.Path(os.environ.get("DCHECK_BINARY", ROOT / "build/dcheck"))

# As root mpirun wants to be told twice, and here ranks outnumber cores.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
GRACE_SECONDS = 5  # between asking a job to end and killing it


def build():
    """Unless a program was given with DCHECK_BINARY."""
    if "DCHECK_BINARY" not in os.environ:
        subprocess.run([ROOT / "scripts/build", "--target", "dcheck"], check=True, stdout=subprocess.DEVNULL)


@dataclasses.dataclass
class Outcome:
    code: int
    is_late: bool  # it did not end by itself in time
    seconds: float
    out: str
    err: str
    left: list  # processes of the job that outlived it; they have been killed

    def report(self):
        """The JSON on stdout; None where there is no such thing."""
        try:
            report = json.loads(self.out)
        except ValueError:
            return None
        return report if isinstance(report, dict) else None


def command(ranks, arguments):
    """One rank is started as users do, without mpirun. mpirun itself keeps quiet: it has something to say about every
    exit code but 0, and 1 is an answer."""
    launcher = ["mpirun", "--quiet", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    return [*launcher, str(BINARY), *map(str, arguments)]


def as_text(words, environment=None):
    """To be pasted into a shell at the project's root."""
    settings = [f"{name}={value}" for name, value in (environment or {}).items()]
    short = [word.replace(f"{ROOT}/", "") for word in words]
    return " ".join(settings + [shlex.quote(word) for word in short])


def processes_of(session):
    """The living processes of a session as {process: parent}; zombies do not count."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            text = pathlib.Path("/proc", entry, "stat").read_text()
        except OSError:
            continue
        state, parent, _, its_session = text[text.rindex(")") + 2:].split()[:4]
        if int(its_session) == session and state not in "ZX":
            found[int(entry)] = int(parent)
    return found


class Job:
    """A job under way. Streams go to files: a process that is left over cannot hold a pipe open."""

    def __init__(self, words, limit, environment=None):
        self._streams = [tempfile.TemporaryFile(), tempfile.TemporaryFile()]
        self._limit = limit
        self.started = time.monotonic()
        self._process = subprocess.Popen(
            ["timeout", "-k", str(GRACE_SECONDS), str(limit), *words],
            stdin=subprocess.DEVNULL, stdout=self._streams[0], stderr=self._streams[1],
            env={**os.environ, **MPI_ENVIRONMENT, **(environment or {})}, start_new_session=True,
        )

    def is_over(self):
        return self._process.poll() is not None

    def launcher(self):
        """The process of mpirun; None where there is none, or none yet."""
        mine = processes_of(self._process.pid)
        found = [process for process in mine if _name_of(process) in ("mpirun", "orterun")]
        return min(found, default=None)

    def has_said(self, text):
        """Whether the text stands on stderr so far."""
        file = self._streams[1].fileno()
        return text in os.pread(file, os.fstat(file).st_size, 0).decode(errors="replace")

    def ranks(self):
        """The processes that run dcheck itself."""
        return sorted(process for process in processes_of(self._process.pid) if _program_of(process) == BINARY.resolve())

    def finish(self):
        """Waits for the end, then for stragglers for a moment, and kills them."""
        code = self._process.wait()
        seconds = time.monotonic() - self.started
        left = processes_of(self._process.pid)
        give_up = time.monotonic() + 1
        while left and time.monotonic() < give_up:
            time.sleep(0.02)
            left = processes_of(self._process.pid)
        for process in left:
            _kill(process)
        texts = []
        for stream in self._streams:
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
            stream.close()
        return Outcome(code, seconds >= self._limit, seconds, *texts, sorted(left))


def run(ranks, arguments, limit, environment=None):
    return Job(command(ranks, arguments), limit, environment).finish()


def _program_of(process):
    try:
        return pathlib.Path(os.readlink(f"/proc/{process}/exe"))
    except OSError:
        return None


def _name_of(process):
    try:
        return pathlib.Path("/proc", str(process), "comm").read_text().strip()
    except OSError:
        return None


def _kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass
