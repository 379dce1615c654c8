"""An advisory lock between processes that share a SQLite database, so that concurrent saves are evaluated one at a time.

A save is evaluated before its transaction begins, as that locks the whole database, and what another process saves
meanwhile makes the work void: two busy processes would keep one another from saving. Only speed rests on this lock.
Whether a save still holds is decided by the version in its transaction, so a process that does not get the
lock in time goes on without it. A database server locks the row instead.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine

from app.db.engine import is_server

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

PATIENCE_S = 5.0
PAUSE_S = 0.001
SUFFIX = "-saving"
"""What the name of the file of locks ends in, beside that of the database."""


@contextmanager
def process_lock(engine: Engine, name: str) -> Iterator[None]:
    """The lock of a name, or nothing where it is not to be had in time. One thread of a process asks for it at a time.

    Two bytes of a file are locked: one is the lock, the other the head of the queue. The lock is only requested by the
    holder of the head, so that a process which releases it and asks again does not overtake one that waits.
    """
    file = _file_of(engine)
    if file is None:
        yield
        return
    number = zlib.crc32(name.encode())
    deadline = time.monotonic() + PATIENCE_S
    next_one, lock = 2 * number, 2 * number + 1
    held = False
    if _lock(file, next_one, deadline):
        held = _lock(file, lock, deadline)
        fcntl.lockf(file, fcntl.LOCK_UN, 1, next_one)
    try:
        yield
    finally:
        if held:
            fcntl.lockf(file, fcntl.LOCK_UN, 1, lock)


def _lock(file: int, place: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            return True
        except OSError:  # another process has it
            if time.monotonic() >= deadline:
                return False
            time.sleep(PAUSE_S)


_files: weakref.WeakKeyDictionary[Engine, int] = weakref.WeakKeyDictionary()
_guard = threading.Lock()


def _file_of(engine: Engine) -> int | None:
    """The file of locks, opened once: a process loses its locks on a file when it closes it anywhere."""
    if fcntl is None or is_server(engine) or engine.url.database in (None, "", ":memory:"):
        return None
    with _guard:
        if engine not in _files:
            path = Path(f"{engine.url.database}{SUFFIX}")
            try:
                file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError:  # a folder that cannot be written; the database says so
                return None
            weakref.finalize(engine, os.close, file)
            _files[engine] = file
        return _files[engine]
