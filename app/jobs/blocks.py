"""A chunk of a sweep computed and packed: columns of numbers, compressed, and never pickled objects."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app import __version__
from app.engine.trace import Array
from app.scenarios.sweeping.chunks import Chunk, computed

QUICK = 1  # a higher level takes several times as long for a few percent less
NUMBER = np.dtype("<f8")
LENGTH = np.dtype("<u4")


class OtherVersionError(RuntimeError):
    """A worker runs another version of Podwright, which need not give the same figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Results of the designs `start` up to `start + count`, as they are stored."""

    number: int
    start: int
    count: int
    feasible: int
    figures: bytes
    limits: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetChunk:
    """A task of a fleet: `document` in plain values, and the number of the task."""

    number: int
    document: dict[str, Any]


AnyChunk = Chunk | FleetChunk


def computed_block(chunk: AnyChunk, version: str) -> Block:
    """Compute a chunk, in a worker: the result depends on the chunk alone.

    Raises
    ------
    OtherVersionError : the caller runs another version
    """
    if version != __version__:
        raise OtherVersionError(
            f"a worker runs Podwright {__version__}, and this is {version}: use one version"
        )
    if isinstance(chunk, FleetChunk):
        from app.jobs.fleets import fleet_block  # what it imports takes a while, and sweeps do without

        return fleet_block(chunk)
    found = computed(chunk)
    return Block(
        number=found.number,
        start=found.start,
        count=chunk.stop - chunk.start,
        feasible=int(np.count_nonzero(found.limits == 0)),
        figures=packed_figures(found.values),
        limits=zlib.compress(found.limits.tobytes(), QUICK),
    )


def packed_figures(values: Array) -> bytes:
    """Figures of shape (outputs, designs), each output by itself so that it can be read by itself: how many
    there are, how long each is, and then they."""
    columns = [zlib.compress(np.ascontiguousarray(row, dtype=NUMBER).tobytes(), QUICK) for row in values]
    lengths = np.array([len(columns), *map(len, columns)], dtype=LENGTH)
    return lengths.tobytes() + b"".join(columns)


def figures_of(packed: bytes, places: Sequence[int] | None = None) -> Array:
    """Figures of shape (outputs, designs); with `places` those of some outputs."""
    count = int(np.frombuffer(packed, dtype=LENGTH, count=1)[0])
    lengths = np.frombuffer(packed, dtype=LENGTH, count=count + 1)[1:]
    ends = (count + 1) * LENGTH.itemsize + np.cumsum(lengths, dtype=np.int64)
    chosen = range(count) if places is None else places
    columns = [zlib.decompress(packed[ends[place] - lengths[place] : ends[place]]) for place in chosen]
    return np.stack([np.frombuffer(column, dtype=NUMBER) for column in columns])


def limits_of(packed: bytes) -> NDArray[np.uint8]:
    """0 where a design is feasible, else what it breaks, by design."""
    return np.frombuffer(zlib.decompress(packed), dtype=np.uint8)
