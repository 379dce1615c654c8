"""What the validation pages call served models, what they ran on, and their latencies."""

from __future__ import annotations

from app.catalog.lookup import Catalog
from app.charts.format import number
from app.surfaces.pages.studio.fields import PRECISIONS
from app.surfaces.pages.studio.serving_fields import ENGINES
from app.validation.serving.published import ServedMeasurement


class ServingWords:
    """Names of groups; those of models and accelerators are the catalog's, without what stands in brackets."""

    def __init__(self, catalog: Catalog) -> None:
        kinds = {"model": "models", "system": "accelerators"}
        self._names = {
            grouping: {part.key: part.name.partition(" (")[0] for part in catalog.parts(kind)}
            for grouping, kind in kinds.items()
        } | {"engine": ENGINES, "precision": PRECISIONS}

    def group(self, grouping: str, name: str) -> str:
        """What a group of a grouping is called; loads and lengths are their own names."""
        return self._names.get(grouping, {}).get(name, name)

    def model(self, one: ServedMeasurement) -> str:
        return self.group("model", one.model_key)

    def system(self, one: ServedMeasurement) -> str:
        return self.group("system", one.accelerator_key)

    def title(self, one: ServedMeasurement) -> str:
        """A measurement in a few words: its model, what it ran on, and how much was in flight."""
        return (
            f"{self.model(one)}, {one.accelerators} {self.system(one)}, {number(one.concurrency)} in flight"
        )

    def series(self, one: ServedMeasurement) -> str:
        """Measurements on one accelerator share a marker."""
        return self.system(one)


def milliseconds(value: float) -> str:
    """A time of a table, three digits of it.

    >>> milliseconds(7.654), milliseconds(12345.6)
    ('7.65', '12,300')
    """
    return number(float(f"{value:.3g}"))
