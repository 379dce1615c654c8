"""A PostgreSQL server of one's own, thrown away at the end: `python -m tests.postgres COMMAND...`.

The command finds its address in PODWRIGHT_TEST_POSTGRES. Where that is set already, the server there is
used: any role that may create databases will do.
"""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

VARIABLE = "PODWRIGHT_TEST_POSTGRES"
CONNECTIONS = 1000  # many files of tests leave engines open until they end
CLUSTER = (
    "--username=postgres",
    "--auth=trust",  # its socket is in a folder that nobody else may enter
    "--no-sync",
    # sorts as people do, unlike SQLite: what depends on the order of the server shows
    *("--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en"),
)
IN_MEMORY = Path("/dev/shm")
ROOM = 4 * 2**30  # bytes; databases of tests are small, and there are many
HASTE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


def server_programs() -> Path | None:
    """The folder of initdb and postgres: on the path, or where Debian puts them."""
    beside = [
        shutil.which("initdb") or "",
        *sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True),
    ]
    for found in filter(None, beside):
        folder = Path(found).resolve().parent
        if (folder / "postgres").exists():
            return folder
    return None


@dataclass
class Postgres:
    """A server that listens on a socket in a folder of its own."""

    programs: Path
    folder: Path
    options: tuple[str, ...]
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def prepare(self) -> None:
        """An empty cluster."""
        command = [str(self.programs / "initdb"), "-D", str(self.folder / "data"), *CLUSTER]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **_somebody())

    def start(self, patience_s: float = 60) -> None:
        """Listening, and recovered from whatever came before."""
        settings = (
            "listen_addresses=",
            f"unix_socket_directories={self.folder}",
            f"max_connections={CONNECTIONS}",
            *self.options,
        )
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, *(f"-c{setting}" for setting in settings)], stdout=log, stderr=log, **_somebody()
            )
        deadline = time.monotonic() + patience_s
        while True:
            try:
                psycopg.connect(self.address).close()
                return
            except psycopg.OperationalError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT closes all connections in order; SIGQUIT drops everything, as a crash does."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=60)
            self.process = None


@contextmanager
def running_postgres(*, durable: bool = False) -> Iterator[Postgres]:
    """A server that is gone on leaving; one that is not durable is quicker and survives no crash.

    Raises
    ------
    RuntimeError : no server is installed
    """
    programs = server_programs()
    if programs is None:
        raise RuntimeError("no PostgreSQL server found; on Debian: apt-get install postgresql")
    quick = not durable and IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ROOM
    with tempfile.TemporaryDirectory(prefix="pg-", dir=IN_MEMORY if quick else None) as made:
        folder = Path(made)
        if os.geteuid() == 0:
            shutil.chown(folder, *_somebody().values())
        server = Postgres(programs, folder, () if durable else HASTE)
        server.prepare()
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _somebody() -> dict[str, str | int]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    entry = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": entry.pw_uid, "group": entry.pw_gid}


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server ends as well
    if os.environ.get(VARIABLE):
        return subprocess.run(sys.argv[1:], check=False).returncode
    try:
        with running_postgres() as server:
            return subprocess.run(
                sys.argv[1:], env={**os.environ, VARIABLE: server.address}, check=False
            ).returncode
    except RuntimeError as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
