"""The shapes of answers about saved projections."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.saved.answers import Item, Links


class ProjectionSummary(Answer):
    """Key figures as they were when it was saved; what is unknown is null."""

    law: str
    law_name: str
    parameters: float | None
    tokens: float | None
    flops: float | None
    loss: float | None = Field(description="null where the law says nothing of it.")
    design: str | None = Field(description="Name of its scenario; null where it counts by none.")
    days: float | None
    usd: float | None


class ProjectionLinks(Links):
    """Addresses of what belongs to it; page is for people."""

    diff: str
    projection: str
    page: str


class ProjectionItem(Item):
    """A saved projection in short."""

    summary: ProjectionSummary
    links: ProjectionLinks


class ProjectionAnswer(ProjectionItem):
    """A saved projection."""

    document: dict[str, Any] = Field(description="What it asks, as it was saved.")


class ProjectionsPage(Answer):
    """A page of saved projections."""

    items: list[ProjectionItem]
    next: str | None = Field(description="What to give as after for the next page; null at the end.")
