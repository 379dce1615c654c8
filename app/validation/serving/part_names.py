"""Models and accelerators of a file by the keys of the catalog."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from app.catalog.lookup import Catalog
from app.validation.rows import UnsupportedRowError
from app.validation.serving.spellings import (
    FORMS,
    System,
    model_spellings,
    plain,
    shorter_models,
    shorter_systems,
    sized,
    system_spellings,
)

SIZE_TOLERANCE = 0.05  # sizes in names are rounded, or with modules that guess tokens ahead
MEMORY_TOLERANCE = 0.12  # names say what is on the board, or what the vendor's label says


def model_key(name: str, catalog: Catalog) -> str:
    """The key of a model; quantised, tuned and dated checkpoints are the model that they were made of.

    Raises
    ------
    UnsupportedRowError : the catalog has no such model
    """
    if not name:
        raise UnsupportedRowError("the model is not stated")
    names = shorter_models(name)
    for tried in names:
        if found := _model(tried, catalog):
            return found
    for tried in names:
        if (of_size := sized(tried)) and (found := _model(of_size[0], catalog)):
            published = catalog.part("models", found).facts["published_parameters"].value
            if abs(of_size[1] / published - 1) <= SIZE_TOLERANCE:
                return found
    near = ", ".join(catalog.nearest("models", name))
    raise UnsupportedRowError(f"the model {name!r} is not in the catalog; the nearest are {near}")


def accelerator_key(name: str, catalog: Catalog) -> tuple[str, str]:
    """The key of an accelerator, or of that of a server or rack, and what was assumed to find it.

    Raises
    ------
    UnsupportedRowError : the catalog has no such accelerator
    """
    if not name:
        raise UnsupportedRowError("the system is not stated")
    if found := catalog.find("accelerators", name):
        return found, ""
    if key := _spelt(catalog, "accelerators").get(plain(name)):
        return key, f"system {name} as {key}"
    for tried in shorter_systems(name):
        if key := _accelerator(tried, catalog):
            return key, f"system {name} as {key}"
    system = catalog.find("systems", name) or _spelt(catalog, "systems").get(plain(name))
    if system and (chip := str(catalog.part("systems", system).attributes.get("accelerator_key", ""))):
        return chip, f"system {name} as {chip}"
    near = ", ".join(catalog.nearest("accelerators", name))
    raise UnsupportedRowError(f"the system {name!r} is not in the catalog; the nearest are {near}")


def _model(name: str, catalog: Catalog) -> str | None:
    return catalog.find("models", name) or _spelt(catalog, "models").get(plain(name))


def _accelerator(tried: System, catalog: Catalog) -> str | None:
    """By its words, or with what they leave out; only one with the memory that the name says."""
    spelt = _spelt(catalog, "accelerators")
    stated = tried.memory_gb
    forms = (*((f"{stated:.0f}", f"sxm{stated:.0f}") if stated else ()), *FORMS)
    for form in forms:
        key = spelt.get(tried.words + form)
        if key and (stated is None or _holds(catalog, key, stated * 1e9)):
            return key
    return None


def _holds(catalog: Catalog, key: str, stated_bytes: float) -> bool:
    label = catalog.part("accelerators", key).facts.get("memory_label_bytes")
    return label is not None and abs(stated_bytes / label.value - 1) <= MEMORY_TOLERANCE


SPELLINGS: dict[str, Callable[[str], set[str]]] = {
    "models": model_spellings,
    "accelerators": system_spellings,
    "systems": system_spellings,
}


@lru_cache(maxsize=12)
def _spelt(catalog: Catalog, kind: str) -> dict[str, str]:
    """Every spelling of the names of a kind that is of one key alone."""
    found: dict[str, set[str]] = {}
    for name, key in catalog.names(kind).items():
        for spelling in SPELLINGS[kind](name):
            found.setdefault(spelling, set()).add(key)
    return {spelling: keys.pop() for spelling, keys in found.items() if len(keys) == 1}
