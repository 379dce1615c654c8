"""A sweep document made ready to run: the scenario that it names is put in."""

from __future__ import annotations

from collections.abc import Callable

from app.likeness import nearest_names
from app.saved.errors import NotSavedError
from app.saved.expand import expanded
from app.saved.reading import SavedReading
from app.saved.records import Saved
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.examples import example, list_examples
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.document import SweepDocument
from app.scenarios.sweeping.plan import SweepPlan, plan_sweep

Refer = Callable[[str], ScenarioDocument]
"""Finds a scenario by whatever else may name one, such as the name of a saved one on the command line."""


def asked_sweep(document: SweepDocument, work: SavedReading, refer: Refer | None = None) -> SweepPlan:
    """The plan of a sweep, with the saved work and the catalog of the caller.

    Raises
    ------
    ScenarioError : the scenario is not there or cannot be evaluated, or the sweep cannot be made
    """
    named, holder = document.scenario, None
    if isinstance(named, ScenarioDocument):
        scenario = named
    elif refer is not None:
        scenario = refer(named)
    else:
        scenario, holder = _named(named, work)
    full = expanded(scenario.as_dict(), work.finder(holder))
    try:
        return plan_sweep(document, build_scenario(full.document), work.catalog())
    except ScenarioError as error:
        raise ScenarioError(_placed(fault) for fault in error.errors) from None


def _named(named: str, work: SavedReading) -> tuple[ScenarioDocument, Saved | None]:
    """An example by its key, or a saved scenario by its id."""
    try:
        return example(named).read(), None
    except KeyError:
        pass
    try:
        saved = work.get("scenario", named)
    except NotSavedError:
        keys = [known.key for known in list_examples()]
        raise refuse(
            f"There is no example and no saved scenario {named!r}.",
            rule="unknown_scenario",
            path="scenario",
            value=named,
            hint=f"Nearest example: {nearest_names(named, keys, count=1)}.",
        ) from None
    return build_scenario(saved.document), saved


def _placed(fault: InputError) -> InputError:
    """A fault of the scenario stands below it; those of the sweep say their place themselves."""
    own = fault.path.split(".")[0].split("[")[0] in (*SweepDocument.model_fields, "jobs")
    if own:
        return fault
    return InputError(
        path=f"scenario.{fault.path}" if fault.path else "scenario",
        value=fault.value,
        rule=fault.rule,
        message=fault.message,
        hint=fault.hint,
    )
