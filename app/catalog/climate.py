"""Hourly years: reading and checking the files, packing them for the database, binning them."""

from __future__ import annotations

import base64
import gzip
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from app.catalog.errors import SeedError
from app.catalog.values import ClimateYear
from app.engine.trace import Array

HOURS = 8760
TIME_COLUMNS = ("month", "day", "hour")
# Columns of the hours, with the decimals they are printed with.
COLUMNS = {
    "dry_bulb_c": 1,
    "dew_point_c": 1,
    "rh_pct": 0,
    "pressure_pa": 0,
    "wet_bulb_c": 1,
    "wind_m_s": 1,
}
BIN_WIDTH_K = 0.5
MEAN_TOLERANCE_K = 0.02  # index.csv prints two decimals
LIMITS = {
    "dry_bulb_c": (-70.0, 60.0),
    "dew_point_c": (-90.0, 60.0),
    "rh_pct": (0.0, 110.0),  # sources report up to 110 in fog
    "pressure_pa": (50e3, 110e3),
    "wet_bulb_c": (-70.0, 60.0),
    "wind_m_s": (0.0, 100.0),
}
WET_ABOVE_DRY_K = 0.1  # both are rounded to a tenth


def read_hours(seed_dir: Path, key: str) -> dict[str, Array]:
    """The hourly columns of one climate file.

    Raises
    ------
    SeedError : the file is missing, or a cell is not a number or not plausible
    """
    file = f"climate/{key}.csv.gz"
    try:
        text = gzip.decompress((seed_dir / file).read_bytes()).decode()
    except FileNotFoundError:
        raise SeedError(file=file, line=0, column="", reason="the file is missing") from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise SeedError(file=file, line=0, column="", reason=f"cannot be unpacked: {error}") from None
    header, _, body = text.partition("\n")
    names = header.strip().split(",")
    expected = [*TIME_COLUMNS, *COLUMNS]
    if sorted(names) != sorted(expected):
        raise SeedError(file=file, line=1, column="", reason=f"columns {names}, expected {expected}")
    lines = body.rstrip("\n").split("\n")
    if len(lines) != HOURS:
        raise SeedError(file=file, line=len(lines) + 1, column="", reason=f"{len(lines)} hours, not {HOURS}")
    try:
        cells = _parse(lines).reshape(HOURS, len(names))
    except ValueError:
        raise _bad_cell(file, names, lines) from None
    hours = {name: cells[:, names.index(name)] for name in COLUMNS}
    _check_plausible(file, hours)
    return hours


def checksum(seed_dir: Path, key: str) -> str:
    """Fingerprint of a climate file: its last bytes, as gzip ends with a checksum and a length."""
    with (seed_dir / "climate" / f"{key}.csv.gz").open("rb") as file:
        file.seek(-8, os.SEEK_END)
        return file.read().hex()


def _parse(lines: list[str]) -> Array:
    text = ",".join(lines)
    try:
        return np.array(orjson.loads(f"[{text}]"), dtype=float)  # ten times as fast as what follows
    except (orjson.JSONDecodeError, TypeError):
        return np.array(text.split(","), dtype=float)


def _bad_cell(file: str, names: list[str], lines: list[str]) -> SeedError:
    for number, line in enumerate(lines, start=2):
        cells = line.split(",")
        if len(cells) != len(names):
            reason = f"{len(cells)} cells where the header has {len(names)}"
            return SeedError(file=file, line=number, column="", reason=reason)
        for name, cell in zip(names, cells, strict=True):
            try:
                float(cell)
            except ValueError:
                return SeedError(file=file, line=number, column=name, reason=f"{cell!r} is not a number")
    return SeedError(file=file, line=2, column="", reason="cannot be read")


def _check_plausible(file: str, hours: Mapping[str, Array]) -> None:
    for name, (low, high) in LIMITS.items():
        bad = np.flatnonzero(~((hours[name] >= low) & (hours[name] <= high)))
        if bad.size:
            reason = f"{hours[name][bad[0]]:g} is not between {low:g} and {high:g}"
            raise SeedError(file=file, line=int(bad[0]) + 2, column=name, reason=reason)
    above = np.flatnonzero(hours["wet_bulb_c"] > hours["dry_bulb_c"] + WET_ABOVE_DRY_K)
    if above.size:
        raise SeedError(file=file, line=int(above[0]) + 2, column="wet_bulb_c", reason="is above dry_bulb_c")


def pack(hours: Mapping[str, Array]) -> bytes:
    """The columns as compressed little-endian float32, one column after the other."""
    return zlib.compress(np.array([hours[name] for name in COLUMNS], dtype="<f4").tobytes(), 1)


def unpack(data: bytes, columns: str, hours: int) -> dict[str, Array]:
    """The columns as they were printed: float32 is exact after rounding to the printed decimals."""
    names = columns.split(",")
    block = np.frombuffer(zlib.decompress(data), dtype="<f4").reshape(len(names), hours).astype(float)
    return {name: np.round(row, COLUMNS.get(name, 6)) for name, row in zip(names, block, strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True)
class BinnedYear:
    """Hours that are alike, together: bin means, and how many hours each bin stands for."""

    dry_bulb_c: Array
    wet_bulb_c: Array
    pressure_pa: Array
    hours: Array


def binned(*, dry_bulb_c: Array, wet_bulb_c: Array, pressure_pa: Array) -> BinnedYear:
    """A year binned by dry and wet bulb in steps of 0.5 K, for samples and sweeps."""
    dry = np.floor(dry_bulb_c / BIN_WIDTH_K).astype(np.int64)
    wet = np.floor(wet_bulb_c / BIN_WIDTH_K).astype(np.int64)
    span = wet.max() - wet.min() + 1
    _, index = np.unique((dry - dry.min()) * span + (wet - wet.min()), return_inverse=True)
    count = np.bincount(index).astype(float)
    return BinnedYear(
        dry_bulb_c=np.bincount(index, dry_bulb_c) / count,
        wet_bulb_c=np.bincount(index, wet_bulb_c) / count,
        pressure_pa=np.bincount(index, pressure_pa) / count,
        hours=count,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptYear:
    """Words of a year, and its hours packed; some 100 kB."""

    key: str
    name: str
    country: str
    year_kind: str
    humidity: str
    note: str
    source: str
    credit: str
    licence: str
    ship: str
    digest: str
    own: str
    hours: str  # base64 of the packed columns

    @classmethod
    def of(cls, year: ClimateYear) -> KeptYear:
        """The year as text."""
        packed = pack({name: getattr(year, name) for name in COLUMNS})
        words = {name: getattr(year, name) for name in WORDS}
        return cls(**words, hours=base64.b64encode(packed).decode())

    def year(self) -> ClimateYear:
        """The year that it was made of."""
        words: dict[str, Any] = {name: getattr(self, name) for name in WORDS}
        hours: dict[str, Any] = dict(unpack(base64.b64decode(self.hours), ",".join(COLUMNS), HOURS))
        bins = binned(
            dry_bulb_c=hours["dry_bulb_c"], wet_bulb_c=hours["wet_bulb_c"], pressure_pa=hours["pressure_pa"]
        )
        return ClimateYear(
            **words,
            **hours,
            binned_dry_bulb_c=bins.dry_bulb_c,
            binned_wet_bulb_c=bins.wet_bulb_c,
            binned_pressure_pa=bins.pressure_pa,
            binned_hours=bins.hours,
        )


WORDS = tuple(field.name for field in fields(KeptYear) if field.name != "hours")
