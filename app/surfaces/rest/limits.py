"""Limits of one request, and of concurrent requests."""

from __future__ import annotations

import os
from dataclasses import dataclass

from app.scenarios.reading.json_text import MOST_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The defaults suit a server of a few cores; a scenario takes 20 to 200 ms of one."""

    most_body_bytes: int = MOST_BYTES
    most_batch_bytes: int = 8_000_000  # of JSON; what the server takes at all
    most_batch_values: int = 500_000
    most_batch_kept_bytes: int = 32_000_000  # answers that a later scenario of the batch has in common
    time_limit_s: float = 10.0
    workers: int = min(4, os.cpu_count() or 1)
    most_under_way: int = 128  # evaluations that run or wait for a worker
    retry_after_s: int = 2
    most_errors: int = 50  # listed in one answer
    most_items: int = 500  # on one page of the catalog
    usual_items: int = 50
    most_filters: int = 40
