"""From the studio to the scaling laws: the model of a scenario, its tokens, and the design that trains it."""

from __future__ import annotations

from urllib.parse import urlencode

from app.charts.figure import get_path
from app.surfaces.pages.designs import Evaluated
from app.surfaces.pages.scaling.form import typed

LONGEST_STATE = 8_000  # letters, as addresses carry a scenario elsewhere


def projection_address(key: str, now: Evaluated, state: str) -> str:
    """The page that projects the model of a scenario on its design, "" where it trains none.

    Parameters
    ----------
    state : what is unsaved of the scenario; too long for an address, the design counts as it was saved
    """
    parameters = get_path(now.as_json, "performance.active_parameters")
    tokens = get_path(now.as_json, "inputs.workload.tokens")
    if parameters is None or tokens is None:
        return ""
    fields = {"parameters": typed(parameters), "tokens": typed(tokens), "design": key}
    if state and len(state) <= LONGEST_STATE:
        fields |= {"s": state, "of": key}
    return f"/scaling?{urlencode(fields)}"
