"""SLURM on this machine for as long as it is wanted: munged, slurmctld and some slurmd, each slurmd a node of its own as far as
SLURM is concerned. Everything is below one temporary folder and on loopback; ports are those that were free. Nothing here touches a
SLURM that the machine may have itself. Jobs of the partition `urgent` take nodes away from those of `all`, which get 20 s.
"""

import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from campaign_parts.launch import MPI_ENVIRONMENT

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "sinfo", "scontrol", "squeue", "scancel")
NODE_CORES, NODE_MEGABYTES = 4, 4000
START_SECONDS, STOP_SECONDS = 30, 30
CONFIGURATION = """ClusterName=dcheck
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
SlurmctldPort={port}
FirstJobId={first_job}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/log/slurmctld
SlurmdLogFile={folder}/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/log/jobs
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
MpiDefault=none
TmpFS={folder}/tmp/%n
ReturnToService=2
SlurmdParameters=config_overrides
PropagateResourceLimits=NONE
KillWait=3
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
MessageTimeout=30
SlurmdTimeout={node_timeout}
DefMemPerCPU=500
"""


def reason_not_to():
    """Why SLURM cannot run here; None where it can."""
    missing = [name for name in PROGRAMS if shutil.which(name, path=_path()) is None]
    if missing:
        return f"there is no {missing[0]} (packages slurm-wlm and munge)"
    return "SLURM's daemons need root" if os.geteuid() != 0 else None


def _path():
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def _free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def _is_alive(process):
    try:
        return pathlib.Path("/proc", str(process), "stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def _send(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def _wait_until(is_done, seconds):
    give_up = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.05)
    return True


class Slurm:
    """To be used in a with statement: at its end no job, daemon or file of it is left. Nodes are called n1, n2, ..."""

    def __init__(self, nodes, node_timeout=300):
        self.nodes = [f"n{number}" for number in range(1, nodes + 1)]
        self._node_timeout = node_timeout  # seconds after which slurmctld takes a node for dead

    def __enter__(self):
        self._temporary = tempfile.TemporaryDirectory(prefix="dcheck-slurm-", ignore_cleanup_errors=True)
        self.folder = pathlib.Path(self._temporary.name)
        try:
            self._configure()
            self._start_munged()
            self.command(["slurmctld", "-f", self._configuration()])
            for node in self.nodes:
                self.start_node(node)
            self._wait_for_nodes()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _configuration(self):
        return self.folder / "slurm.conf"

    def environment(self):
        """For whatever submits jobs here. Nodes share one host name, so ranks on different ones must not take it for one machine."""
        found = {**MPI_ENVIRONMENT, "SLURM_CONF": str(self._configuration()), "PATH": _path()}
        if len(self.nodes) > 1:
            found["OMPI_MCA_btl"] = "self,tcp"
        return found

    def command(self, words, check=True):
        """One of SLURM's own commands; its output."""
        outcome = subprocess.run([str(word) for word in words], env={**os.environ, **self.environment()}, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=60)
        if check and outcome.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, words))}: {outcome.stderr.strip() or outcome.stdout.strip()}")
        return outcome.stdout.strip()

    def _configure(self):
        for name in ("state", "log"):
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)
        port, *ports = _free_ports(1 + len(self.nodes))
        host = socket.gethostname().split(".")[0]
        # Open MPI names its shared memory after host and job: two SLURMs at the same time must not have jobs of the same number.
        first_job = os.getpid() % 1_000_000 * 50 + 1
        text = CONFIGURATION.format(host=host, folder=self.folder, port=port, first_job=first_job, node_timeout=self._node_timeout)
        for node, its_port in zip(self.nodes, ports):
            (self.folder / "spool" / node).mkdir(parents=True)
            (self.folder / "tmp" / node).mkdir(parents=True)
            text += (f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={its_port} CPUs={NODE_CORES} Boards=1 SocketsPerBoard=1 "
                     f"CoresPerSocket={NODE_CORES} ThreadsPerCore=1 RealMemory={NODE_MEGABYTES}\n")
        text += ("PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1 GraceTime=20\n"
                 "PartitionName=urgent Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2\n")
        self._configuration().write_text(text)
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupMountpoint=/sys/fs/cgroup\nCgroupAutomount=no\n")

    def _start_munged(self):
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o600)
        self.command(["munged", "--force", f"--socket={self.folder}/munge.socket", f"--key-file={key}", f"--pid-file={self.folder}/munge.pid",
                      f"--log-file={self.folder}/log/munge", f"--seed-file={self.folder}/munge.seed"])

    def start_node(self, node):
        self.command(["slurmd", "-f", self._configuration(), "-N", node])

    def _wait_for_nodes(self):
        def are_idle():
            return self.command(["sinfo", "-h", "-N", "-p", "all", "-t", "idle", "-o", "%N"], check=False).split() == self.nodes
        if not _wait_until(are_idle, START_SECONDS):
            raise RuntimeError(f"SLURM's nodes did not come up: {self.command(['sinfo', '-h', '-N', '-l'], check=False)}")

    def crash(self, node):
        """What a power cut does to a node: its daemon and all that runs under it are gone without a word."""
        daemon = self._process_in(f"slurmd.{node}.pid")
        steps = [process for process in self._step_daemons() if self._step_is_on(process, node)]
        doomed = [daemon] + [below for step in steps for below in _family(step)]
        _send(doomed, signal.SIGKILL)

    def _process_in(self, name):
        return int((self.folder / name).read_text())

    def _daemons(self):
        found = []
        for path in self.folder.glob("*.pid"):
            try:
                found.append(int(path.read_text()))
            except ValueError:
                pass
        return found

    def _step_daemons(self):
        """The slurmstepd of ours: those that have a file below our folder open."""
        return [process for process in _processes_called("slurmstepd") if any(str(self.folder) in path for path in _open_files(process))]

    def _step_is_on(self, process, node):
        return f"{self.folder}/log/{node}" in _open_files(process)

    def left_of_jobs(self):
        """Processes of jobs, and those of SLURM that look after them."""
        return [below for step in self._step_daemons() for below in _family(step)]

    def __exit__(self, *_):
        try:
            self.command(["scancel", "--state=PENDING,RUNNING", "--user=root"], check=False)
            _wait_until(lambda: not self.command(["squeue", "-h"], check=False), 8)
        except (subprocess.TimeoutExpired, OSError):
            pass
        ours = [process for process in self._daemons() if _is_alive(process)] + self.left_of_jobs()
        _send(ours, signal.SIGTERM)
        # slurmctld goes on writing its state for a while: its process is waited for, not its file.
        if not _wait_until(lambda: not any(map(_is_alive, ours)), STOP_SECONDS):
            _send([process for process in ours if _is_alive(process)], signal.SIGKILL)
        self._temporary.cleanup()


def _processes_called(name):
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and pathlib.Path("/proc", entry, "comm").read_text().strip() == name:
                yield int(entry)
        except OSError:
            pass


def _open_files(process):
    folder = pathlib.Path("/proc", str(process), "fd")
    try:
        return [os.readlink(entry) for entry in folder.iterdir()]
    except OSError:
        return []


def _family(process):
    """The process and all below it."""
    found = [process]
    for parent in found:
        try:
            for thread in pathlib.Path("/proc", str(parent), "task").iterdir():
                found += map(int, (thread / "children").read_text().split())
        except OSError:
            pass
    return found
