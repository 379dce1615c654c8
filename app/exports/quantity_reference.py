"""The reference of all quantities: `python -m app.exports.quantity_reference` prints docs/quantities.md."""

from __future__ import annotations

import sys
from itertools import groupby

import app.engine.design
import app.engine.economics.simple_ownership
import app.engine.explore.headline
import app.engine.fabric.reach
import app.engine.fabric.sharing.jobs
import app.engine.facility.savings
import app.engine.growth.gap
import app.engine.growth.projection
import app.engine.operations.service_levels
import app.engine.performance.exchange_counts
import app.engine.performance.totals
import app.engine.running.link_use
import app.engine.scaling.choose
import app.engine.scaling.doubt
import app.engine.scaling.on_design
import app.engine.scaling.overtraining
import app.engine.scaling.power_law
import app.engine.scaling.serving
import app.engine.scaling.shape
import app.engine.uncertainty.calibration
import app.engine.uncertainty.interval
import app.engine.uncertainty.likeness
import app.engine.workload.run_time  # noqa: F401  these declare every quantity
from app.engine.quantities import REGISTRY, Quantity

HEAD = """\
# Quantities

Every figure of an evaluation and every step on the way to one: its place or name, label, unit, formula
and source. Written by `python -m app.exports.quantity_reference`; a test keeps it up to date. Values put
in, with the sources of each, are shown for a scenario by `podwright explain FILE QUANTITY`.

Conventions: base SI and US dollars; FLOP/s are dense; bandwidths are one way and per accelerator; bytes
are counts, GB is decimal; unknown stays unknown.
"""


def quantity_reference() -> str:
    """All quantities by room, in order of name, as Markdown."""
    parts = [HEAD]
    for room, quantities in groupby(sorted(REGISTRY.items()), key=lambda item: item[0].partition(".")[0]):
        parts.append(f"## {room.capitalize()}\n")
        parts.extend(_entry(path, quantity) for path, quantity in quantities)
    return "\n".join(parts)


def _entry(path: str, quantity: Quantity) -> str:
    unit = "number" if quantity.unit == "1" else quantity.unit
    return (
        f"### {path}\n\n{quantity.label} [{unit}].\n\n"
        f"```python\n{quantity.formula}\n```\n\nSource: {quantity.source}\n"
    )


if __name__ == "__main__":
    sys.stdout.write(quantity_reference())
