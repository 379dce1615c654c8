"""Which figure a row asks for, and what predicts it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn

from app.validation.power import facility, nodes, sizing
from app.validation.power.asked import Asked, Predicted
from app.validation.power.regions import provider_in
from app.validation.power.statement import Statement
from app.validation.rows import UnsupportedRowError

NODE_POWER, ENERGY, SIZING, FLOW = "node power", "energy", "sizing", "flow"
PUE_PROVIDER, PUE_FACILITY, WUE = "PUE provider", "PUE facility", "WUE"


class Case(NamedTuple):
    """Words that a quantity must have, what it is a figure of, and what gives it."""

    words: str
    kind: str
    dimension: str
    predict: Callable[[Asked], Predicted]


def kind_of(statement: Statement, case: Case) -> str:
    """The kind that errors are grouped by: PUE of a provider's region apart from that of a facility."""
    if case.kind == PUE_FACILITY and provider_in(statement.quantity):
        return PUE_PROVIDER
    return case.kind


def case_of(statement: Statement) -> Case:
    """The figure that a row asks for.

    Raises
    ------
    UnsupportedRowError : the engine has no such figure
    """
    for case in CASES:
        if statement.asks(case.words):
            return case
    raise UnsupportedRowError(f"the engine has no figure for {statement.row.text('quantity')!r}")


def _refused(reason: str) -> Callable[[Asked], Predicted]:
    def refuse(_: Asked) -> NoReturn:
        raise UnsupportedRowError(reason)

    return refuse


CASES = (
    Case(r"\bpue\b", PUE_FACILITY, "1", facility.pue),
    Case(r"\bwue\b|\bwater\b.*\b(use|usage|evaporat|cooling|tower)|\b(cooling|tower).*\bwater\b(?!.*flow)", WUE,
         "L/kWh", facility.water),
    Case(r"\bflow\b", FLOW, "L/min/kW", facility.flow),
    Case(r"\bdiversity\b", NODE_POWER, "1", nodes.diversity),
    Case(r"\benergy\b", ENERGY, "J", nodes.energy),
    Case(r"\bscalable unit\b", SIZING, "W", sizing.scalable_unit),
    Case(r"\bcompute tray\b", SIZING, "W", sizing.compute_tray),
    Case(r"\bstep\b|\bchange between\b", NODE_POWER, "W",
         _refused("the engine has no changes within seconds, only the swing between computing and a pause")),
    Case(r"\bswing\b", NODE_POWER, "W", nodes.power_of(lambda power: power.peak_w - power.pause_w)),
    Case(r"(/|\bover\b|\bto\b|\bof\b) ?(the )?(rat(ed|ing)|nameplate)|\bratio\b", NODE_POWER, "1",
         nodes.share_of_rating(lambda power: power.mean_w)),
    Case(r"\bidle\b|\bbetween phases\b", NODE_POWER, "W", nodes.power_of(lambda power: power.idle_w)),
    Case(r"\bpauses?\b|\bcheckpoint", NODE_POWER, "W", nodes.power_of(lambda power: power.pause_w)),
    Case(r"\bpercentile\b", NODE_POWER, "W",
         _refused("the engine has the mean, the peak, pauses and idle of a node, no other percentile")),
    Case(r"\b(rating|rated|nameplate|nominal|design|maximum system|provisioned)\b.*\bpower\b|\brack power\b"
         r"(?!.*\b(mean|average|measured|while|in training)\b)", SIZING, "W", _refused("a rating is what the engine starts from")),
    Case(r"\b(site|grid|facility|machine)\b.*\bpower\b", NODE_POWER, "W",
         _refused("what else the supply of a site feeds is not known")),
    Case(r"\bcoincident\b|\bcluster peak\b", NODE_POWER, "W", nodes.power_of(lambda power: power.peak_w)),
    Case(r"\b(peak|maximum|highest)\b.*\b(power|reading)\b|\bpower\b.*\b(peak|maximum|highest)\b", NODE_POWER, "W",
         nodes.power_of(lambda power: power.own_peak_w)),
    Case(r"^(?=.*\bpower\b)(?=.*\b(nodes?|servers?|systems?|racks?|cluster|gpu|accelerator|dgx|hgx)\b)",
         NODE_POWER, "W",
         nodes.power_of(lambda power: power.mean_w)),
)  # fmt: skip
"""The first whose words are in the quantity."""
