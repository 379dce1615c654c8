"""Where the calculation of a claim opens in the product."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from app.catalog.lookup import Catalog
from app.surfaces.pages.designs import NEW
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state
from app.validation.claims.judge import Judged

OF_TOPIC = {
    "scaling": (("/scaling", "Project a model by a scaling law"),),
    "growth": (("/trends", "Growth of demand against hardware"),),
    "systems": (("/gallery", "The articles' systems as designs"),),
    "training_time": (("/validation/training", "Published training runs against the engine"),),
    "utilisation": (("/validation", "How right the engine is"),),
}
"""Pages beside the calculation."""


class Link(NamedTuple):
    title: str
    href: str


def links_of(one: Judged, catalog: Catalog) -> tuple[Link, ...]:
    """The design that was evaluated, catalog rows, and pages of the topic."""
    found = [design] if (design := _design(one)) else []
    for row in one.catalog_rows:
        kind, _, key = row.partition("/")
        found.append(Link(catalog.part(kind, key).name, f"/catalog/{kind}/{quote(key, safe='')}"))
    found += [Link(title, path) for path, title in OF_TOPIC.get(one.claim.topic, ())]
    return tuple(found)


def _design(one: Judged) -> Link | None:
    """The studio with the scenario: a worked example by its key, any other carried by the address."""
    if one.scenario is None:
        return None
    if one.example:
        return Link(one.scenario.name, f"/designs/{one.example}")
    return Link(one.scenario.name, f"/designs/{NEW}?s={encode_state(stated_values(one.scenario))}")
