"""Label, unit and bounds of a field of a scenario, as its document declares them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from app.engine.units import inside, unit_of, words_of
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.fields import Display


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredField:
    """A field as people read it; bounds that are themselves refused count as bounds."""

    path: str
    label: str
    unit: str
    percent: bool
    whole: bool
    bounds: tuple[float | None, float | None]
    words: tuple[str, ...]  # that it may hold
    default: Any
    description: str


@cache
def declared_field(path: str) -> DeclaredField:
    """The declaration of a field: "pod.networks.storage.switch" is labelled "Storage switch".

    Raises
    ------
    KeyError : the document has no such field
    """
    names = re.sub(r"\[\d+\]", "", path).split(".")
    steps = _steps(ScenarioDocument, names)
    if steps is None:
        raise KeyError(path)
    info, name = steps[-1], names[-1]
    display = _display(info)
    kinds = set(_kinds(info.annotation))
    return DeclaredField(
        path=path,
        label=_label(steps, name),
        unit=display.unit or unit_of(name),
        percent=display.percent,
        whole=int in kinds and float not in kinds,
        bounds=bounds_of(info),
        words=tuple(str(word) for word in _literals(info.annotation)),
        default=info.default,
        description=info.description or "",
    )


def label_of_field(path: str) -> str:
    """Name of a field; of none that is declared, its name in words."""
    try:
        return declared_field(path).label
    except KeyError:
        return _capital(words_of(path))


def bounds_of(info: FieldInfo) -> tuple[float | None, float | None]:
    """The least and the most a number may be."""
    low: float | None = None
    high: float | None = None
    for rule in _metadata(info.annotation, list(info.metadata)):
        if isinstance(rule, Ge | Gt):
            low = float(rule.ge if isinstance(rule, Ge) else rule.gt)  # type: ignore[arg-type]
        elif isinstance(rule, Le | Lt):
            high = float(rule.le if isinstance(rule, Le) else rule.lt)  # type: ignore[arg-type]
    return low, high


def _steps(part: type[BaseModel], names: Sequence[str]) -> list[FieldInfo] | None:
    """The fields that lead to a path inside a part; kinds of workload may have parts of one name."""
    info = part.model_fields.get(names[0])
    if info is None or len(names) == 1:
        return None if info is None else [info]
    inner = (_steps(model, names[1:]) for model in _models(info.annotation))
    found = next((steps for steps in inner if steps is not None), None)
    return None if found is None else [info, *found]


def _label(steps: Sequence[FieldInfo], name: str) -> str:
    label = steps[-1].title or _capital(words_of(name))
    prefixes = [step.title for step in steps[:-1] if _display(step).is_prefix and step.title]
    return " ".join([*prefixes, inside(label)]) if prefixes else label


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _display(info: FieldInfo) -> Display:
    found = (rule for rule in _metadata(info.annotation, list(info.metadata)) if isinstance(rule, Display))
    return next(found, Display())


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Parts of a document inside an annotation."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif isinstance(annotation, list):
        for inner in annotation:
            yield from _models(inner)
    else:
        for inner in get_args(annotation):
            yield from _models(inner)


def _literals(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
        return
    for inner in get_args(annotation):
        yield from _literals(inner)


def _kinds(annotation: Any) -> Iterator[Any]:
    yield annotation
    for inner in get_args(annotation):
        yield from _kinds(inner)


def _metadata(annotation: Any, found: list[Any]) -> list[Any]:
    found.extend(getattr(annotation, "__metadata__", ()))
    for inner in get_args(annotation):
        if get_origin(annotation) is not Literal:
            _metadata(inner, found)
    flat: list[Any] = []
    for rule in found:
        flat.extend(getattr(rule, "metadata", None) or [rule])
    return flat
