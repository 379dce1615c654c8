"""Files and folders that may not be written, also where tests run with the rights to do everything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def read_only(folder: Path, *, file: bool, directory: bool) -> Iterator[None]:
    """This process may not write the files of a folder, or make others in it.

    Root may write everything, so it becomes somebody else meanwhile. What is imported for the first time
    inside may then be out of reach: ask for the same once before.
    """
    paths = [folder, *folder.iterdir()]
    before = {path: path.stat().st_mode for path in paths}
    is_root = os.geteuid() == 0
    for path in paths:
        if is_root:
            os.chown(path, NOBODY, NOBODY)
        locked = directory if path == folder else file
        path.chmod((0o555 if path == folder else 0o444) if locked else before[path])
    if is_root:
        os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        if is_root:
            os.setresuid(0, 0, 0)
        for path, mode in before.items():
            path.chmod(mode)
