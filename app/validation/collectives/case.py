"""A row as a collective that the engine can time, with what was measured of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.catalog.lookup import Catalog
from app.validation.collectives.accelerator import accelerator_of
from app.validation.collectives.experts import ExpertTraffic, expert_traffic
from app.validation.collectives.place import Place, place_of
from app.validation.rows import Row, UnsupportedRowError

COLUMNS = ("accelerator", "num_accelerators", "collective", "message_size_bytes")

NAMES = {
    "allreduce": "all_reduce",
    "allgather": "all_gather",
    "reducescatter": "reduce_scatter",
    "alltoall": "all_to_all",
    "broadcast": "broadcast",
    "reduce": "broadcast",  # as long, the other way about
    "sendrecv": "send_receive",
    "sendreceive": "send_receive",
    "pointtopoint": "send_receive",
    "p2p": "send_receive",
    "moedispatch": "moe_dispatch",
    "moecombine": "moe_combine",
}
"""What a row may call a collective, without dashes and the like, and which one it is."""

ONE_PROCESS = re.compile(r"one process|single process", re.IGNORECASE)
# "NCCL Ring", "NVLS disabled"; but not "NVLS, or Ring/Tree".
RING_ONLY = re.compile(r"nvls disabled|(?<!/)\bring\b(?!/)", re.IGNORECASE)


@dataclass(frozen=True)
class Case:
    """One measured collective. `message_bytes` is the buffer as nccl-tests counts it."""

    row: Row
    collective: str
    message_bytes: float
    place: Place
    experts: ExpertTraffic | None
    separate_processes: bool
    ring_only: bool
    measured_s: float

    @property
    def system(self) -> str:
        return self.row.text("system") or self.row.text("accelerator")


def case_of(row: Row, catalog: Catalog) -> Case:
    """A row as a collective.

    Raises
    ------
    UnsupportedRowError : the row lacks what nothing else says, or measures what the model does not time
    """
    name = re.sub(r"[^a-z0-9]", "", row.text("collective").lower().removesuffix("_perf"))
    if name not in NAMES:
        raise UnsupportedRowError(f"the collective {row.text('collective')!r} is not modelled")
    collective = NAMES[name]
    place = place_of(row, accelerator_of(row, catalog), catalog)
    if place.ranks <= 1:
        raise UnsupportedRowError("one rank exchanges nothing")
    library = row.text("algorithm_or_library")
    expert = collective.startswith("moe")
    traffic = expert_traffic(row, place, combine=collective == "moe_combine") if expert else None
    size = row.number("message_size_bytes") or 0.0
    if not expert and size <= 0:
        raise UnsupportedRowError("message_size_bytes is not given")
    return Case(
        row=row,
        collective=collective,
        message_bytes=size,
        place=place,
        experts=traffic,
        separate_processes=not expert and not ONE_PROCESS.search(library),
        ring_only=bool(RING_ONLY.search(library)),
        measured_s=_measured_s(row, collective, size, place.ranks),
    )


def _measured_s(row: Row, collective: str, size: float, ranks: float) -> float:
    """The time as printed, else from a bandwidth as nccl-tests defines it.

    Raises
    ------
    UnsupportedRowError : neither was measured
    """
    time = row.number("time_us")
    if time:
        return time * 1e-6
    moved = {"all_reduce": 2 * (ranks - 1) / ranks, "broadcast": 1.0, "send_receive": 1.0}
    for column, share in (
        ("algbw_gb_s", 1.0),
        ("busbw_gb_s", moved.get(collective, (ranks - 1) / ranks)),
    ):
        rate = row.number(column)
        if rate and size:
            return share * size / (rate * 1e9)
    raise UnsupportedRowError("no time was measured, and no bandwidth with a message size")
