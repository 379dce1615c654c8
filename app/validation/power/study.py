"""Published figures of power and cooling, and of cloud regions, against the engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, NamedTuple, NoReturn

from app.catalog.lookup import Catalog
from app.catalog.validated import POWER_FIGURES_FILE
from app.validation.power.facility import (
    flow,
    pue,
    water,
)
from app.validation.power.nodes import (
    compute_tray,
    diversity,
    energy,
    power_of,
    scalable_unit,
    share_of_rating,
)
from app.validation.power.places import provider_in
from app.validation.power.regions import by_group, overhead_errors, overhead_lines, rank_lines
from app.validation.power.statement import Asked, Predicted, Statement
from app.validation.study import (
    Checked,
    Compared,
    LeftOut,
    Prediction,
    Row,
    Study,
    UnsupportedRowError,
    attempts,
)

# Columns of the two kinds of file: single figures, and regions of cloud providers.

COLUMNS = ("quantity", "value", "unit", "conditions")
"""What a file of power and cooling figures must have; `id`, `source`, `url` and `scored` are used where they are."""

REGION_COLUMNS = ("year", "provider", "region", "location", "lat", "lon", "pue", "wue_l_per_kwh")
"""What a file of regions must have."""


# Which figure a row asks for, and what predicts it.

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
    Case(r"\bpue\b", PUE_FACILITY, "1", pue),
    Case(r"\bwue\b|\bwater\b.*\b(use|usage|evaporat|cooling|tower)|\b(cooling|tower).*\bwater\b(?!.*flow)", WUE,
         "L/kWh", water),
    Case(r"\bflow\b", FLOW, "L/min/kW", flow),
    Case(r"\bdiversity\b", NODE_POWER, "1", diversity),
    Case(r"\benergy\b", ENERGY, "J", energy),
    Case(r"\bscalable unit\b", SIZING, "W", scalable_unit),
    Case(r"\bcompute tray\b", SIZING, "W", compute_tray),
    Case(r"\bstep\b|\bchange between\b", NODE_POWER, "W",
         _refused("the engine has no changes within seconds, only the swing between computing and a pause")),
    Case(r"\bswing\b", NODE_POWER, "W", power_of(lambda power: power.peak_w - power.pause_w)),
    Case(r"(/|\bover\b|\bto\b|\bof\b) ?(the )?(rat(ed|ing)|nameplate)|\bratio\b", NODE_POWER, "1",
         share_of_rating(lambda power: power.mean_w)),
    Case(r"\bidle\b|\bbetween phases\b", NODE_POWER, "W", power_of(lambda power: power.idle_w)),
    Case(r"\bpauses?\b|\bcheckpoint", NODE_POWER, "W", power_of(lambda power: power.pause_w)),
    Case(r"\bpercentile\b", NODE_POWER, "W",
         _refused("the engine has the mean, the peak, pauses and idle of a node, no other percentile")),
    Case(r"\b(rating|rated|nameplate|nominal|design|maximum system|provisioned)\b.*\bpower\b|\brack power\b"
         r"(?!.*\b(mean|average|measured|while|in training)\b)", SIZING, "W", _refused("a rating is what the engine starts from")),
    Case(r"\b(site|grid|facility|machine)\b.*\bpower\b", NODE_POWER, "W",
         _refused("what else the supply of a site feeds is not known")),
    Case(r"\bcoincident\b|\bcluster peak\b", NODE_POWER, "W", power_of(lambda power: power.peak_w)),
    Case(r"\b(peak|maximum|highest)\b.*\b(power|reading)\b|\bpower\b.*\b(peak|maximum|highest)\b", NODE_POWER, "W",
         power_of(lambda power: power.own_peak_w)),
    Case(r"^(?=.*\bpower\b)(?=.*\b(nodes?|servers?|systems?|racks?|cluster|gpu|accelerator|dgx|hgx)\b)",
         NODE_POWER, "W",
         power_of(lambda power: power.mean_w)),
)  # fmt: skip
"""The first whose words are in the quantity."""


# The study.

QUANTITY = "quantity"
NO_PROVIDER = "no provider"


def _predict(rows: Sequence[Row], catalog: Catalog) -> Iterator[Checked[Predicted] | LeftOut]:
    statements = statements_of(rows)

    def asked(statement: Statement) -> Asked:
        others = tuple(one for one in statements if one is not statement and _alike(one, statement))
        return Asked(statement, others, catalog)

    return attempts((one.row, partial(_checked, asked(one))) for one in statements)


def statements_of(rows: Sequence[Row]) -> list[Statement]:
    """Rows, read; "same run" is the run of the row before."""
    read: list[Statement] = []
    for row in rows:
        before = read[-1] if read and _submission(read[-1].row) == _submission(row) else None
        read.append(Statement(row, before))
    return read


def _ranks(checked: Iterable[Checked[Predicted]]) -> dict[str, dict[str, float | None]]:
    """Rank correlation of PUE, of all and by provider."""
    pairs = (
        (one.found.provider or NO_PROVIDER, one.prediction.measured, one.prediction.predicted)
        for one in checked
    )
    return {name: asdict(found) for name, found in by_group(pairs).items()}


def _checked(asked: Asked) -> Checked[Predicted]:
    statement = asked.statement
    case = case_of(statement)
    kind = kind_of(statement, case)
    measured, factor = statement.measured(), statement.factor(case.dimension)
    found = case.predict(asked)
    if not math.isfinite(found.value):
        raise UnsupportedRowError("the engine leaves it unknown: an input is not in the catalog")
    prediction = Prediction(
        key=statement.row.key,
        family=statement.row.text("source") or statement.row.family,
        groups={QUANTITY: kind},
        measured=measured,
        predicted=found.value / factor,
        low=None if found.low is None else found.low / factor,
        high=None if found.high is None else found.high / factor,
        assumed=found.assumed,
    )
    watts = factor if case.dimension == "W" else 0.0
    return Checked(statement.row, prediction, replace(found, watts=watts))


def _alike(one: Statement, other: Statement) -> bool:
    return _submission(one.row) == _submission(other.row)


def _submission(row: Row) -> str:
    """Common properties of rows of one submission."""
    return row.text("url") or row.text("source")


def _measures(compared: Compared[Predicted]) -> dict[str, Any]:
    of_places = [
        one for one in compared.figures if one.prediction.groups[QUANTITY] in (PUE_PROVIDER, PUE_FACILITY)
    ]
    return {
        "pue_less_one": overhead_errors([one.prediction for one in of_places]),
        "rank_correlation": _ranks(one for one in of_places if one.found.place and one.found.place.near),
        "rank_correlation_with_far": _ranks(of_places),
    }


POWER = Study(
    kind="power",
    file=POWER_FIGURES_FILE,
    columns=("quantity", "value", "unit", "conditions"),
    predict=_predict,
    extra=_measures,
    more=lambda extra: (
        *overhead_lines(extra["pue_less_one"]),
        *rank_lines("PUE", extra["rank_correlation"]),
    ),
)
