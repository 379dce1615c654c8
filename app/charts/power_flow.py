"""Electricity in and heat out, at the mean load: from the utility meter to what takes the heat away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Row, get_path, table, unknown_figure
from app.charts.format import THIN_SPACE, number, one_prefix, show
from app.charts.tier_rows import accelerator_word
from app.engine.quantities import short_label_at
from app.engine.units import inside

EYEBROW = "Power in, heat out"
HEIGHT = 360
MARGIN = 8
PAD = 16  # between the nodes of a column, in pixels
THICKNESS = 8
SMALLEST_SHARE = 4e-3  # of the utility's; smaller parts of the IT load flow together
PARTS = "power.it_breakdown_w"
AIR_COOLED = frozenset({"network", "storage"})  # beside the SuperNodes, whose share of liquid is one figure
ORDER = ("accelerators", "hosts", "nics", "fans", "power_supplies", "idle_supernodes", "network", "storage")
OTHER = "Other IT"
SINKS = {
    "dry_coolers": "Dry coolers",
    "towers": "Towers",
    "chiller_condensers": "Condensers",
    "hall_exhaust": "Hall exhaust",
    "heat_network": "Heat network",
    "sea_or_lake": "Sea or lake",
}
OUTDOORS = "Outdoors"
COOLANT = "Coolant loop"
AIR = "Room air"


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
        **table(
            flows,
            (Column.words("Flow"), lambda flow: f"{flow.source} to {inside(flow.target)}"),
            (Column("Power", unit), lambda flow: _watts(flow.watts / scale)),
            (Column("Share of utility", "%"), lambda flow: f"{100 * flow.watts / utility:.1f}"),
            path=lambda flow: flow.path,
            after=[
                Row(("Utility", _watts(utility / scale), "100.0"), path="power.utility_mean_w", total=True)
            ],
        ),
        plot=_plot(flows, scale, unit),
        minimum_width=720,
    )


def _watts(value: float) -> str:
    """Two decimals below ten, so that small flows do not look more exact than large ones."""
    return f"{value:.2f}" if 0.01 <= value < 9.995 else number(value)


def _caption(evaluation: dict[str, Any]) -> str:
    text = "Mean over a year in which the job runs, at the utility meter."
    if get_path(evaluation, "cooling.liquid_heat_w"):
        text += (
            " Liquid takes the same share of every part of a SuperNode; fabric and storage are air-cooled."
        )
    return text


def _takeaway(evaluation: dict[str, Any], flows: list[Flow], utility: float) -> str:
    word = accelerator_word(evaluation)
    reached = sum(flow.watts for flow in flows if flow.source == "IT" and flow.main)
    text = f"Of {show(utility, 'W').text} from the grid, {show(reached, 'W').text} reaches {word}"
    water = get_path(evaluation, "cooling.wue_l_per_kwh")
    if water is None:
        return f"{text}."
    if water == 0:
        return f"{text}; the heat leaves without water."
    return f"{text}; cooling takes {number(water)}{THIN_SPACE}L of water per kWh of IT."


def _flows(evaluation: dict[str, Any]) -> Iterator[Flow]:
    """Every flow that is not zero; none where something is unknown."""
    parts = get_path(evaluation, PARTS)
    paths = {
        "IT": "power.it_power_mean_w",
        "Electrical losses": "power.electrical_losses_w",
        "Cooling plant": "cooling.power_mean_w",
        "House load": "power.house_load_w",
    }
    taken = {name: get_path(evaluation, path) for name, path in paths.items()}
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
    ordered = [name for name in ORDER if name in parts] + [name for name in parts if name not in ORDER]
    small = [name for name in ordered if parts[name] < SMALLEST_SHARE * utility and name != "accelerators"]
    if len(small) < 2:
        small = []
    labels = {"accelerators": word[0].upper() + word[1:]}
    nodes = [
        Part(
            labels.get(name) or short_label_at(f"{PARTS}.{name}"), parts[name],
            parts[name] if name in AIR_COOLED else 0.0, f"{PARTS}.{name}", name == "accelerators",
        )
        for name in ordered
        if name not in small
    ]  # fmt: skip
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
             [flow.source, inside(flow.target), words(flow.watts)])
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


class Flow(NamedTuple):
    source: str
    target: str
    watts: float
    path: str = ""  # of the figure that states it
    main: bool = False


class Heat(NamedTuple):
    """What the evaluation says of heat, and of each sink by its name here."""

    liquid_w: float
    air_w: float
    sinks: dict[str, dict[str, float]]

    @classmethod
    def of(cls, evaluation: dict[str, Any]) -> Heat | None:
        """None where something is unknown."""
        liquid_w, air_w = (
            get_path(evaluation, "cooling.liquid_heat_w"),
            get_path(evaluation, "cooling.air_heat_w"),
        )
        sinks = get_path(evaluation, "cooling.heat_sinks")
        if liquid_w is None or air_w is None:
            return None
        if sinks is None:  # results that were kept before sinks were distinguished
            return cls(liquid_w, air_w, {OUTDOORS: _outdoors(evaluation, liquid_w, air_w)})
        if any(value is None for sink in sinks for value in sink.values()):
            return None
        return cls(liquid_w, air_w, {SINKS[sink["sink"]]: sink for sink in sinks})


def _outdoors(evaluation: dict[str, Any], liquid_w: float, air_w: float) -> dict[str, float]:
    """All heat that leaves, as one sink."""
    losses_w, house_w = (
        get_path(evaluation, "power.electrical_losses_w"),
        get_path(evaluation, "power.house_load_w"),
    )
    in_hall_w = min(max(air_w + liquid_w - get_path(evaluation, "power.it_power_mean_w"), 0.0), losses_w)
    return {
        "liquid_heat_w": liquid_w,
        "air_heat_w": air_w,
        "cooling_power_w": get_path(evaluation, "cooling.power_mean_w"),
        "uncooled_w": losses_w - in_hall_w + house_w,
    }


def heat_flows(heat: Heat, taken: dict[str, float]) -> list[Flow]:
    """From losses, cooling plant and house, and from the loops, to what takes the heat away."""
    uncooled_w = sum(sink["uncooled_w"] for sink in heat.sinks.values())
    in_hall_w = taken["Electrical losses"] + taken["House load"] - uncooled_w
    to_hall_w = heat.liquid_w - sum(sink["liquid_heat_w"] for sink in heat.sinks.values())
    moving_w = taken["Cooling plant"] - sum(sink["cooling_power_w"] for sink in heat.sinks.values())
    exhaust = SINKS["hall_exhaust"] if OUTDOORS not in heat.sinks else OUTDOORS
    flows = [
        Flow("Electrical losses", AIR, in_hall_w),
        Flow("Electrical losses", exhaust, taken["Electrical losses"] - in_hall_w),
        Flow("House load", exhaust, taken["House load"]),
        Flow(COOLANT, AIR, to_hall_w, main=True),
        Flow("Cooling plant", AIR, moving_w),
    ]
    by_air = not heat.liquid_w or to_hall_w > 0.5 * heat.liquid_w
    for position, (name, sink) in enumerate(heat.sinks.items()):
        path = f"cooling.heat_sinks[{position}]" if name != OUTDOORS else ""
        flows += [
            Flow("Cooling plant", name, sink["cooling_power_w"], path and f"{path}.cooling_power_w"),
            Flow(COOLANT, name, sink["liquid_heat_w"], path and f"{path}.liquid_heat_w", True),
            Flow(AIR, name, sink["air_heat_w"], path and f"{path}.air_heat_w", by_air),
        ]
    return flows
