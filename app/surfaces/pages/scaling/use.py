"""A projection as the workload of a scenario: models of its size, each opened in the studio with its tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.charts.format import signed_percent
from app.charts.scaling.words import parameters_text, tokens_text
from app.scenarios.errors import ScenarioError, refuse, shorten
from app.scenarios.load import build_scenario
from app.surfaces.pages.designs import NEW, NEW_DESIGN, Designs
from app.surfaces.pages.scaling.answer import days_shown
from app.surfaces.pages.scaling.form import ScalingForm, number_typed
from app.surfaces.pages.scaling.page import Projected
from app.surfaces.pages.studio.fields import in_field_words
from app.surfaces.pages.studio.form import Values
from app.surfaces.pages.studio.state import MISSING, encode_state, value_at, with_value
from app.views.projecting.design import ASPECT_RATIO, SHAPE_SOURCE, nearest_model, scaled_architecture

DAY_S = 86_400.0
OF_ANOTHER_MODEL = ("parallelism", "published", "illustrative", "description")
"""Parts of the design's scenario that say something of its own model."""


class Choice(NamedTuple):
    """A model for the scenario. `refusal` says why it cannot be evaluated, "" where it can."""

    title: str
    facts: tuple[tuple[str, str], ...]
    note: str
    studio: str
    feasible: bool
    refusal: str


class UsePage(NamedTuple):
    form: ScalingForm
    said: str  # what is wanted
    aspect_ratio: str
    aspect_error: str
    sizes: tuple[tuple[str, str], ...]  # of the SuperPOD: key and words
    size: str
    design: str
    choices: tuple[Choice, ...]


def use_page(
    designs: Designs, catalog: Catalog, form: ScalingForm, found: Projected, query: Mapping[str, str]
) -> UsePage:
    """The models that a projection may become, in the scenario of its design or in a new one."""
    model, design = found.outcome["model"], found.outcome["design"]
    key = found.carried.key if found.carried else NEW
    needed = design["supernodes_needed"] if design else None
    sizes = [("own", f"{design['supernodes']:,} SuperNodes, as designed")] if design else []
    # Of a pod with several kinds no one says which of them there would be more of.
    also = value_at(found.carried.values, "pod.also") if found.carried else MISSING
    mixed = also is not MISSING and bool(also)
    if needed is not None and needed != design["supernodes"] and not mixed:
        sizes.append(("needed", f"{needed:,} SuperNodes, for the deadline"))
    size = query.get("size", "own") if len(sizes) > 1 else "own"
    base = _base(found, needed if size == "needed" else None)
    text = query.get("aspect_ratio", "").strip()[:40] or f"{ASPECT_RATIO:g}"
    near = nearest_model(catalog, model["parameters"])
    choices = [_catalog_choice(designs, key, base, model, near.key, near.name)]
    error = ""
    try:
        choices.append(_scaled_choice(designs, key, base, model, _ratio(text)))
    except ScenarioError as refused:
        error = " ".join(in_field_words(f"{one.message} {one.hint}".strip()) for one in refused.errors)
    return UsePage(
        form=form,
        said=f"{parameters_text(model['parameters'])} parameters, {tokens_text(model['tokens'])}",
        aspect_ratio=text,
        aspect_error=error,
        sizes=tuple(sizes),
        size=size,
        design=found.carried.title if found.carried else str(NEW_DESIGN["name"]),
        choices=tuple(choices),
    )


def _ratio(text: str) -> float:
    """Raises ScenarioError where a text is no number."""
    found = number_typed(text)
    if isinstance(found, str):
        message = f"{shorten(text)} must be a number."
        raise refuse(message, rule="number", path="aspect_ratio", value=text, hint="128 is that of GPT-3.")
    return found


def _base(found: Projected, supernodes: int | None) -> Values:
    """The scenario of the design, without what it says of its own model."""
    values = found.carried.values if found.carried else NEW_DESIGN
    kept = {name: value for name, value in values.items() if name not in OF_ANOTHER_MODEL}
    kept = with_value(kept, "workload.tokens", found.outcome["model"]["tokens"])
    if supernodes is None:
        return kept
    kept = with_value(kept, "pod.supernodes", supernodes)
    part = isinstance(value_at(kept, "pod.accelerators_used"), int | float)
    return with_value(kept, "pod.accelerators_used", "all") if part else kept


def _catalog_choice(
    designs: Designs, key: str, base: Values, model: dict[str, Any], chosen: str, name: str
) -> Choice:
    values = with_value(base, "workload.model", chosen)
    note = "The model of the catalog whose active parameters are nearest. Tokens are those of the projection."
    return _choice(designs, key, values, model, f"{name}, nearest of the catalog", name, (), note)


def _scaled_choice(designs: Designs, key: str, base: Values, model: dict[str, Any], ratio: float) -> Choice:
    """Raises ScenarioError where the ratio is out of range."""
    architecture = scaled_architecture(model["parameters"], ratio)
    shape = (
        ("Layers", f"{architecture['layers']:,}"),
        ("Width", f"{architecture['hidden']:,}"),
        ("Heads", f"{architecture['heads']:,} of 128"),
    )
    values = with_value(base, "workload.model", architecture)
    title = "Dense transformer, scaled to the size"
    return _choice(designs, key, values, model, title, architecture["name"], shape, SHAPE_SOURCE)


def _choice(
    designs: Designs, key: str, values: Values, model: dict[str, Any], title: str, name: str,
    shape: tuple[tuple[str, str], ...], note: str,
) -> Choice:  # fmt: skip
    values = {**values, "name": " ".join(f"{name} on {tokens_text(model['tokens'])}".split())}
    studio = f"/designs/{key}?s={encode_state(values)}"
    try:
        performance = designs.evaluate(key, document := build_scenario(values)).as_json["performance"]
        feasible = designs.evaluate(key, document).as_json["feasible"]
    except ScenarioError as error:
        return Choice(title, shape, note, studio, False, str(error.errors[0]))
    active = performance["active_parameters"]
    away = signed_percent(active / model["parameters"] - 1)
    facts = [("Active parameters", f"{parameters_text(active)}, {away} of those wanted"), *shape]
    if performance["elapsed_time_s"] is not None:
        facts.append(("Elapsed time on this design", days_shown(performance["elapsed_time_s"] / DAY_S).text))
    return Choice(title, tuple(facts), note, studio, bool(feasible), "")
