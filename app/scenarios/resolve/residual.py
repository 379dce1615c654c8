"""What equipment is worth at the end of its life: as stated, else by its generation and age."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.engine.economics.residual import worth_by_age_share
from app.engine.trace import Origin
from app.scenarios.document.scenario import EconomicsDocument
from app.scenarios.resolve.inputs import Inputs

CURVE = ("used_value_share", "value_decline_per_year", "hardware_decline_per_year")
PATH = "economics.residual_value"


def curve(inputs: Inputs, document: EconomicsDocument, also: Mapping[str, str]) -> dict[str, Any]:
    """The numbers of the curve, and the residual value that is stated.

    What the curve gives at the end of the life of SuperNodes is kept as a value beside, for those who ask what holds.
    """
    numbers: dict[str, Any] = {
        name: inputs.assumption(f"economics.{name}", f"scenario.{name}", also=also) for name in CURVE
    }
    if document.residual_value is not None:
        return numbers | {"residual_value": inputs.scenario(PATH, document.residual_value)}
    life = inputs.values["economics.life_years"]
    decline = inputs.origins["economics.value_decline_per_year"]
    worth = worth_by_age_share(
        used_value_share=numbers["used_value_share"],
        value_decline_per_year=numbers["value_decline_per_year"],
        age_years=life,
    )
    inputs.taken(
        PATH,
        worth,
        Origin(
            kind="derived",
            label=f"worth of a SuperNode after {life[0]:g} years over its price",
            source=f"used_value_share x (1 - value_decline_per_year)^years; {decline.source}",
            date=decline.date,
        ),
    )
    return numbers | {"residual_value": None}
