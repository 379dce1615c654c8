"""An own climate year as text, so that a revision keeps the hours it was computed with."""

from __future__ import annotations

import base64
from dataclasses import dataclass, fields
from typing import Any

from app.catalog.climate import COLUMNS, HOURS, binned, pack, unpack
from app.catalog.values import ClimateYear


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
