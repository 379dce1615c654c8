"""A year that someone uploads as the catalog keeps it: hours, statistics, and what was done to the file."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.catalog.climate import pack
from app.catalog.columns import numeric_columns
from app.catalog.kinds.climate import ClimateIndex
from app.catalog.own.entries import FaultError, OwnSource
from app.catalog.own.parsing import check_source
from app.catalog.weather.epw import read_epw
from app.catalog.weather.gaps import mended
from app.engine.trace import Array

UNKNOWN_KIND = "kind of year not stated"
MOST_LETTERS = 200
KEY = r"[a-z0-9][a-z0-9_]{0,63}"


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Statements of the uploader about a year.

    Those left out are taken from the file; an unknown licence stays unknown.
    """

    name: str = ""
    year_kind: str = ""
    source: str = ""
    url: str = ""
    licence: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedYear:
    """A year ready to be written; `attributes` and `statistics` as of a built-in one."""

    key: str
    name: str
    country: str
    year_kind: str
    attributes: dict[str, str]
    statistics: dict[str, dict[str, Any]]
    data: bytes
    digest: str
    source: OwnSource
    notes: tuple[str, ...]


def uploaded_year(key: str, content: bytes, about: About) -> UploadedYear:
    """The year of a file.

    Raises
    ------
    FaultError : it is not said where the file comes from
    WeatherError : the file cannot be used
    """
    source = OwnSource(
        citation=about.source.strip(),
        url=about.url,
        licence=about.licence,
        as_of=about.as_of,
        value_kind="third_party",
    )
    _check_words(key, about)
    check_source(source, has_figures=bool(about.as_of))
    file = read_epw(content)
    hours, notes = mended(file)
    data = pack(hours)
    country = file.country if len(file.country) == 2 else ""
    beside = f", {file.country}" if file.country and not country else ""
    name = about.name or f"{file.city or key}{beside}"
    year_kind = about.year_kind or file.origin or UNKNOWN_KIND
    return UploadedYear(
        key=key,
        name=name[:MOST_LETTERS],
        country=country,
        year_kind=year_kind[:MOST_LETTERS],
        attributes={
            "name": name[:MOST_LETTERS],
            "country": country,
            "year_kind": year_kind[:MOST_LETTERS],
            "humidity": "as in the uploaded file",
            "licence_note": about.licence or "not stated: ask before passing it on",
            "notes": "; ".join(notes),
        },
        statistics=statistics_of(
            hours, (file.latitude, file.longitude, file.elevation_m, file.utc_offset_hours), about.as_of
        ),
        data=data,
        digest=hashlib.sha256(data).hexdigest()[:16],
        source=source,
        notes=notes,
    )


def _check_words(key: str, about: About) -> None:
    if not re.fullmatch(KEY, key):
        raise FaultError(
            "The key is not lower-case letters, digits and underscores, 64 at most.",
            rule="key_syntax",
            column="key",
            value=key[:80],
            hint="Write it like graz_2024.",
        )
    for name in ("name", "year_kind", "source", "licence"):
        text = getattr(about, name)
        if len(text) > MOST_LETTERS or not text.isprintable():
            raise FaultError(
                f"{name} is one line of at most {MOST_LETTERS} letters.",
                rule="too_long",
                column=name,
                value=text[:60],
                hint="Say it in fewer words.",
            )


def statistics_of(
    hours: dict[str, Array], place: tuple[float, float, float, float], as_of: str
) -> dict[str, dict[str, Any]]:
    """The columns of the index, computed as for the built-in years."""
    dry, wet, dew = hours["dry_bulb_c"], hours["wet_bulb_c"], hours["dew_point_c"]
    latitude, longitude, elevation, offset = place
    values: dict[str, Any] = {
        "latitude": latitude,
        "longitude": longitude,
        "elevation_m": elevation,
        "utc_offset_hours": offset,
        "dry_bulb_mean_c": np.mean(dry),
        "dry_bulb_minimum_c": np.min(dry),
        "dry_bulb_99_6_percent_c": np.quantile(dry, 0.996),
        "dry_bulb_99_percent_c": np.quantile(dry, 0.99),
        "dry_bulb_maximum_c": np.max(dry),
        "wet_bulb_mean_c": np.mean(wet),
        "wet_bulb_99_6_percent_c": np.quantile(wet, 0.996),
        "wet_bulb_maximum_c": np.max(wet),
        "dew_point_99_6_percent_c": np.quantile(dew, 0.996),
        **{f"dry_bulb_up_to_{limit}_c_hours": np.sum(dry <= limit) for limit in (13, 22, 27, 35)},
        **{f"wet_bulb_up_to_{limit}_c_hours": np.sum(wet <= limit) for limit in (13, 24)},
    }
    found = {}
    for column in numeric_columns(ClimateIndex):
        value = round(float(values[column.field]), 2)
        found[column.field] = {
            "value": value,
            "unit": column.unit,
            "printed_value": f"{value:g}",
            "printed_unit": column.printed_unit,
            "printed_column": column.column,
            "kind": "derived",
            "confidence": "",
            "as_of": as_of,
        }
    return found
