"""Electricity in and heat out, at the mean load: from the utility meter to what takes the heat away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Row, at, unknown_figure
from app.charts.format import THIN_SPACE, number, one_prefix, show
from app.charts.heat_flow import AIR, COOLANT, OUTDOORS, SINKS, Flow, Heat, heat_flows
from app.charts.tier_rows import accelerator_word

EYEBROW = "Power in, heat out"
HEIGHT = 360
MARGIN = 8
PAD = 16  # between the nodes of a column, in pixels
THICKNESS = 8
SMALLEST_SHARE = 4e-3  # of the utility's; smaller parts of the IT load flow together
PARTS = "power.it_breakdown_w"
AIR_COOLED = frozenset({"network", "storage"})  # beside the SuperNodes, whose share of liquid is one figure
LABELS = {
    "accelerators": "Accelerators",
    "hosts": "Hosts",
    "nics": "NICs",
    "fans": "Node fans",
    "power_supplies": "Power supplies",
    "idle_supernodes": "Idle SuperNodes",
    "network": "Fabric",
    "storage": "Storage",
}
OTHER = "Other IT"


class Part(NamedTuple):
    """A part of the IT load, or several small ones together."""

    label: str
    watts: float
    air_cooled_watts: float
    path: str
    main: bool


def power_flow_figure(evaluation: dict[str, Any]) -> Figure:
    """Sankey diagram in which every node gives on what it takes in."""
    flows = list(_flows(evaluation))
    if not flows:
        return unknown_figure("power_flow", EYEBROW, _caption(evaluation), "The power it draws is unknown.")
    utility = sum(flow.watts for flow in flows if flow.source == "Utility")
    scale, unit = one_prefix([utility], "W")
    return Figure(
        name="power_flow",
        eyebrow=EYEBROW,
        takeaway=_takeaway(evaluation, flows, utility),
        caption=_caption(evaluation),
        columns=(Column.words("Flow"), Column("Power", unit), Column("Share of utility", "%")),
        rows=(
            *(
                Row(
                    (
                        f"{flow.source} to {_inside(flow.target)}",
                        _watts(flow.watts / scale),
                        f"{100 * flow.watts / utility:.1f}",
                    ),
                    path=flow.path,
                )
                for flow in flows
            ),
            Row(("Utility", _watts(utility / scale), "100.0"), path="power.utility_mean_w", total=True),
        ),
        plot=_plot(flows, scale, unit),
        minimum_width=720,
    )


def _watts(value: float) -> str:
    """Two decimals below ten, so that small flows do not look more exact than large ones."""
    return f"{value:.2f}" if 0.01 <= value < 9.995 else number(value)


def _inside(name: str) -> str:
    """A name in the middle of a sentence."""
    return name if name[1:2].isupper() else name[0].lower() + name[1:]


def _caption(evaluation: dict[str, Any]) -> str:
    text = "Mean over a year in which the job runs, at the utility meter."
    if at(evaluation, "cooling.liquid_heat_w"):
        text += (
            " Liquid takes the same share of every part of a SuperNode; fabric and storage are air-cooled."
        )
    return text


def _takeaway(evaluation: dict[str, Any], flows: list[Flow], utility: float) -> str:
    word = accelerator_word(evaluation)
    reached = sum(flow.watts for flow in flows if flow.source == "IT" and flow.main)
    text = f"Of {show(utility, 'W').text} from the grid, {show(reached, 'W').text} reaches {word}"
    water = at(evaluation, "cooling.wue_l_per_kwh")
    if water is None:
        return f"{text}."
    if water == 0:
        return f"{text}; the heat leaves without water."
    return f"{text}; cooling takes {number(water)}{THIN_SPACE}L of water per kWh of IT."


def _flows(evaluation: dict[str, Any]) -> Iterator[Flow]:
    """Every flow that is not nought; none where something is unknown."""
    parts = at(evaluation, PARTS)
    paths = {
        "IT": "power.it_power_mean_w",
        "Electrical losses": "power.electrical_losses_w",
        "Cooling plant": "cooling.power_mean_w",
        "House load": "power.house_load_w",
    }
    taken = {name: at(evaluation, path) for name, path in paths.items()}
    known = isinstance(parts, dict) and parts and None not in (*parts.values(), *taken.values())
    heat = Heat.of(evaluation) if known else None
    if not known or heat is None or not taken["IT"]:
        return
    nodes = _parts(parts, sum(taken.values()), accelerator_word(evaluation))
    share = _liquid_share(nodes, heat.liquid_w)
    flows = [
        *(Flow("Utility", name, watts, paths[name], name == "IT") for name, watts in taken.items()),
        *(Flow("IT", part.label, part.watts, part.path, part.main) for part in nodes),
    ]
    for part in nodes:
        coolant = share * (part.watts - part.air_cooled_watts)
        flows.append(Flow(part.label, COOLANT, coolant, main=part.main))
        flows.append(Flow(part.label, AIR, part.watts - coolant, main=part.main and not heat.liquid_w))
    flows += heat_flows(heat, taken)
    yield from (flow for flow in flows if flow.watts > 1e-9 * taken["IT"])


def _parts(parts: dict[str, float], utility: float, word: str) -> list[Part]:
    """Parts of the IT load, the largest as they are and the small ones together."""
    ordered = [name for name in LABELS if name in parts] + [name for name in parts if name not in LABELS]
    small = [name for name in ordered if parts[name] < SMALLEST_SHARE * utility and name != "accelerators"]
    if len(small) < 2:
        small = []
    labels = LABELS | {"accelerators": word[0].upper() + word[1:]}
    nodes = [
        Part(
            labels.get(name, name.replace("_", " ").capitalize()),
            parts[name],
            parts[name] if name in AIR_COOLED else 0.0,
            f"{PARTS}.{name}",
            name == "accelerators",
        )
        for name in ordered
        if name not in small
    ]
    if small:
        aside = sum(parts[name] for name in small if name in AIR_COOLED)
        nodes.append(Part(OTHER, sum(parts[name] for name in small), aside, "", False))
    return [part for part in nodes if part.watts > 0]


def _liquid_share(nodes: list[Part], liquid: float) -> float:
    """Share of the SuperNodes' heat that the coolant takes."""
    supernodes = sum(part.watts - part.air_cooled_watts for part in nodes)
    return min(liquid / supernodes, 1.0) if supernodes else 0.0


def _columns(flows: list[Flow]) -> list[list[str]]:
    """Names by column, from left to right and from the top."""
    first = [flow.target for flow in flows if flow.source == "Utility"]
    second = [flow.target for flow in flows if flow.source == "IT"]
    targets = {flow.target for flow in flows}
    third = [name for name in (COOLANT, AIR) if name in targets]
    return [
        ["Utility"],
        first,
        second,
        third,
        [name for name in (*SINKS.values(), OUTDOORS) if name in targets],
    ]


def _plot(flows: list[Flow], scale: float, unit: str) -> dict[str, Any]:
    columns = _columns(flows)
    names = [name for column in columns for name in column]
    watts = {
        name: max(
            sum(flow.watts for flow in flows if flow.source == name),
            sum(flow.watts for flow in flows if flow.target == name),
        )
        for name in names
    }
    main = {name for flow in flows if flow.main for name in (flow.source, flow.target)}

    def words(power: float) -> str:
        return f"{_watts(power / scale)}{THIN_SPACE}{unit}"

    sankey = forms.sankey(
        [(name, words(watts[name]), "c1" if name in main else "c7") for name in names],
        _places(columns, watts),
        [
            (names.index(flow.source), names.index(flow.target), flow.watts, "flow-main" if flow.main else "flow-rest",
             [flow.source, _inside(flow.target), words(flow.watts)])
            for flow in flows
        ],
        pad=PAD,
        thickness=THICKNESS,
    )  # fmt: skip
    return forms.plot([sankey], HEIGHT, right=2, left=2)


def _places(columns: list[list[str]], watts: dict[str, float]) -> tuple[list[float], list[float]]:
    """Centres of the nodes as shares of width and height, each column stacked from the top."""
    height = HEIGHT - 2 * MARGIN
    per_watt = min(
        (height - PAD * (len(column) - 1)) / sum(watts[name] for name in column) for column in columns
    )
    xs, ys = [], []
    for position, column in enumerate(columns):
        top = 0.0
        for name in column:
            size = watts[name] * per_watt
            xs.append(min(max(position / (len(columns) - 1), 0.005), 0.995))
            ys.append((top + size / 2) / height)
            top += size + PAD
    return xs, ys
