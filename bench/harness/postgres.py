"""PostgreSQL clusters of one benchmark."""
import contextlib
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time

from harness.process import LOAD_CORE, favour


class Postgres:
    """A cluster of its own with the database and role `bench`, without fsync: the disk is not what is compared. With a port also on loopback."""

    def __init__(self, port=None):
        self.programs = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])).parent
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="toolpost-bench-"))
        self.user = "postgres" if os.getuid() == 0 else None
        if self.user:
            os.chown(self.folder, pwd.getpwnam(self.user).pw_uid, pwd.getpwnam(self.user).pw_gid)
        data = self.folder / "data"
        self._run("initdb", "-D", data, "-U", "super", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        listen = ["-c", "listen_addresses=127.0.0.1", "-c", f"port={port}"] if port else ["-c", "listen_addresses="]
        self.address = ["-h", self.folder, *(["-p", str(port)] if port else [])]
        self.server = subprocess.Popen([self.programs / "postgres", "-D", data, "-k", self.folder, *listen, "-c", "fsync=off",
                                        "-c", "shared_buffers=512MB"], user=self.user, stderr=subprocess.DEVNULL, cwd="/", start_new_session=True)
        # At the priority of all that is measured, and with a core it shares with the load generator alone: left to the scheduler its processes
        # pile up on the core of whoever wakes them, and the other one idles.
        favour(self.server.pid)
        os.sched_setaffinity(self.server.pid, {LOAD_CORE})
        deadline = time.monotonic() + 60
        while subprocess.run([self.programs / "pg_isready", "-q", *self.address], check=False).returncode != 0:
            if time.monotonic() > deadline:
                raise RuntimeError("PostgreSQL does not start")
            time.sleep(0.05)
        self.query("CREATE ROLE bench LOGIN", "postgres")
        self.query("CREATE DATABASE bench OWNER bench", "postgres")
        self.url = f"postgresql://bench@127.0.0.1:{port}/bench" if port else f"postgresql://bench@/bench?host={self.folder}"

    def _run(self, program, *arguments):
        subprocess.run([self.programs / program, *arguments], user=self.user, check=True, capture_output=True, cwd="/")

    def query(self, sql, database="bench"):
        done = subprocess.run([self.programs / "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *self.address, "-U", "super", "-d", database,
                               "-c", sql], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def stop(self):
        self.server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.server.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)
