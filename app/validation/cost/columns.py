"""Columns of a file of published costs."""

from __future__ import annotations

COLUMNS = ("subject", "published_value", "unit", "inputs", "check_formula")
"""What a file must have; `id`, `date`, `source`, `url`, `note` and `scored` are used where they are."""
