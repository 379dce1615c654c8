"""Training frameworks and what their releases run: `seed_data/frameworks.csv`, a row a range of releases.

`python -m app.catalog.frameworks` prints the tables of `docs/training.md`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from app.catalog.seed_files import SeedRow, read_rows
from app.engine.specs import Framework
from app.paths import seed_data

FILE = "frameworks.csv"
ZERO_STAGES = ("0", "1", "2", "3")
LISTS: Mapping[str, tuple[str, ...]] = {
    "zero_stages": ZERO_STAGES,
    "pipeline_zero_stages": ZERO_STAGES,
    "schedules": ("1f1b", "interleaved", "zb_h1", "zb_v", "dualpipe", "moe_overlap"),
    "context_parallel": ("ring", "all_gather", "ulysses", "hybrid"),
    "precisions": ("bf16", "fp16", "fp8", "mxfp8", "nvfp4", "int8"),
    "recipes": ("fp8_delayed", "fp8_tensor", "fp8_block", "fp8_row", "mxfp8", "nvfp4", "int8"),
    "offload": ("optimizer", "activations"),
    "offload_to": ("host", "nvme"),
}
"""Columns that hold several words, parted by spaces, and the words that may stand there."""
WORDS: Mapping[str, tuple[str, ...]] = {
    "hardware": ("gpu", "compiled"),
    "automatic": ("search", "stated", "no"),
    "uneven_stages": ("no", "ends", "any"),
    "pipeline_micro_batches": ("any", "multiple"),
    "interleaved_micro_batches": ("any", "at_least", "multiple", "rounds"),
    "context_chunks": ("1", "2"),
    "sequence_parallel": ("yes", "no"),
    "sequence_by_tensor": ("yes", "no"),
    "expert_parallel": ("yes", "no"),
    "expert_tensor_parallel": ("yes", "no"),
    "whole_batch": ("yes", "no"),
    "shard_groups": ("yes", "no"),
}
TEXTS = ("key", "name", "first_release", "first_date", "last_release", "last_date", "source")
COLUMNS = (*TEXTS, *LISTS, *WORDS, "recalled", "note")
SEARCHED, STATED = "search", "stated"
SWITCHES = (
    "sequence_parallel", "sequence_by_tensor", "expert_parallel", "expert_tensor_parallel", "whole_batch",
    "shard_groups",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameworkRow:
    """Releases of a framework: the rules for its layouts, and its row as the docs print it."""

    framework: Framework
    hardware: str  # gpu | compiled: TPU and Trainium
    automatic: str  # search: `auto` searches it; stated: it takes stated layouts that those do not run
    cells: Mapping[str, str]  # as printed


@cache
def framework_rows(directory: Path | None = None) -> tuple[FrameworkRow, ...]:
    """Every row, in file order: the releases of a framework from the oldest on.

    Raises
    ------
    SeedError : a cell cannot be used
    """
    return tuple(_row(row) for row in read_rows(directory or seed_data(), FILE, COLUMNS))


@cache
def frameworks() -> dict[str, Framework]:
    """The newest releases of every framework by key, with what former ones ran."""
    found: dict[str, Framework] = {}
    for row in framework_rows():
        one, before = row.framework, found.get(row.framework.key)
        former = () if before is None else (replace(before, earlier=()), *before.earlier)
        found[one.key] = replace(one, earlier=former)
    return found


@cache
def automatic_frameworks(hardware: str, automatic: str) -> tuple[str, ...]:
    """Keys of frameworks that `auto` stands for on some hardware, in file order."""
    keys = [
        row.framework.key
        for row in framework_rows()
        if (row.hardware, row.automatic) == (hardware, automatic)
    ]
    return tuple(dict.fromkeys(keys))


def _row(row: SeedRow) -> FrameworkRow:
    cells = row.cells
    for column in TEXTS:
        if not cells[column]:
            raise row.error(column, "is missing")
    for column, known in WORDS.items():
        if cells[column] not in known:
            raise row.error(column, f"{cells[column]!r} is none of {', '.join(known)}")
    for column, known in LISTS.items():
        for word in cells[column].split():
            if word not in known:
                raise row.error(column, f"{word!r} is none of {', '.join(known)}")
    for word in cells["recalled"].split():
        if word not in COLUMNS:
            raise row.error("recalled", f"{word!r} is no column")
    lists: dict[str, Any] = {name: tuple(cells[name].split()) for name in LISTS if name != "recipes"}
    switches: dict[str, Any] = {name: cells[name] == "yes" for name in SWITCHES}
    for name in ("zero_stages", "pipeline_zero_stages"):
        lists[name] = tuple(int(word) for word in lists[name])
    return FrameworkRow(
        framework=Framework(
            key=cells["key"],
            name=cells["name"],
            first_release=cells["first_release"],
            uneven_stages=cells["uneven_stages"],
            pipeline_micro_batches=cells["pipeline_micro_batches"],
            interleaved_micro_batches=cells["interleaved_micro_batches"],
            context_chunks=int(cells["context_chunks"]),
            **switches,
            **lists,
        ),
        hardware=cells["hardware"],
        automatic=cells["automatic"],
        cells=cells,
    )


# -- as docs/training.md tells it -----------------------------------------------------------------------------------

STAGES_SAID = {"no": "even", "ends": "even, ends may count", "any": "any"}
MICRO_BATCHES_SAID = {
    "any": "any",
    "at_least": "at least pp",
    "multiple": "multiples of pp",
    "rounds": "rounds of one length",
}
HEADINGS = (
    "framework", "releases", "ZeRO", "ZeRO with pp", "schedules", "stages", "micro-batches with vpp", "cp",
    "sp, ep, etp", "precisions and recipes", "batch", "offload", "shard groups",
)  # fmt: skip


def frameworks_markdown() -> str:
    """Two tables: what the releases of each framework run, and where that was read."""
    rows = framework_rows()
    lines = [_line(HEADINGS), _line("---" for _ in HEADINGS), *(_line(_told(row)) for row in rows), ""]
    lines += [
        _line(("framework", "source", "recalled, not read in it", "note")),
        _line("---" for _ in range(4)),
    ]
    for row in rows:
        recalled = ", ".join(name.replace("_", " ") for name in row.cells["recalled"].split())
        name = f"{row.framework.name} {row.framework.first_release}"
        lines.append(_line((name, row.cells["source"], recalled, row.cells["note"])))
    return "\n".join(lines) + "\n"


def _told(row: FrameworkRow) -> Iterator[str]:
    one, cells = row.framework, row.cells
    yield one.name
    first, last = (f"{cells[f'{end}_release']} ({cells[f'{end}_date']})" for end in ("first", "last"))
    yield first if first == last else f"{first} to {last}"
    yield cells["zero_stages"].replace(" ", ", ")
    yield cells["pipeline_zero_stages"].replace(" ", ", ") or "no pipeline"
    yield cells["schedules"].replace(" ", ", ")
    yield STAGES_SAID[one.uneven_stages] if one.pipeline_zero_stages else ""
    with_vpp = MICRO_BATCHES_SAID[one.interleaved_micro_batches] if "interleaved" in one.schedules else ""
    yield f"{with_vpp}, without too" if one.pipeline_micro_batches == "multiple" else with_vpp
    pieces = f", {one.context_chunks} pieces a rank" if one.context_chunks > 1 else ""
    yield cells["context_parallel"].replace(" ", ", ") + pieces if one.context_parallel else "no"
    yield ", ".join(
        word
        for word, column in (
            ("sp", "sequence_parallel"),
            ("ep", "expert_parallel"),
            ("etp", "expert_tensor_parallel"),
        )
        if cells[column] == "yes"
    )
    yield ", ".join(dict.fromkeys((*one.precisions, *cells["recipes"].split())))
    yield "whole" if one.whole_batch else "padded"
    yield f"{' and '.join(one.offload)} to {' or '.join(one.offload_to)}" if one.offload else "none"
    yield "yes" if one.shard_groups else "no"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.stdout.write(frameworks_markdown())
