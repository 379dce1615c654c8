"""Servers that start at once: forks of a process that has imported everything and holds nothing open.

`python -m tests.soak.forking` reads a line for each server to start (port, data folder, database address,
log file) and answers with its process id. What serves is `podwright serve` itself.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.running_server import environment_of, free_port


@dataclass
class Forked:
    """A server that can be killed and started again, over one database."""

    parent: subprocess.Popen[str]
    data_dir: Path
    database_url: str
    port: int
    pid: int | None = None

    def start(self) -> None:
        """Running and ready; one that runs already stays."""
        if self.pid is None:
            assert self.parent.stdin is not None
            assert self.parent.stdout is not None
            log = self.data_dir / "server.log"
            order = [self.port, str(self.data_dir), self.database_url, str(log)]
            self.parent.stdin.write(json.dumps(order) + "\n")
            self.parent.stdin.flush()
            self.pid = int(self.parent.stdout.readline())
        self.wait()

    def wait(self, patience_s: float = 60) -> None:
        """Until it answers that it is ready."""
        deadline = time.monotonic() + patience_s
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=10).close()
                return
            except OSError as error:
                if isinstance(error, urllib.error.HTTPError):
                    error.close()
            time.sleep(0.01)
        raise RuntimeError(f"not ready within {patience_s} s:\n{(self.data_dir / 'server.log').read_text()}")

    def kill(self) -> None:
        """As by `kill -9`."""
        if self.pid is not None:
            os.kill(self.pid, signal.SIGKILL)
            self.pid = None


@contextmanager
def forked_server(data_dir: Path, database_url: str) -> Iterator[Forked]:
    """A server that is started, killed and started again by its caller; gone on leaving."""
    command = [sys.executable, "-m", "tests.soak.forking"]
    with subprocess.Popen(
        command,
        env=environment_of(data_dir, database_url),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        server = Forked(parent, data_dir, database_url, free_port())
        try:
            yield server
        finally:
            server.kill()
            parent.terminate()


def _warm_up() -> None:
    """What a process imports and works out once for its first evaluation, over a database that is gone then."""
    from app.catalog.ready import ready_catalog, ready_engine
    from app.scenarios.evaluation.service import evaluate_scenario
    from app.scenarios.examples import example
    from app.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database_url=f"sqlite:///{folder}/podwright.db")
        evaluate_scenario(example("edge_node").read(), ready_catalog(settings))
        ready_engine(settings).dispose()


def main() -> None:
    import app.main  # noqa: F401  # what a start takes its time for
    from app.surfaces.cli import server

    _warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that were killed
    for line in sys.stdin:
        port, data_dir, address, log = json.loads(line)
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.environ |= {"PODWRIGHT_DATA_DIR": data_dir, "DATABASE_URL": address}
            with open(log, "ab") as output, open(os.devnull, "rb") as nothing:
                os.dup2(nothing.fileno(), 0)
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
            server.serve(host="127.0.0.1", port=port, workers=1)
            os._exit(0)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
