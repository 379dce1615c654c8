"""One input of the studio: its place in the scenario document, its words, its unit and its control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from app.engine.units import unit_of
from app.scenarios.document.scenario import ScenarioDocument
from app.surfaces.pages.labels import in_words
from app.views.uncertainty.bounds import bounds_of

Control = Literal["number", "choice", "segments", "select", "switch", "text"]
Snap = Literal["power", "log", "step"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """`path` is the field of the document, `used` the place in the design whose value it decides.

    `words` are what may stand in place of a number ("all") or the choices of a segmented control or a
    select; `slider` is its lowest and highest value, and `snap` how it moves between them. Where leaving a
    number out has a meaning, `empty` says it and `rest` is where the slider stands then.
    """

    path: str
    label: str
    control: Control
    unit: str = "1"
    used: str = ""
    used_factor: float = 1.0  # the value there times this is in the unit of the field
    origin: str = ""  # where its source stands, if not at `used`
    catalog: str = ""
    words: tuple[tuple[str, str], ...] = ()
    slider: tuple[float, float] | None = None
    snap: Snap = "log"
    step: float = 1.0
    empty: str = ""
    rest: float | None = None
    percent: bool = False
    whole: bool = False
    description: str = ""
    bounds: tuple[float | None, float | None] = (None, None)


def number(path: str, label: str = "", *, unit: str = "", used: str = "", **more: Any) -> Field:
    """A number with a box, and a slider where `slider` gives its ends."""
    info = field_info(path)
    name = path.rsplit(".", 1)[-1]
    return Field(
        path=path,
        label=label or in_words(name),
        control="number",
        unit=unit or unit_of(name),
        used=used,
        whole=_holds(info, int) and not _holds(info, float),
        description=info.description or "",
        bounds=bounds_of(info),
        **more,
    )


def choice(
    path: str, label: str, catalog: str, *, used: str = "", words: tuple[tuple[str, str], ...] = ()
) -> Field:
    """A part of the catalog, found by typing."""
    description = field_info(path).description or ""
    return Field(path=path, label=label, control="choice", catalog=catalog, used=used, words=words,
                 description=description)  # fmt: skip


def segments(
    path: str, label: str, *, names: dict[str, str] | None = None, used: str = "", **more: Any
) -> Field:
    """One of a few words, all in sight."""
    return Field(path=path, label=label or in_words(path.rsplit(".", 1)[-1]), control="segments",
                 words=_words(path, names or {}), used=used, description=field_info(path).description or "",
                 **more)  # fmt: skip


def select(path: str, label: str, *, names: dict[str, str]) -> Field:
    """One of more words than stand side by side."""
    return Field(path=path, label=label, control="select", words=_words(path, names),
                 description=field_info(path).description or "")  # fmt: skip


def optional(path: str, label: str, *, names: dict[str, str], empty: str) -> Field:
    """One of a few words or none, where none has a meaning of its own."""
    words = (("", empty), *_words(path, names))
    return Field(path=path, label=label, control="select", words=words,
                 description=field_info(path).description or "")  # fmt: skip


def _words(path: str, names: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((word, names.get(word, in_words(word))) for word in literals(field_info(path)))


def switch(path: str, label: str, *, used: str = "") -> Field:
    """Yes or no."""
    words = (("true", "On"), ("false", "Off"))
    description = field_info(path).description or ""
    return Field(path=path, label=label, control="switch", words=words, used=used, description=description)


def text(path: str, label: str) -> Field:
    """One line of words."""
    return Field(path=path, label=label, control="text", description=field_info(path).description or "")


@cache
def field_info(path: str) -> FieldInfo:
    """What the document says of a field.

    Raises
    ------
    KeyError : the document has no such field
    """
    found = _info_in(ScenarioDocument, path.split("."))
    if found is None:
        raise KeyError(path)
    return found


def _info_in(part: type[BaseModel], names: Sequence[str]) -> FieldInfo | None:
    """The field at a path inside a part; kinds of workload may have parts of one name."""
    info = part.model_fields.get(names[0])
    if info is None or len(names) == 1:
        return info
    inner = (_info_in(model, names[1:]) for model in models_in(info.annotation, info.metadata))
    return next((found for found in inner if found is not None), None)


def models_in(*annotations: Any) -> Any:
    """Parts of a document inside an annotation."""
    for annotation in annotations:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield annotation
        elif isinstance(annotation, list):
            yield from models_in(*annotation)
        else:
            yield from models_in(*get_args(annotation))


def literals(info: FieldInfo) -> tuple[str, ...]:
    """The words a field may hold."""
    return tuple(str(word) for word in _literal_words(info.annotation))


def _literal_words(annotation: Any) -> Any:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
        return
    for inner in get_args(annotation):
        yield from _literal_words(inner)


def _holds(info: FieldInfo, kind: type) -> bool:
    return _mentions(info.annotation, kind)


def _mentions(annotation: Any, kind: type) -> bool:
    return annotation is kind or any(_mentions(inner, kind) for inner in get_args(annotation))
