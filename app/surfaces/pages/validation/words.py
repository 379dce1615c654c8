"""What the validation pages call accelerators, frameworks and the other groups of runs."""

from __future__ import annotations

from app.catalog.lookup import Catalog
from app.catalog.validated_runs import ValidatedRun
from app.charts.format import number
from app.surfaces.pages.studio.fields import FRAMEWORKS, PRECISIONS

ARCHITECTURES = {"dense": "Dense", "moe": "Mixture of experts"}
GENERATIONS = {
    "volta": "Volta",
    "ampere": "Ampere",
    "hopper": "Hopper",
    "blackwell": "Blackwell",
    "tpu": "TPU",
    "cdna": "CDNA",
}


class Words:
    """Names of groups; those of accelerators are the catalog's, without what stands in brackets."""

    def __init__(self, catalog: Catalog) -> None:
        self._names = {part.key: part.name.partition(" (")[0] for part in catalog.parts("accelerators")}

    def group(self, grouping: str, name: str) -> str:
        """What a group of a grouping is called; bands and years are their own names."""
        if grouping == "accelerator":
            return self._names.get(name, name)
        named = {"architecture": ARCHITECTURES, "precision": PRECISIONS, "framework": FRAMEWORKS}
        return named.get(grouping, {}).get(name, name)

    def accelerator(self, run: ValidatedRun) -> str:
        return self.group("accelerator", run.accelerator_key)

    def title(self, run: ValidatedRun) -> str:
        """A run in a few words: its model, and what it ran on."""
        return f"{run.model}, {number(run.accelerators)} {self.accelerator(run)}"

    def series(self, run: ValidatedRun) -> str:
        """Runs of a generation of chips share a marker."""
        return self.generation(run)

    def generation(self, run: ValidatedRun) -> str:
        return GENERATIONS.get(run.generation, run.generation)
