"""The picture of a pod: devices and links of its graph in few marks, with what has failed and a route on top."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from pydantic import Field

from app.catalog.view import CatalogView
from app.charts.fabric.pod_picture import pod_picture_figure
from app.charts.fabric.supernode_inside import supernode_inside_figure
from app.charts.figure import Figure
from app.charts.slide import slide
from app.charts.tier_rows import TIER_COLUMNS
from app.charts.topology import topology_figure
from app.engine.fabric.faults.failed import Failed
from app.engine.fabric.graph.graph import HOST, hosts_forward, is_switch
from app.engine.fabric.graph.grouped import bundles_of, counted, marks_of, ports_used, separate_parts
from app.engine.fabric.graph.route import Route, route_between
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.colours import in_colours
from app.views.fabric.compute import ComputeFabric, compute_fabric
from app.views.fabric.faults import ends_of, fabric_faults, failed_of
from app.views.fabric.faults_answer import FaultsDocument
from app.views.fabric.supernode import supernode_inside
from app.views.fabric.utilisation import fabric_utilisation
from app.views.file_format import FileFormat
from app.views.plain import report_json
from app.views.table import Column, text_table
from app.views.view import File

COLUMNS = (
    Column("Devices", "devices", "{:,}".format, 9),
    Column("Fewest ports", "ports_least", width=14),
    Column("Most ports", "ports_most", width=12),
    Column("Failed", "failed", width=8),
    Column("Mark", "title", width=0),
)
MOST_LINKS = 65_536
"""Of a fabric whose load and losses are in its picture: of more they take longer than a page may."""
DRAWN_BY_TIERS = ("rail_fat_tree", "fat_tree", "rail_only", "dual_tor")


class PictureDocument(FaultsDocument):
    """Failures, the route to draw, and the format of the answer."""

    format: Literal["json", "svg", "svg-dark"] = Field(
        default="json", description="json: marks and links; svg or svg-dark: the picture."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureMark:
    """One mark: a device, or several of a kind."""

    kind: str
    title: str
    devices: int
    ports_least: int  # links that end in one device
    ports_most: int
    failed: int  # of its devices
    part: int  # of the switches, counted from 1: no link between switches leaves it; 0 for hosts


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLinks:
    """Links of a tier between two marks, which are given by their place in the list."""

    tier: str
    lower: int
    upper: int
    links: int
    rate_bytes_per_s: float  # of one, one way
    failed: int
    on_route: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PodPicture:
    """Marks and links of the compute fabric; none where one SuperNode is all there is."""

    name: str
    topology: str
    marks: tuple[PictureMark, ...]
    links: tuple[PictureLinks, ...]
    route_length: int | None  # links from end to end; None where no route is asked for, or none is left
    route_paths: float  # shortest paths between the ends
    route_disjoint_paths: int  # of them at once, no two over the same link


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The picture as data and as a figure."""

    report: PodPicture
    figure: Figure
    inside: Figure | None  # of one SuperNode of several, where it is built up from its parts
    has_overlays: bool  # whether failures and routes are drawn on it

    @property
    def name(self) -> str:
        """Of the design: files are named for it."""
        return self.report.name


def pod_picture(evaluated: EvaluatedScenario, catalog: CatalogView, asked: PictureDocument) -> Picture:
    """The compute fabric of a pod, or the inside of its only SuperNode.

    Raises
    ------
    ScenarioError : there is no such part or host, or no fabric that could fail
    """
    fabric = _fabric(evaluated, asked)
    evaluation = evaluated.as_json
    inside = _inside(evaluated, catalog)
    topology = evaluated.evaluation.sections.fabric.topology
    if fabric is None:
        report = PodPicture(
            name=evaluated.document.name,
            topology=topology,
            marks=(),
            links=(),
            route_length=None,
            route_paths=0.0,
            route_disjoint_paths=0,
        )
        figure = inside if inside and inside.plot else topology_figure(evaluation)
        return Picture(
            report=report, figure=replace(figure, name="topology"), inside=None, has_overlays=False
        )
    report = _report(evaluated, fabric, asked)
    if topology not in DRAWN_BY_TIERS or hosts_forward(fabric.graph):
        return Picture(report=report, figure=topology_figure(evaluation), inside=inside, has_overlays=False)
    has_time = fabric.graph.link_count <= MOST_LINKS
    figure = pod_picture_figure(
        report_json(report), evaluation,
        loads=_loads(evaluated) if has_time else None, losses=_losses(evaluated) if has_time else None, asked=asked.between,
    )  # fmt: skip
    return Picture(report=report, figure=figure, inside=inside, has_overlays=True)


def _fabric(evaluated: EvaluatedScenario, asked: PictureDocument) -> ComputeFabric | None:
    try:
        return compute_fabric(evaluated)
    except ScenarioError:
        if asked.model_copy(update={"format": "json", "single": True}) != PictureDocument():
            raise
        return None


def _report(evaluated: EvaluatedScenario, fabric: ComputeFabric, asked: PictureDocument) -> PodPicture:
    graph = fabric.graph
    lost: Failed = failed_of(evaluated, fabric, asked)
    alive = lost.alive_links(graph)
    ends = ends_of(fabric, asked.between)
    route = route_between(graph, alive, *ends) if ends else Route(links=np.zeros_like(alive), length=None)
    supernodes = int(evaluated.as_json["fabric"].get("networked_supernodes") or 0)
    mark = marks_of(graph, hosts_each=max(graph.of_kind(HOST).size // max(supernodes, 1), 1))
    bundles, ports, count = bundles_of(graph, mark), ports_used(graph), int(mark.max(initial=-1)) + 1
    failed, size = counted(mark, lost.devices, count), bundles.links.size
    broken, taken = counted(bundles.of_link, ~alive, size), counted(bundles.of_link, route.links, size)
    part, switch, marks = separate_parts(graph), is_switch(graph), []
    for number in range(count):
        devices = np.flatnonzero(mark == number)
        first, last = fabric.names[int(devices[0])], fabric.names[int(devices[-1])]
        marks.append(
            PictureMark(
                kind=graph.kinds[int(graph.devices.kind[devices[0]])],
                title=first if devices.size == 1 else f"{first} to {last}",
                devices=int(devices.size),
                ports_least=int(ports[devices].min()),
                ports_most=int(ports[devices].max()),
                failed=int(failed[number]),
                part=int(part[devices[0]]) + 1 if switch[devices[0]] else 0,
            )
        )
    rates = graph.link_bandwidth_bytes_per_s
    links = tuple(
        PictureLinks(
            tier=graph.tiers[int(tier)], lower=int(lower), upper=int(upper), links=int(each),
            rate_bytes_per_s=float(rates[tier]), failed=int(gone), on_route=int(used),
        )
        for tier, lower, upper, each, gone, used in zip(
            bundles.tier, bundles.lower, bundles.upper, bundles.links, broken, taken, strict=True
        )
    )  # fmt: skip
    return PodPicture(
        name=evaluated.document.name, topology=evaluated.evaluation.sections.fabric.topology,
        marks=tuple(marks), links=links, route_length=route.length,
        route_paths=route.paths, route_disjoint_paths=route.disjoint,
    )  # fmt: skip


def _inside(evaluated: EvaluatedScenario, catalog: CatalogView) -> Figure | None:
    """The inside of a SuperNode; None where it cannot be built up from its parts."""
    try:
        return supernode_inside_figure(report_json(supernode_inside(evaluated, catalog)))
    except ScenarioError:
        return None


def _loads(evaluated: EvaluatedScenario) -> dict[str, float | None]:
    """Share of a step in which the links of a tier are busy; empty where no step is known."""
    try:
        return {one.tier: one.mean for one in fabric_utilisation(evaluated).tiers}
    except ScenarioError:
        return {}


def _losses(evaluated: EvaluatedScenario) -> list[dict[str, Any]]:
    """The loss of one part of each kind; empty where several workloads share the pod."""
    try:
        rows = fabric_faults(evaluated, FaultsDocument()).single
    except ScenarioError:
        return []
    return [report_json(row) for row in rows]


def picture_text(answer: Picture) -> str:
    """Marks with their devices, ports and failures, and the route."""
    report = answer.report
    if not report.marks:
        return f"{report.name}: {answer.figure.takeaway}"
    table = "\n".join(text_table(COLUMNS, report.marks))
    taken = sum(one.on_route for one in report.links)
    route = (
        f"\nRoute: {report.route_length} links from end to end, over {taken:,} links; "
        f"{report.route_paths:,.0f} shortest paths, {report.route_disjoint_paths:,} of them without a link in common"
        if taken
        else ""
    )
    return f"{report.name}: {answer.figure.takeaway}\n{table}{route}"


def _svg(theme: str, answer: Picture) -> bytes:
    """The picture with its title and facts."""
    drawn = slide(
        answer.figure,
        title=answer.report.name,
        facts=_facts(answer.figure),
        source="Source: devices and links as Podwright lays them out.",
    )
    painted: str = in_colours(drawn, theme)
    return painted.encode()


def _facts(figure: Figure) -> list[tuple[str, str]]:
    """Rows of the table of the figure: of tiers their switches and links, of other parts how many."""
    of_tiers = figure.columns == TIER_COLUMNS
    found = []
    for row in figure.rows:
        counts = zip(row.cells[1:3], ("switches", "links"), strict=False)
        said = ", ".join(f"{count} {name}" for count, name in counts if count) if of_tiers else row.cells[1]
        if said:
            found.append((row.cells[0], said))
    return found


def _svg_file(name: str, theme: str) -> File[Picture]:
    return File(
        format=FileFormat(
            name, "image/svg+xml", f".{theme}.svg", f"SVG, {theme}", lambda answer: _svg(theme, answer)
        ),
        help=f"Write the picture as an SVG on a {theme} ground; - prints it.",
        sent_as="topology",
    )


PICTURES = (_svg_file("svg", "light"), _svg_file("svg-dark", "dark"))
