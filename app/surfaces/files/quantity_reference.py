"""The reference of all quantities: `python -m app.surfaces.files.quantity_reference` prints docs/quantities.md."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from itertools import groupby

import app.engine
from app.engine.quantities import REGISTRY, Quantity

HEAD = """\
# Quantities

Every figure of an evaluation and every step on the way to one: its place or name, label, unit, formula
and source. Written by `python -m app.surfaces.files.quantity_reference`; a test keeps it up to date. Values put
in, with the sources of each, are shown for a scenario by `podwright explain FILE QUANTITY`.

Conventions: base SI and US dollars; FLOP/s are dense; bandwidths are one way and per accelerator; bytes
are counts, GB is decimal; without a unit it is a number; unknown stays unknown.
"""


def quantity_reference() -> str:
    """All quantities by room, in order of name, as Markdown."""
    for module in pkgutil.walk_packages(app.engine.__path__, "app.engine."):
        importlib.import_module(module.name)  # which declares the quantities in it
    parts = [HEAD]
    for room, quantities in groupby(sorted(REGISTRY.items()), key=lambda item: item[0].partition(".")[0]):
        parts.append(f"## {room.capitalize()}\n")
        parts.extend(_entry(path, quantity) for path, quantity in quantities)
    return "\n".join(parts)


def _entry(path: str, quantity: Quantity) -> str:
    return (
        f"### {path}\n\n{quantity.summary}\n\n"
        f"```python\n{quantity.formula}\n```\n\nSource: {quantity.source}\n"
    )


if __name__ == "__main__":
    sys.stdout.write(quantity_reference())
