"""A published measurement as a scenario, evaluated by the engine as it is now: why its figure is what it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.charts import FIGURES, Figure
from app.charts.figure import at
from app.charts.format import show
from app.charts.serving.first_token import first_token_figure
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.surfaces.pages.designs import NEW
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state
from app.validation.study import UnsupportedRowError

STEP = FIGURES["step_time"]
TIMES = {"performance.ttft_s": first_token_figure}
"""Of other times than a step's or a token's, what they are made of."""


class Explained(NamedTuple):
    """The evaluation of a measurement's scenario, or why there is none."""

    value: str
    figures: tuple[tuple[str, Figure], ...]  # width class and figure
    before: str  # and after the path of a figure: the address of its explanation
    after: str
    how: str  # the explanation of the value
    design: str
    refused: str


def explained(make: Callable[[], dict[str, Any]], path: str, unit: str, catalog: Catalog) -> Explained:
    """The figure at `path` of the scenario that `make` gives, how it comes about, and the scenario as a design."""
    try:
        document = build_scenario(make())
        found = evaluate_scenario(document, catalog)  # the built-in one, like the published errors
    except UnsupportedRowError as error:
        return _refused(f"{error}.")
    except ScenarioError as error:
        return _refused(error.errors[0].words)
    evaluation = found.as_json
    before, after = f"/designs/{NEW}/explain/", f"?s={encode_state(stated_values(document))}"
    return Explained(
        value=show(at(evaluation, path), unit).text,
        figures=(
            ("whole", TIMES.get(path, STEP)(evaluation)),
            ("half", FIGURES["memory"](evaluation)),
        ),
        before=before,
        after=after,
        how=f"{before}{path}{after}",
        design=f"/designs/{NEW}{after}",
        refused="",
    )


def _refused(why: str) -> Explained:
    return Explained("", (), "", "", "", "", f"The engine as it is now cannot evaluate this run: {why}")
