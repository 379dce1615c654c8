"""The serving assumptions of many rows at once, the shipped ones or those fitted without a part of the rows."""

from __future__ import annotations

import copy
import csv
import dataclasses
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.catalog.assumptions import AssumptionRow
from app.catalog.lookup import Catalog
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.paths import seed_data
from app.scenarios.document.serving_parts import PartsDocument, format_words, formats_of
from app.scenarios.resolve.hardware_words import context_of
from app.validation.serving.cases import Cases

ROOM = "serving"
LEFT_OUT_FILE = "validation/serving_left_out.csv"


class Constants:
    """The rows of the assumptions table that hold for each case, to be filled with shipped or other values."""

    def __init__(self, catalog: Catalog, cases: Cases) -> None:
        place: dict[tuple[tuple[str, str], ...], int] = {}
        self._of_row = np.array(
            [
                place.setdefault(tuple(sorted(context.items())), len(place))
                for context in contexts_of(catalog, cases)
            ],
            dtype=np.intp,
        )
        contexts = [dict(context) for context in place]
        self._rows = {
            field.name: [catalog.assumption(ROOM, field.name, context) for context in contexts]
            for field in dataclasses.fields(ServingAssumptions)
        }

    def of_rows(self, rows: NDArray[np.intp]) -> Constants:
        """Of these cases alone."""
        found = copy.copy(self)
        found._of_row = self._of_row[rows]
        return found

    def with_values(self, values: Mapping[str, float]) -> ServingAssumptions:
        """The assumptions of each case; `values` by `name[conditions]`, the shipped ones where it has none."""
        return ServingAssumptions(
            **{
                name: np.array([values.get(name_of(row), row.value) for row in rows])[self._of_row]
                for name, rows in self._rows.items()
            }
        )


def constants_of(
    catalog: Catalog,
    cases: Cases,
    left_out: str | None = None,
    fitted: Mapping[str, Mapping[str, float]] | None = None,
) -> ServingAssumptions:
    """The assumptions of each row by its engine, era, precision and accelerator.

    Parameters
    ----------
    left_out : family or system without which the constants were fitted; None is the shipped constants
    fitted : by what was left out, values by `name[conditions]`; those that are shipped when None
    """
    changed = {} if left_out is None else (left_out_constants() if fitted is None else fitted)[left_out]
    return Constants(catalog, cases).with_values(changed)


def contexts_of(catalog: Catalog, cases: Cases) -> list[dict[str, str]]:
    """The words of each row that its assumptions are chosen by, as a scenario has them."""
    hardware = {
        key: context_of(catalog.part("accelerators", key)) for key in dict.fromkeys(cases.accelerator_key)
    }
    mixtures = {key: "experts" in catalog.part("models", key).facts for key in dict.fromkeys(cases.model_key)}
    formats = {
        (accelerator, form, mixture): format_words(
            formats_of(precision=form, parts=PartsDocument(), has_experts=mixture),
            catalog.part("accelerators", accelerator),
            hardware[accelerator]["generation"],
        )
        for accelerator, form, mixture in dict.fromkeys(
            zip(cases.accelerator_key, cases.format, (mixtures[key] for key in cases.model_key), strict=True)
        )
    }
    rows = zip(
        cases.accelerator_key,
        cases.model_key,
        cases.engine,
        cases.era,
        cases.precision,
        cases.format,
        strict=True,
    )
    return [
        {
            **hardware[accelerator],
            **formats[accelerator, form, mixtures[model]],
            "engine": engine,
            "era": era,
            "precision": precision,
        }
        for accelerator, model, engine, era, precision, form in rows
    ]


def name_of(row: AssumptionRow) -> str:
    """A constant by its name and what it applies to, as files of fitted constants write it."""
    return f"{row.name}[{';'.join(f'{word}={value}' for word, value in row.applies_to.items())}]"


def left_out_constants(path: Path | None = None) -> dict[str, dict[str, float]]:
    """Constants fitted without a family or a system, by what was left out; none where none are shipped."""
    file = path or seed_data() / LEFT_OUT_FILE
    found: dict[str, dict[str, float]] = {}
    if not file.exists():
        return found
    with file.open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines):
            found.setdefault(line["left_out"], {})[line["constant"]] = float(line["value"])
    return found


def fitted_values(catalog: Catalog, fitted: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The shipped values of every constant that was fitted, by name."""
    names = {name for constants in fitted.values() for name in constants}
    return {
        name_of(row): row.value
        for assumption in catalog.assumption_names(ROOM)
        for row in catalog.assumption_rows(ROOM, assumption)
        if name_of(row) in names
    }
