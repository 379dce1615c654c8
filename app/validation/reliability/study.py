"""Published interruptions, times between failures and spares, against the engine at the rate of a usual fleet."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.validated import RELIABILITY_FIGURES_FILE
from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.operations.failures import failures_of
from app.engine.operations.spares import spare_units_recommended, units_in_repair
from app.engine.trace import Array
from app.validation.study import Checked, Compared, Prediction, Row, Study, UnsupportedRowError, one_by_one

COLUMNS = ("system", "accelerators", "period", "metric", "value", "unit")
"""What a file must have; `id`, `derived`, `note`, `source`, `url` and `scored` are used where they are."""

HOST_ACCELERATORS = 8.0
"""All fleets of the file have hosts of eight accelerators."""
DAYS = {"day": 1.0, "week": 7.0, "month": 365.25 / 12, "year": 365.25}
RATE = "failures_per_node_day"
OF_THE_RATE = frozenset({"llama3_unexp", "rsc_8", "rsc_1024", "opt_restarts", "crusoe"})
"""Rows whose rates the usual one is the geometric mean of."""


class Asked(NamedTuple):
    """A row with the failures of as many accelerators, at the usual rate, at its low and at its high end."""

    row: Row
    failures: Mapping[str, Any]
    assumptions: OperationsAssumptions

    @property
    def days(self) -> float:
        """Length of the period.

        Raises
        ------
        UnsupportedRowError : it has no number
        """
        found = re.search(r"(\d+(?:\.\d+)?)\s*(day|week|month|year)s?", self.row.text("period"))
        if not found:
            raise UnsupportedRowError(f"the length of the period {self.row.text('period')!r} is not given")
        return float(found[1]) * DAYS[found[2]]


class Answer(NamedTuple):
    """A published figure and that of the engine, at the usual rate and at its low and high end."""

    measured: float
    predicted: Array


def _stated(asked: Asked) -> float:
    """The published number of a row.

    Raises
    ------
    UnsupportedRowError : it is none, or is only a bound
    """
    if asked.row.text("value").startswith((">", "<")):
        raise UnsupportedRowError("only a bound is published")
    value = asked.row.number("value")
    if value is None or not value > 0:
        raise UnsupportedRowError("no figure above zero is published")
    return value


def _interruptions(asked: Asked) -> Answer:
    return Answer(_stated(asked), asked.failures["failures_per_day"] * asked.days)


def _restarts(asked: Asked) -> Answer:
    """Manual and automatic ones together, where the note counts both: the engine knows no difference."""
    found = re.search(r"(\d+) restarts / (\d+) d", asked.row.text("note"))
    if not found:
        raise UnsupportedRowError("manual restarts alone have no counterpart; all restarts are not given")
    return Answer(float(found[1]), asked.failures["failures_per_day"] * float(found[2]))


def _hours_between(asked: Asked) -> Answer:
    return Answer(_stated(asked), asked.failures["mtbf_s"] / 3600)


def _hardware_rate(asked: Asked) -> Answer:
    """Failures of 1,000 hosts in a day, without those of software: the fleet's rate is of hardware alone."""
    hosts = asked.row.needed("accelerators") / HOST_ACCELERATORS
    return Answer(_stated(asked), 1000 * asked.failures["node_failures_per_day"] / hosts)


def _spares(asked: Asked) -> Answer:
    away = units_in_repair(
        by_component=tuple(
            one.units_in_repair for one in asked.failures["components"] if one.units_in_repair is not None
        )
    )
    return Answer(
        _stated(asked),
        spare_units_recommended(
            units_in_repair=away, idle_units=np.zeros(1), confidence=asked.assumptions.spare_confidence
        ),
    )


def _refused(reason: str) -> Callable[[Asked], Answer]:
    def refuse(_: Asked) -> Answer:
        raise UnsupportedRowError(reason)

    return refuse


CASES: tuple[tuple[str, str, Callable[[Asked], Answer]], ...] = (
    (r"^job interruptions", "interruptions", _refused("planned interruptions are among them, which the engine does not foresee")),
    (r"^(unexpected interruptions|faults)", "interruptions", _interruptions),
    (r"^root cause", "root cause", _refused("the shares of components are these counts: it is no test of them")),
    (r"^failures per 1,000 node-days", "hardware rate", _hardware_rate),
    (r"^MTTF", "time between failures", _hours_between),
    (r"restarts", "interruptions", _restarts),
    (r"^hot spare nodes", "spares", _spares),
    (r"^(ETTR|effective training time)", "ETTR", _refused("neither the model nor the cost of its checkpoints is published")),
)  # fmt: skip
"""Words of a metric, the kind that errors are grouped by, and what gives it; the first that fits."""


def _checked(row: Row, catalog: Catalog) -> Checked[None]:
    metric = row.text("metric")
    case = next((case for case in CASES if re.search(case[0], metric)), None)
    if case is None:
        raise UnsupportedRowError(f"the engine has no figure for {metric!r}")
    _, kind, answer = case
    found = answer(_asked(row, catalog))
    usual, *ends = (float(value) for value in found.predicted[:, 0])
    prediction = Prediction(
        key=row.key,
        family=row.text("source") or row.family,
        groups={"quantity": kind, "rate": "one of five" if row.key in OF_THE_RATE else "another fleet"},
        measured=found.measured,
        predicted=usual,
        low=min(ends),
        high=max(ends),
    )
    return Checked(row, prediction, None)


def _asked(row: Row, catalog: Catalog) -> Asked:
    rows = {
        field.name: catalog.assumption("operations", field.name, {})
        for field in dataclasses.fields(OperationsAssumptions)
    }
    rate = rows[RATE]
    assert rate.low is not None, "fleets differ"
    assert rate.high is not None
    values: dict[str, Array] = {name: np.array([one.value]) for name, one in rows.items()}
    values[RATE] = np.array([[rate.value], [rate.low], [rate.high]])
    assumptions = OperationsAssumptions(**values)
    failures = failures_of(
        accelerators_used=np.array([float(row.needed("accelerators"))]),
        accelerators_per_supernode=np.array([HOST_ACCELERATORS]),
        nodes_per_supernode=np.ones(1),
        assumptions=assumptions,
    )
    return Asked(row, failures, assumptions)


def within_interval(predictions: Iterable[Prediction]) -> tuple[int, int]:
    """Figures within the interval of the rate, and how many have one."""
    pairs = [(one, one.low, one.high) for one in predictions]
    held = [low <= one.measured <= high for one, low, high in pairs if low is not None and high is not None]
    return sum(held), len(held)


def _extra(compared: Compared[None]) -> dict[str, Any]:
    held, of = within_interval(compared.predictions)
    return {"within_interval": held, "with_interval": of}


RELIABILITY = Study(
    kind="reliability",
    file=RELIABILITY_FIGURES_FILE,
    columns=COLUMNS,
    predict=one_by_one(_checked),
    extra=_extra,
    counts=("within_interval", "with_interval"),
)
