"""Hours as CSV: 8,760 rows, units in the header, unknown left empty."""

from __future__ import annotations

import csv
import dataclasses
import io

import numpy as np

from app.views.facility.hours import CSV_COLUMNS, hours_csv
from tests.engine.facility.cases import climate
from tests.engine.facility.hours.test_hours import hours_at


def test_unknown_cells_are_empty() -> None:
    _, _, hours = hours_at(climate("ashburn_va"), cooling="direct_liquid_dry")
    unknown = dataclasses.replace(hours, pue=np.full(8760, np.nan))
    rows = list(csv.DictReader(io.StringIO(b"".join(hours_csv(unknown)).decode())))
    assert len(rows) == 8760
    assert {row["pue"] for row in rows} == {""}
    assert float(rows[4000]["dry_bulb_c"]) == round(hours.dry_bulb_c[4000], 2)


def test_every_column_names_its_unit() -> None:
    without_unit = {name for name in CSV_COLUMNS if name.rpartition("_")[2] not in ("c", "w", "h")}
    assert without_unit == {"pue", "free_cooling_share"}  # which have none
