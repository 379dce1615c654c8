"""The trends: what each is of, which rows count, and why others may find another rate."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from app.catalog.growth import GrowthData, NotableModel
from app.catalog.lookup import Catalog
from app.views.growth.devices import MIDDLE_OF_THE_YEAR, Cluster, Device, clusters, devices

SECONDS_PER_HOUR = 3600.0
SELECTED = (
    "Of the models of note, 120 are shipped, chosen for being large or well known. Of the early years nearly all small ones "
    "are left out (the median run of 2018 and 2019 has 9e21 FLOP here and 3e19 in the whole data), so that the line starts "
    "higher and is flatter."
)


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


FRONTIER_SHIPPED = (
    f"Frontier is counted among the shipped models: one of the {FRONTIER} largest of these when it came out. In the whole "
    "data some 20 of the 70 are not, as larger models that are not shipped stand before them."
)
FEW_DEVICES = (
    "The catalog has few devices, nearly all large ones for data centres and most of recent years; "
    "the whole data counts graphics cards and parts from 2012 on as well."
)
FEW_CLUSTERS = (
    "The catalog has a handful of clusters, from 2020 on; the study has several hundred, from 2019 on."
)
WHOLE_SITES = (
    "The few powers that are published are of whole sites, the last two of a gigawatt for more than the accelerators that are "
    "counted; the study has several hundred clusters."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Subject of a trend. `measure` names the limits that hold for it; `differs` why others find another rate."""

    key: str
    name: str
    group: str  # models | clusters | devices
    unit: str
    what: str
    points: PointsOf
    since: int = 2010
    measure: str = ""
    differs: str = ""


def _all(material: Material) -> Iterable[NotableModel]:
    return material.data.models


def _frontier(material: Material) -> Iterable[NotableModel]:
    return material.frontier


def _language(material: Material) -> Iterable[NotableModel]:
    return material.language_models


MODELS = (
    Series(
        key="frontier_compute", name="Training compute, frontier models", group="models", unit="FLOP",
        what="Compute of the training run of models that were among the ten largest when they came out.",
        points=of_models("training_flop", _frontier), measure="training_flop", differs=FRONTIER_SHIPPED,
    ),
    Series(
        key="frontier_compute_2018", name="Training compute, frontier models since 2018", group="models",
        unit="FLOP", what="The same, since language models lead.", since=2018,
        points=of_models("training_flop", _frontier), measure="training_flop", differs=FRONTIER_SHIPPED,
    ),
    Series(
        key="training_compute", name="Training compute, all shipped models", group="models", unit="FLOP",
        what="Compute of the training run of every shipped model of note.",
        points=of_models("training_flop", _all), differs=SELECTED,
    ),
    Series(
        key="parameters", name="Parameters, language models", group="models", unit="1",
        what="All parameters, those of experts included.", since=2018,
        points=of_models("parameters", _language), differs=SELECTED,
    ),
    Series(
        key="tokens", name="Training tokens, language models", group="models", unit="tokens",
        what="Tokens that the model was trained on.", since=2018,
        points=of_models("tokens", _language), differs=SELECTED,
    ),
    Series(
        key="run_accelerators", name="Accelerators of a frontier run", group="models", unit="1",
        what="Accelerators that the training run used.", since=2018,
        points=of_models("accelerators", _frontier), measure="accelerators", differs=FRONTIER_SHIPPED,
    ),
    Series(
        key="run_power", name="Power of a frontier run", group="models", unit="W",
        what="Power draw of the training run, as Epoch AI estimates it.", since=2012,
        points=of_models("power_w", _frontier), measure="power_w", differs=FRONTIER_SHIPPED,
    ),
    Series(
        key="run_cost", name="Cost of a frontier run", group="models", unit="USD",
        what="Cost of the training compute in dollars of 2023, as Epoch AI estimates it.", since=2016,
        points=of_models("cost_2023_usd", _frontier), measure="hardware_usd", differs=FRONTIER_SHIPPED,
    ),
    Series(
        key="run_duration", name="Duration of a frontier run", group="models", unit="s",
        what="Wall-clock time of the training run.", since=2018,
        points=of_models("hours", _frontier, factor=SECONDS_PER_HOUR), differs=FRONTIER_SHIPPED,
    ),
)  # fmt: skip

CLUSTERS = (
    Series(
        key="cluster_accelerators", name="Accelerators of a leading cluster", group="clusters", unit="1",
        what="Accelerators of the clusters of the catalog that had at least 1 % of the largest so far.",
        points=of_clusters(lambda one: one.accelerators), measure="accelerators", differs=FEW_CLUSTERS,
    ),
    Series(
        key="cluster_performance", name="Arithmetic of a leading cluster", group="clusters", unit="FLOP/s",
        what="Accelerators times their dense 16-bit rate.",
        points=of_clusters(lambda one: one.flop_per_s), measure="flop_per_s", differs=FEW_CLUSTERS,
    ),
    Series(
        key="cluster_performance_per_chip", name="Arithmetic of a device in a cluster", group="clusters",
        unit="FLOP/s", what="Dense 16-bit rate of the accelerators of leading clusters.",
        points=of_clusters(lambda one: one.flop_per_s / one.accelerators), differs=FEW_CLUSTERS,
    ),
    Series(
        key="cluster_power", name="Power of a leading cluster", group="clusters", unit="W",
        what="Power of the site as published, where it is.",
        points=of_clusters(lambda one: one.power_w), measure="power_w", differs=WHOLE_SITES,
    ),
    Series(
        key="cluster_flop_per_w", name="Arithmetic of a cluster per watt", group="clusters", unit="FLOP/s/W",
        what="Dense 16-bit rate over the power of the site.",
        points=of_clusters(lambda one: one.flop_per_s / one.power_w), differs=WHOLE_SITES,
    ),
)  # fmt: skip

DEVICES = (
    Series(
        key="device_best_flops", name="FLOP/s of a device, best precision", group="devices", unit="FLOP/s",
        what="Dense matrix arithmetic at the precision in which the device is fastest.",
        points=of_devices(lambda one: one.best_flop_per_s), differs=FEW_DEVICES,
    ),
    Series(
        key="device_bf16_flops", name="FLOP/s of a device, BF16 or FP16", group="devices", unit="FLOP/s",
        what="Dense matrix arithmetic in 16 bits.",
        points=of_devices(lambda one: one.flop_per_s[0]), differs=FEW_DEVICES,
    ),
    Series(
        key="transistors", name="Transistors of a device", group="devices", unit="1",
        what="All dies of the package.", points=of_devices(lambda one: one.figure("transistors")),
        differs="The shipped counts are of the largest parts of their time, the last with several dies in a package. Even so "
        "they take longer than two years to double.",
    ),
    Series(
        key="memory_bandwidth", name="Memory bandwidth of a device", group="devices", unit="B/s",
        what="Peak bandwidth of its memory.",
        points=of_devices(lambda one: one.figure("memory_bandwidth_bytes_per_s")), differs=FEW_DEVICES,
    ),
    Series(
        key="memory_capacity", name="Memory of a device", group="devices", unit="B",
        what="As its vendor labels it, taken as decimal.",
        points=of_devices(lambda one: one.figure("memory_bytes")), differs=FEW_DEVICES,
    ),
    Series(
        key="scale_up_bandwidth", name="Scale-up bandwidth of a device", group="devices", unit="B/s",
        what="One way, the whole fabric; cards whose link is a slot or a bridge are left out.",
        points=of_devices(lambda one: one.figure("scale_up_bandwidth_bytes_per_s"), domains_only=True),
        differs=FEW_DEVICES,
    ),
    Series(
        key="scale_out_bandwidth", name="Scale-out bandwidth of a device", group="devices", unit="B/s",
        what="One way, the share of the network that each device has in its usual system.",
        points=of_devices(lambda one: one.figure("scale_out_bandwidth_bytes_per_s")), differs=FEW_DEVICES,
    ),
    Series(
        key="tdp", name="TDP of a device", group="devices", unit="W", what="Thermal design power.",
        points=of_devices(lambda one: one.figure("tdp_w")), differs=FEW_DEVICES,
    ),
    Series(
        key="flop_per_w", name="FLOP/s of a device per watt", group="devices", unit="FLOP/s/W",
        what="Dense arithmetic at the best precision over the TDP.",
        points=of_devices(lambda one: one.best_flop_per_s / one.figure("tdp_w")), differs=FEW_DEVICES,
    ),
    Series(
        key="flop_per_usd", name="FLOP/s of a device per dollar", group="devices", unit="FLOP/s/USD",
        what="Dense arithmetic at the best precision over the price that the catalog chooses; prices are of today or of "
        "their last list, not those at launch.",
        points=of_devices(lambda one: one.best_flop_per_s / one.figure("price_usd")),
        differs="The catalog's prices are what a device costs now, which makes old ones look cheap; the whole data "
        "takes the price at release.",
    ),
)  # fmt: skip

SERIES = {series.key: series for series in (*MODELS, *CLUSTERS, *DEVICES)}
