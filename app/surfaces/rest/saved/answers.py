"""The shapes of answers about saved work."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from app.saved.expand import DESIGN_KINDS
from app.saved.records import Change, Moved, Revision, Saved
from app.surfaces.rest.catalog_models import Answer


class ScenarioSummary(Answer):
    """Key figures as they were when it was saved; what is unknown is null."""

    model: str | None
    workload_kind: str | None = Field(
        default=None,
        description="training, serving or generic; null where it was saved before there were both.",
    )
    model_key: str | None = Field(description="Of the catalog; null for a custom model.")
    system: str | None
    system_key: str | None = Field(description="Of the catalog; null for a custom SuperNode.")
    accelerator: str | None
    accelerators: float | None
    site: str | None
    feasible: bool | None
    elapsed_time_s: float | None
    tokens_per_s_per_accelerator: float | None
    mfu: float | None
    utility_peak_w: float | None
    usd_per_run: float | None
    tco_usd: float | None


class SuperNodeSummary(Answer):
    """Parts of a SuperNode design; unknown values are null."""

    system: str | None
    system_key: str | None
    accelerator: str | None
    accelerators: float | None


class PodSummary(Answer):
    """Parts of a SuperPOD design."""

    supernodes: int
    topology: str
    switch: str | None = Field(description="null where it follows from the SuperNode.")


class Links(Answer):
    """Addresses of what belongs to it."""

    self: str
    revisions: str


class ScenarioLinks(Links):
    """Addresses of what belongs to it; page is for people."""

    evaluation: str
    diff: str
    page: str


class DesignLinks(Links):
    """Addresses of what belongs to it."""

    uses: str
    diff: str


class Item(Answer):
    """Something saved, in short."""

    id: str
    name: str
    revision: int = Field(description="The newest. It grows with each save.")
    version: int = Field(description="Grows with every change; the ETag says the same.")
    tags: list[str]
    note: str = Field(description="Of the newest revision.")
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = Field(description="null for what is not deleted.")
    forked_from: str | None = Field(description="id of what it was duplicated from.")
    template: bool = Field(description="Whether it is offered where something new begins.")


class ScenarioItem(Item):
    """A saved scenario in short."""

    summary: ScenarioSummary
    links: ScenarioLinks


class DesignItem(Item):
    """A saved design in short."""

    kind: Literal["supernode", "pod"]
    summary: SuperNodeSummary | PodSummary
    links: DesignLinks


class ScenarioAnswer(ScenarioItem):
    """A saved scenario."""

    document: dict[str, Any] = Field(description="The scenario as it was saved.")


class DesignAnswer(DesignItem):
    """A saved design."""

    document: dict[str, Any] = Field(description="The design as it was saved.")


class ScenariosPage(Answer):
    """A page of saved scenarios."""

    items: list[ScenarioItem]
    next: str | None = Field(description="Value of `after` for the next page; null at the end.")


class DesignsPage(Answer):
    """A page of saved designs."""

    items: list[DesignItem]
    next: str | None = Field(description="Value of `after` for the next page; null at the end.")


class UsesAnswer(Answer):
    """The scenarios that name a design."""

    items: list[ScenarioItem]


class RevisionItem(Answer):
    """A save, in short."""

    revision: int
    note: str
    created_at: datetime
    schema_version: int
    engine_version: str
    catalog_revision: str
    summary: dict[str, Any] = Field(description="Key figures as they were when it was saved.")
    href: str


class NamedRevision(RevisionItem):
    """A save with what is said of it, which may change."""

    label: str | None = Field(description="Name; null for most.")
    label_note: str = Field(description="Why it is called so.")
    author: str | None = Field(description="Who saved it; null where that is not known.")


class RevisionAnswer(RevisionItem):
    """A save. It never changes."""

    document: dict[str, Any] = Field(description="As it was saved.")


class RevisionsPage(Answer):
    """A page of revisions, the newest first."""

    items: list[NamedRevision]
    next: str | None = Field(description="Value of `after` for the next page; null at the end.")


class DocumentChangeAnswer(Answer):
    """A field that differs. null stands for what is not stated, or not known."""

    path: str
    label: str
    before: Any
    after: Any
    unit: str


class SideAnswer(Answer):
    """One side of a comparison."""

    revision: int
    engine_version: str
    catalog_revision: str


class DiffAnswer(Answer):
    """Differences between two revisions, or between one and today's catalog and engine."""

    before: SideAnswer
    after: SideAnswer
    inputs: list[DocumentChangeAnswer]
    results: list[DocumentChangeAnswer] = Field(description="Every figure that differs; empty for designs.")


class MovedValue(Answer):
    """A catalog value that is another today."""

    path: str
    label: str
    before: Any
    after: Any
    unit: str
    catalog: str = Field(description="Its row, as in accelerators/nvidia_h100_sxm.")
    source: str


class MovedAnswer(Answer):
    """Changes since a revision was saved."""

    revision: int
    catalog: list[MovedValue] = Field(description="Values of the catalog that are others today.")
    engine: list[DocumentChangeAnswer] = Field(
        description="Figures that today's engine computes otherwise from the values of then."
    )
    from_today: list[str] = Field(
        description="Catalog rows that were not kept with the revision and are read from today's catalog."
    )


def saved_item(saved: Saved, links: dict[str, str]) -> dict[str, Any]:
    """Something saved, in short."""
    names = ("id", "name", "revision", "version", "note", "summary")
    return {
        **({"kind": saved.kind} if saved.kind in DESIGN_KINDS else {}),
        **{name: getattr(saved, name) for name in names},
        "tags": list(saved.tags),
        "created_at": time_text(saved.created_at),
        "updated_at": time_text(saved.updated_at),
        "deleted_at": time_text(saved.deleted_at) if saved.deleted_at else None,
        "forked_from": saved.forked_from_id,
        "template": saved.is_template,
        "links": links,
    }


def revision_item(revision: Revision, href: str) -> dict[str, Any]:
    """A save, in short."""
    names = ("revision", "note", "schema_version", "engine_version", "catalog_revision", "summary")
    return {
        **{name: getattr(revision, name) for name in names},
        "created_at": time_text(revision.created_at),
        "href": href,
    }


def named_revision(revision: Revision, href: str) -> dict[str, Any]:
    """A save with what is said of it."""
    return {
        **revision_item(revision, href),
        "label": revision.label or None,
        "label_note": revision.label_note,
        "author": revision.author or None,
    }


def change_answers(changes: tuple[Change | Moved, ...]) -> list[dict[str, Any]]:
    """Fields that differ."""
    return [dataclasses.asdict(change) for change in changes]


def time_text(time: datetime) -> str:
    """A moment in UTC, as RFC 3339 writes it."""
    return time.isoformat().replace("+00:00", "Z")
