"""Columns of the two kinds of file: single figures, and regions of cloud providers."""

from __future__ import annotations

COLUMNS = ("quantity", "value", "unit", "conditions")
"""What a file of power and cooling figures must have; `id`, `source`, `url` and `scored` are used where they are."""

REGION_COLUMNS = ("year", "provider", "region", "location", "lat", "lon", "pue", "wue_l_per_kwh")
"""What a file of regions must have."""
