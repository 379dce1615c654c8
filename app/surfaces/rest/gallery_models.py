"""The shapes of gallery answers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.surfaces.rest.catalog_models import Answer


class ReferenceFigures(Answer):
    """Our figures of a reference design; what is unknown is null."""

    accelerators: float | None
    peak_bf16_flop_per_s: float | None = Field(description="Dense, of the whole machine.")
    mfu: float | None
    elapsed_time_s: float | None = Field(description="Of the job that the design states.")
    utility_peak_w: float | None
    capex_usd: float | None
    usd_per_run: float | None
    usd_per_accelerator_hour: float | None


class PublishedBesideOurs(Answer):
    """A figure that others published, beside ours."""

    label: str
    figure: str = Field(description="Its place in the evaluation or headline.NAME; empty where we have none.")
    compare: Literal["equals", "at_least", "at_most"]
    published: float | None
    ours: float | None
    ratio: float | None = Field(description="Ours over theirs.")
    unit: str
    tolerance: float = Field(description="As a fraction, within which the two agree.")
    verdict: Literal["agrees", "differs", "unknown"]
    source: str
    note: str = Field(description="What explains the difference.")


class ReferenceProvenance(Answer):
    engine_version: str
    catalog_revision: str
    seed: int | None
    inputs_hash: str


class ReferenceBrief(Answer):
    """A reference design in brief."""

    key: str
    group: str
    name: str
    description: str
    illustrative: bool
    feasible: bool | None = Field(description="This and what follows is null while it is computed.")
    system: str | None
    accelerator: str | None
    figures: ReferenceFigures
    agrees: int | None = Field(description="Published figures that agree within their tolerance.")
    differs: int | None
    unknown: int | None
    href: str


class GalleryAnswer(Answer):
    """The gallery."""

    catalog_revision: str
    computing: int = Field(description="Designs whose figures are still computed; ask again in some seconds.")
    items: list[ReferenceBrief]


class ReferenceAnswer(Answer):
    """A reference design with all its published figures."""

    key: str
    group: str
    name: str
    description: str
    approximation: str = Field(description="What of the design is ours, or stands for something else.")
    illustrative: bool
    feasible: bool
    system: str
    accelerator: str
    figures: ReferenceFigures
    published: list[PublishedBesideOurs]
    problems: list[str] = Field(description="Why it cannot be built as it is.")
    provenance: ReferenceProvenance
