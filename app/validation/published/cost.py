"""The shipped costs of runs beside ours, and models by every method that was published of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from app.catalog.errors import CatalogLookupError
from app.catalog.lookup import Catalog
from app.catalog.validated_collectives import COST_FIGURES_FILE
from app.paths import seed_data
from app.validation.cost.cases import ACQUISITION, AMORTISED, RENTAL
from app.validation.cost.columns import COLUMNS
from app.validation.cost.methods.amortised import acquisition, amortised
from app.validation.cost.methods.rental import cloud
from app.validation.cost.models import model_in
from app.validation.cost.statement import Asked, Computed, Statement
from app.validation.cost.validate import Checked, checked_rows, cost_report
from app.validation.published.left_out import LeftOut
from app.validation.report import Report
from app.validation.rows import Row, UnsupportedRowError, read_rows


class ByMethod(NamedTuple):
    """One model by one method; what could not be computed says why."""

    method: str
    published_usd: float
    computed: Computed | None
    reason: str

    @property
    def error(self) -> float | None:
        """Ours over the published one, less one."""
        return None if self.computed is None else self.computed.value / self.published_usd - 1


class ModelCosts(NamedTuple):
    """A model by each method that was published of it."""

    name: str
    source: str
    methods: tuple[ByMethod, ...]


class PublishedCosts(NamedTuple):
    checked: tuple[Checked, ...]
    unsupported: tuple[LeftOut, ...]
    unscored: tuple[LeftOut, ...]
    report: Report
    models: tuple[ModelCosts, ...]


def published_costs(catalog: Catalog) -> PublishedCosts:
    """Every shipped figure; computed once a catalog revision."""
    return _published(catalog.builtin)


@functools.lru_cache(maxsize=2)
def _published(catalog: Catalog) -> PublishedCosts:
    rows = read_rows(seed_data() / COST_FIGURES_FILE, COLUMNS)
    by_key = {row.key: row for row in rows}
    checked, unsupported = checked_rows(rows, catalog)
    return PublishedCosts(
        checked=tuple(checked),
        unsupported=tuple(LeftOut(by_key[one.id], one.reason) for one in unsupported),
        unscored=tuple(LeftOut(row, row.text("unscored_reason")) for row in rows if not row.scored),
        report=cost_report(len(rows), checked, unsupported),
        models=tuple(_model(one.row, catalog) for one in checked if one.method == AMORTISED),
    )


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
