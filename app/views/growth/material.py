"""What trends are fitted to: models, devices and clusters with their dates, and how points are taken from them."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from app.catalog.growth import GrowthData, NotableModel
from app.catalog.lookup import Catalog
from app.views.growth.devices import MIDDLE_OF_THE_YEAR, Cluster, Device, clusters, devices

FRONTIER = 10
"""A frontier model is one of the ten with most training compute when it comes out: Epoch AI's definition."""


@dataclass(frozen=True, slots=True)
class Point:
    """A dated figure."""

    key: str
    name: str
    year: float
    value: float


@dataclass(frozen=True, kw_only=True)
class Material:
    """Everything that trends draw on."""

    data: GrowthData
    devices: dict[str, Device]
    clusters: list[Cluster]

    @property
    def frontier(self) -> list[NotableModel]:
        """Models that were among the largest when they came out."""
        models = sorted(
            (one for one in self.data.models if "training_flop" in one.figures), key=lambda one: one.year
        )
        before: list[float] = []
        found = []
        for model in models:
            flop = model.figures["training_flop"]
            if len(before) - bisect.bisect_right(before, flop) < FRONTIER:
                found.append(model)
            bisect.insort(before, flop)
        return found

    @property
    def language_models(self) -> list[NotableModel]:
        return [one for one in self.data.models if "Language" in one.domain]

    @property
    def sold(self) -> list[Device]:
        return [one for one in self.devices.values() if one.is_sold]


PointsOf: TypeAlias = Callable[[Material], list[Point]]


def material_of(catalog: Catalog, data: GrowthData) -> Material:
    """The shipped figures, with the devices and clusters of a catalog."""
    found = devices(catalog, data)
    return Material(data=data, devices=found, clusters=clusters(catalog, found))


def of_models(
    name: str, models: Callable[[Material], Iterable[NotableModel]], *, factor: float = 1.0
) -> PointsOf:
    """A figure of some models, where it is known."""

    def points(material: Material) -> list[Point]:
        return [
            Point(one.key, one.name, one.year, factor * one.figures[name])
            for one in models(material)
            if name in one.figures
        ]

    return points


def of_devices(value: Callable[[Device], float], *, domains_only: bool = False) -> PointsOf:
    """A figure of the devices that are sold, where it is known."""

    def points(material: Material) -> list[Point]:
        counted = [one for one in material.sold if one.has_domain or not domains_only]
        return _known(Point(one.key, one.name, one.year + MIDDLE_OF_THE_YEAR, value(one)) for one in counted)

    return points


def of_clusters(value: Callable[[Cluster], float]) -> PointsOf:
    """A figure of the leading clusters, where it is known."""

    def points(material: Material) -> list[Point]:
        return _known(
            Point(one.key, one.name, one.year + MIDDLE_OF_THE_YEAR, value(one)) for one in material.clusters
        )

    return points


def _known(points: Iterable[Point]) -> list[Point]:
    return [point for point in points if math.isfinite(point.value)]
