"""Starting, pinning and reading the processes under measurement."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import time

SERVER_CORE = 0
LOAD_CORE = 1


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def favour(pid):
    """Where allowed, the highest priority for a process that leads its session, and for those it starts from now on."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, -20)
        with open(f"/proc/{pid}/autogroup", "w") as group:
            group.write("-20")


def isolate(core, patient=False):
    """Runs in the child: one core, and where allowed a scheduler group of its own at high priority. Who is patient interrupts nobody when woken."""
    def prepare():
        os.setsid()
        os.sched_setaffinity(0, {core})
        favour(os.getpid())
        if patient:
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    return prepare


def run_pinned(command, core=LOAD_CORE, timeout=600, patient=False):
    """Runs a load generator to its end and returns the JSON of its last line."""
    done = subprocess.run(command, preexec_fn=isolate(core, patient), capture_output=True, text=True, timeout=timeout)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


class Server:
    """An HTTP server on the server's core. It logs every call; the log is discarded by the kernel."""

    def __init__(self, name, command, port, env=None):
        self.name = name
        self.port = port
        self.process = subprocess.Popen(
            command, preexec_fn=isolate(SERVER_CORE), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={**os.environ, **(env or {})})
        self._await_port(command)

    def _await_port(self, command):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.01)
        self.stop()
        raise RuntimeError(f"{self.name} does not listen; try it by hand: {' '.join(command)}")

    def cpu_seconds(self):
        """Of all threads, with those that have ended."""
        return time.clock_gettime(~self.process.pid << 3 | 2)  # clock_getcpuclockid

    def _status_mib(self, field):
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith(f"{field}:"):
                    return int(line.split()[1]) / 1024
        return 0.0

    def rss_mib(self):
        return self._status_mib("VmRSS")

    def peak_mib(self):
        """The most since forget_peak."""
        return self._status_mib("VmHWM")

    def forget_peak(self):
        with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
            file.write("5")

    def stop(self):
        """Ends the server and returns what it printed."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.communicate(timeout=20)[0].decode()
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.communicate()[0].decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
