"""Published costs of runs against the engine, each by the method that its source used."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.lookup import Catalog
from app.catalog.validated import COST_FIGURES_FILE
from app.validation.cost.buying import acquisition, amortised, bought
from app.validation.cost.hardware import model_in
from app.validation.cost.owning import (
    cloud,
    hour_of_host,
    million_tokens,
    of_tokens,
    owned_hour,
    rented,
    share,
)
from app.validation.cost.statement import (
    ACCELERATOR_H,
    DEVICES,
    ENERGY,
    HOSTS,
    HOURS,
    HOURS_PER_T,
    KG,
    KG_EACH,
    RATIO,
    USD,
    USD_EACH,
    USD_H,
    USD_HOST,
    USD_TOKENS,
    Asked,
    Computed,
    Statement,
)
from app.validation.cost.use import carbon, clock, each, energy, hours, per_token, summed
from app.validation.study import Checked, LeftOut, Prediction, Row, Study, UnsupportedRowError, attempts

# Columns of a file of published costs.

COLUMNS = ("subject", "published_value", "unit", "inputs", "check_formula")
"""What a file must have; `id`, `date`, `source`, `url`, `note` and `scored` are used where they are."""


# Which method a row's figure is computed by: told from its unit and its words.

RENTAL, AMORTISED, ACQUISITION = "rental equivalent", "amortised ownership", "acquisition"
LEVELISED, OF_TOKENS, SUM = "levelised ownership", "price of tokens", "sum of stated parts"
GPU_HOURS, CLOCK, ENERGY_USE, CARBON, SHARE = "accelerator-hours", "run time", "energy", "carbon", "ratio"
METHODS = (
    RENTAL, AMORTISED, ACQUISITION, LEVELISED, OF_TOKENS, SUM, GPU_HOURS, CLOCK, ENERGY_USE, CARBON, SHARE,
)  # fmt: skip
"""In the order that they are shown in."""


class Case(NamedTuple):
    """A method, and what computes a figure by it."""

    method: str
    compute: Callable[[Asked], Computed]


def case_of(asked: Asked) -> Case:
    """The method of a row.

    Raises
    ------
    UnsupportedRowError : none can be told from its columns
    """
    dimension, _ = asked.statement.unit
    if dimension == USD:
        return _money(asked)
    found = BY_DIMENSION.get(dimension)
    if found is None:
        raise UnsupportedRowError(f"no method gives a figure in {asked.statement.row.text('unit')!r}")
    return found


UNREAD_PRICES = {
    r"(?:/|per) ?(?:server|node|rack|host)[ -/]*(?:hours?|hrs?|h)\b": "it prices an hour of a server",
    r"\d ?(?:EUR|GBP|CNY|RMB|JPY)\b|[€£¥] ?\d": "it prices in another currency than USD, with no rate alongside it",
}
"""Prices that would otherwise be passed over, and the catalog's taken in their place."""


def _money(asked: Asked) -> Case:
    """The method of a sum of money: by the words of the row, else by what its quantities allow."""
    stated = asked.statement
    for unread, words in UNREAD_PRICES.items():
        if stated.says(unread, "inputs"):
            raise UnsupportedRowError(words)
    if stated.says(r"amorti|\bln ?\(?10|0\.14\b", "unit", "check_formula", "subject"):
        return Case(AMORTISED, amortised)
    if stated.all(USD_TOKENS):
        return Case(OF_TOKENS, of_tokens)
    if stated.all(USD_H):
        return Case(RENTAL, rented)
    if stated.all(HOSTS) and stated.all(DEVICES):
        return Case(ACQUISITION, bought)
    if summed(stated) is not None:
        return Case(SUM, _summed)
    listed = model_in(stated.row.text("subject")) is not None
    if stated.says(r"acqui|capex|capital|purchase|\bbuy|bought|cluster", "unit", "subject"):
        by_name = listed and not stated.all(DEVICES)
        return Case(ACQUISITION, acquisition if by_name else bought)
    if stated.all(USD_HOST) or stated.all(USD_EACH):
        return Case(ACQUISITION, bought)
    if stated.says(r"cloud|rent", "unit", "subject", "check_formula"):
        return Case(RENTAL, cloud)
    if stated.all(ACCELERATOR_H) or (stated.all(DEVICES) and stated.all(HOURS)):
        return Case(RENTAL, rented)
    raise UnsupportedRowError("neither its unit, its formula nor its inputs name a method")


def _summed(asked: Asked) -> Computed:
    found = summed(asked.statement)
    if found is None:
        raise UnsupportedRowError("its inputs are no list of parts")
    return found


def _hour(asked: Asked) -> Computed:
    return hour_of_host(asked) or owned_hour(asked)


BY_DIMENSION = {
    ACCELERATOR_H: Case(GPU_HOURS, hours),
    HOURS: Case(CLOCK, clock),
    HOURS_PER_T: Case(CLOCK, clock),
    USD_H: Case(LEVELISED, _hour),
    USD_TOKENS: Case(OF_TOKENS, million_tokens),
    "J/token": Case(ENERGY_USE, per_token),
    ENERGY: Case(ENERGY_USE, energy),
    KG: Case(CARBON, carbon),
    KG_EACH: Case(CARBON, each),
    RATIO: Case(SHARE, share),
    "share": Case(SHARE, share),
    "MFU": Case(SHARE, share),
}
"""What a figure that is no sum of money is computed by."""


# The study.


def _predict(rows: Sequence[Row], catalog: Catalog) -> Iterator[Checked[Computed] | LeftOut]:
    statements = [Statement(row) for row in rows]
    by_url: dict[str, list[Statement]] = {}
    for statement in statements:
        by_url.setdefault(statement.row.text("url"), []).append(statement)

    def asked(statement: Statement) -> Asked:
        url = statement.row.text("url")
        others = tuple(one for one in by_url[url] if url and one is not statement)
        return Asked(statement, others, catalog.builtin)

    return attempts((one.row, functools.partial(_checked, asked(one))) for one in statements)


def _checked(asked: Asked) -> Checked[Computed]:
    statement = asked.statement
    measured, (_, factor) = statement.published(), statement.unit
    case = case_of(asked)
    with np.errstate(divide="ignore", invalid="ignore"):  # a row may state zero
        found = case.compute(asked)
    if not math.isfinite(found.value):
        raise UnsupportedRowError("the engine leaves it unknown: an input is zero, or not in the catalog")
    prediction = Prediction(
        key=statement.row.key,
        family=statement.row.text("source") or statement.row.family,
        groups={METHOD: case.method},
        measured=measured,
        predicted=found.value / factor,
        low=None if found.low is None else found.low / factor,
        high=None if found.high is None else found.high / factor,
        assumed=found.assumed,
    )
    return Checked(statement.row, prediction, found)


METHOD = "method"
COST = Study(kind="cost", file=COST_FIGURES_FILE, columns=COLUMNS, predict=_predict)


# Models by every method that was published of them.


class ByMethod(NamedTuple):
    """One model by one method; what could not be computed says why."""

    method: str
    published_usd: float
    computed: Computed | None
    reason: str

    @property
    def error(self) -> float | None:
        """Computed / published - 1."""
        return None if self.computed is None else self.computed.value / self.published_usd - 1

    @property
    def said(self) -> str:
        """The arithmetic, or why there is none."""
        return self.reason if self.computed is None else self.computed.arithmetic


class ModelCosts(NamedTuple):
    """A model by each method that was published of it."""

    name: str
    source: str
    methods: tuple[ByMethod, ...]


@functools.lru_cache(maxsize=2)
def model_costs(catalog: Catalog) -> tuple[ModelCosts, ...]:
    """The models of the shipped rows whose cost is amortised, by each method; computed once a catalog."""
    figures = COST.shipped(catalog).compared.figures
    return tuple(_model(one.row, catalog) for one in figures if one.prediction.groups[METHOD] == AMORTISED)


def _model(row: Row, catalog: Catalog) -> ModelCosts:
    """The three methods of one row: rented, amortised, bought."""
    statement = Statement(row)
    asked = Asked(statement, (), catalog)
    model = model_in(row.text("subject"))
    found = [
        _by_method(method, published, compute, asked)
        for method, published, compute in (
            (RENTAL, statement.get("USD rented"), cloud),
            (AMORTISED, statement.published() * statement.unit[1], amortised),
            (ACQUISITION, statement.get("USD bought"), acquisition),
        )
        if published is not None
    ]
    return ModelCosts(model.name if model else row.text("subject"), row.text("source"), tuple(found))


def _by_method(method: str, published: float, compute: Callable[[Asked], Computed], asked: Asked) -> ByMethod:
    try:
        return ByMethod(method, published, compute(asked), "")
    except (UnsupportedRowError, CatalogLookupError) as error:
        return ByMethod(method, published, None, str(error))
