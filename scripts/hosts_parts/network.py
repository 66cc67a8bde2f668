"""Several hosts on one machine: network namespaces with an address each, on a bridge that is in a namespace too, so that
nothing of it touches the machine's own interfaces. Hosts are called h1, h2, ...; processes and files are the machine's."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time

from campaign_parts.launch import MPI_ENVIRONMENT

AGENT = pathlib.Path(__file__).resolve().parent / "agent"
SUBNET = "10.99.0"


def reason_not_to():
    """Why this machine cannot have such hosts; None where it can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    name = f"dcheck-{os.getpid()}-try"
    try:
        made = _ip("netns", "add", name, check=False)
        if made.returncode == 0:
            made = _ip("-n", name, "link", "add", "eth0", "type", "veth", "peer", "name", "port1", check=False)
            _ip("netns", "del", name)
    except FileNotFoundError:
        return "there is no ip command (package iproute2)"
    return None if made.returncode == 0 else f"no network namespaces here: {made.stderr.strip()}"


def _ip(*words, check=True):
    outcome = subprocess.run(["ip", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if check and outcome.returncode != 0:
        raise RuntimeError(f"ip {' '.join(words)}: {outcome.stderr.strip()}")
    return outcome


class Network:
    """To be used in a with statement: at its end nothing is left, neither namespaces nor processes in them."""

    def __init__(self, hosts):
        self._prefix = f"dcheck-{os.getpid()}-"
        self._bridge = f"{self._prefix}bridge"
        self._names = [f"h{i}" for i in range(1, hosts + 1)]

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="dcheck-hosts-")
        try:
            self._make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _make(self):
        _ip("netns", "add", self._bridge)
        _ip("-n", self._bridge, "link", "add", "bridge", "type", "bridge")
        _ip("-n", self._bridge, "link", "set", "bridge", "up")
        for number, name in enumerate(self._names, 1):
            space = self._prefix + name
            _ip("netns", "add", space)
            _ip("-n", space, "link", "set", "lo", "up")
            _ip("link", "add", "eth0", "netns", space, "type", "veth", "peer", "name", f"port{number}", "netns", self._bridge)
            _ip("-n", self._bridge, "link", "set", f"port{number}", "master", "bridge", "up")
            _ip("-n", space, "address", "add", f"{SUBNET}.{number}/24", "dev", "eth0")
            _ip("-n", space, "link", "set", "eth0", "up")

    def __exit__(self, *_):
        for process in self.processes():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for space in [self._prefix + name for name in self._names] + [self._bridge]:
            _ip("netns", "del", space, check=False)
        self._folder.cleanup()

    def cut(self, host):
        """From now on nothing gets to or from host number `host`, and nobody is told: its own interface stays up."""
        _ip("-n", self._bridge, "link", "set", f"port{host}", "nomaster")

    def processes_by_host(self):
        spaces = [self._prefix + name for name in self._names]
        return [list(map(int, _ip("netns", "pids", space, check=False).stdout.split())) for space in spaces]

    def processes(self):
        """All that run on the hosts."""
        return [process for some in self.processes_by_host() for process in some]

    def processes_left(self, patience):
        """Those that are there after so many seconds at most."""
        give_up = time.monotonic() + patience
        while (left := self.processes()) and time.monotonic() < give_up:
            time.sleep(0.05)
        return left

    def command(self, ranks, words):
        """Runs `words` on the hosts, ranks dealt out evenly in their order; mpirun itself runs on the first one."""
        hostfile = pathlib.Path(self._folder.name, "hosts")
        slots = -(-ranks // len(self._names))
        hostfile.write_text("".join(f"{name} slots={slots}\n" for name in self._names))
        mca = {"plm": "rsh", "plm_rsh_agent": str(AGENT), "btl": "self,tcp", "btl_tcp_if_include": f"{SUBNET}.0/24",
               "oob_tcp_if_include": f"{SUBNET}.0/24"}
        options = [word for name, value in mca.items() for word in ("--mca", name, value)]
        mpirun = ["mpirun", "--quiet", "--hostfile", str(hostfile), *options, "-n", str(ranks), *map(str, words)]
        first = self._names[0]
        return ["ip", "netns", "exec", self._prefix + first, "unshare", "--uts", "bash", "-c", 'hostname "$0" && exec "$@"',
                first, *mpirun]

    def environment(self):
        """mpirun's own files are in a folder that goes with the network: a killed mpirun leaves them behind."""
        return {**MPI_ENVIRONMENT, "DCHECK_HOSTS_PREFIX": self._prefix, "OMPI_MCA_orte_tmpdir_base": self._folder.name}
