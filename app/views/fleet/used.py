"""Utilisation of a fleet in a design."""

from __future__ import annotations

import math

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import refuse
from app.scenarios.load import build_scenario

DIGITS = 4


def used_utilisation(utilisation: float) -> float:
    """The productive share of a fleet as an `economics.utilisation`.

    Raises
    ------
    ScenarioError : the fleet has no utilisation yet, or no work was done
    """
    if not math.isfinite(utilisation) or utilisation <= 0:
        raise refuse(
            "The fleet has no utilisation to use.", rule="no_answer", path="economics.utilisation",
            hint="Wait until a replication of its last policy is done.",
        )  # fmt: skip
    return round(min(utilisation, 1.0), DIGITS)


def with_utilisation(document: ScenarioDocument, utilisation: float) -> ScenarioDocument:
    """The design with the productive share of a fleet as its `economics.utilisation`.

    Raises
    ------
    ScenarioError : the fleet has no utilisation yet, or no work was done
    """
    used = used_utilisation(utilisation)
    values = document.as_dict()
    economics = values.get("economics") or {}
    return build_scenario({**values, "economics": {**economics, "utilisation": used}})
