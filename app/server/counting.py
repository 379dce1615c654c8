"""Several processes that count together: where each leaves its numbers for whichever is asked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

COUNTED_IN = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder; the package that counts looks for it when it is imported."""


@contextmanager
def counting_together(workers: int) -> Iterator[None]:
    """A folder for the processes that are started inside; gone when they have ended."""
    if workers == 1 or COUNTED_IN in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="podwright-metrics-") as folder:
        os.environ[COUNTED_IN] = folder
        try:
            yield
        finally:
            del os.environ[COUNTED_IN]
