"""Records of arrays over rows: stacked from the records of single parts, and cut to some of the rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def stacked(records: Sequence[Any], of_row: NDArray[np.intp]) -> Any:
    """One record whose arrays have an element a row: row i has the numbers of `records[of_row[i]]`.

    What is no number is taken from the first record.
    """
    first = records[0]
    if isinstance(first, np.ndarray):
        return np.concatenate([np.broadcast_to(record, (1,)) for record in records])[of_row]
    if _is_record(first):
        return type(first)(
            **{
                field.name: stacked([getattr(record, field.name) for record in records], of_row)
                for field in dataclasses.fields(first)
            }
        )
    return first


def taken(record: Any, rows: NDArray[Any]) -> Any:
    """A record with these rows alone; arrays of one element, which hold for all rows, stay."""
    if isinstance(record, np.ndarray):
        return record[rows] if record.size > 1 else record
    if _is_record(record):
        return type(record)(
            **{field.name: taken(getattr(record, field.name), rows) for field in dataclasses.fields(record)}
        )
    return record


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)
