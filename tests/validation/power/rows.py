"""Rows of a file of power figures."""

from __future__ import annotations

from app.validation.power.study import Checked, checked_rows
from app.validation.study import Row


def row(quantity: str, conditions: str = "", **cells: object) -> Row:
    """One figure; a node power in kilowatts unless said otherwise."""
    plain: dict[str, object] = {
        "id": "one", "source": "A submission", "url": "", "quantity": quantity, "value": 1, "unit": "kW",
        "conditions": conditions, "scored": "yes",
    }  # fmt: skip
    whole = {name: str(value) for name, value in {**plain, **cells}.items()}
    return Row(key=whole["id"], cells=whole)


def predicted(catalog, quantity: str, conditions: str = "", **cells: object) -> Checked:
    """What the engine says of one row."""
    checked, unsupported = checked_rows([row(quantity, conditions, **cells)], catalog)
    assert unsupported == []
    return checked[0]


def reason(catalog, quantity: str, conditions: str = "", **cells: object) -> str:
    """Why one row cannot be predicted."""
    checked, unsupported = checked_rows([row(quantity, conditions, **cells)], catalog)
    assert checked == []
    return unsupported[0].reason
