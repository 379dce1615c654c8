"""Rows of a file of power figures."""

from __future__ import annotations

from app.validation.power.statement import Predicted
from app.validation.power.study import POWER
from app.validation.study import Checked, Row


def row(quantity: str, conditions: str = "", **cells: object) -> Row:
    """One figure; a node power in kilowatts unless said otherwise."""
    plain: dict[str, object] = {
        "id": "one", "source": "A submission", "url": "", "quantity": quantity, "value": 1, "unit": "kW",
        "conditions": conditions, "scored": "yes",
    }  # fmt: skip
    whole = {name: str(value) for name, value in {**plain, **cells}.items()}
    return Row(key=whole["id"], cells=whole)


def predicted(catalog, quantity: str, conditions: str = "", **cells: object) -> Checked[Predicted]:
    """What the engine says of one row."""
    found = POWER.compare([row(quantity, conditions, **cells)], catalog)
    assert found.unsupported == ()
    return found.figures[0]


def reason(catalog, quantity: str, conditions: str = "", **cells: object) -> str:
    """Why one row cannot be predicted."""
    found = POWER.compare([row(quantity, conditions, **cells)], catalog)
    assert found.figures == ()
    return found.unsupported[0].reason
