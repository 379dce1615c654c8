"""One input of the studio: its place in the scenario document, its words, its unit and its control."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.scenarios.declared_fields import declared_field
from app.surfaces.pages.labels import in_words

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


def control(path: str, kind: Control, **more: Any) -> Field:
    """A field of the document with a control; its words are those that the document declares."""
    declared = declared_field(path)
    return Field(path=path, label=declared.label, control=kind, description=declared.description, **more)


def number(path: str, *, unit: str = "", used: str = "", **more: Any) -> Field:
    """A number with a box, and a slider where `slider` gives its ends."""
    declared = declared_field(path)
    return control(
        path,
        "number",
        unit=unit or declared.unit,
        percent=declared.percent,
        whole=declared.whole,
        bounds=declared.bounds,
        used=used,
        **more,
    )


def choice(path: str, catalog: str, *, used: str = "", words: tuple[tuple[str, str], ...] = ()) -> Field:
    """A part of the catalog, found by typing."""
    return control(path, "choice", catalog=catalog, used=used, words=words)


def segments(path: str, *, names: Mapping[str, str] | None = None, **more: Any) -> Field:
    """One of a few words, all in sight."""
    return control(path, "segments", words=_words(path, names or {}), **more)


def select(path: str, *, names: Mapping[str, str]) -> Field:
    """One of more words than stand side by side."""
    return control(path, "select", words=_words(path, names))


def optional(path: str, *, names: Mapping[str, str], empty: str) -> Field:
    """One of a few words or none, where none has a meaning of its own."""
    return control(path, "select", words=(("", empty), *_words(path, names)))


def _words(path: str, names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((word, names.get(word, in_words(word))) for word in declared_field(path).words)


def switch(path: str, *, used: str = "") -> Field:
    """Yes or no."""
    return control(path, "switch", words=(("true", "On"), ("false", "Off")), used=used)


def text(path: str) -> Field:
    """One line of words."""
    return control(path, "text")


def topology_field() -> Field:
    """How SuperNodes are joined."""
    return choice(
        "pod.fabric.topology",
        "topologies",
        words=(("auto", "Automatic"), ("none", "None: one SuperNode")),
    )


def topology_fields() -> tuple[Field, ...]:
    """Tiers of a folded Clos, lengths and circuits of a lattice, groups of a dragonfly."""
    return (
        number("pod.fabric.switch_logical_ports", words=(("", "catalog"),)),
        number("pod.fabric.tiers", words=(("", "minimum"),)),
        choice("pod.fabric.spine_switch", "switches", words=(("", "As the leaves"),)),
        choice("pod.fabric.core_switch", "switches", words=(("", "As the spines"),)),
        number("pod.fabric.uplink_gbit_s", words=(("", "as links to nodes"),)),
        number("pod.fabric.spine_oversubscription",
               words=(("", "same as leaves"),)),
        segments("pod.fabric.spine_spread", names={"even": "Even", "within_one": "Within one link"}),
        text("pod.fabric.shape"),
        switch("pod.fabric.optical_circuit_switches"),
        number("pod.fabric.group.routers", words=(("", "balanced"),)),
        number("pod.fabric.group.endpoints", words=(("", "balanced"),)),
        number("pod.fabric.group.global_links", words=(("", "balanced"),)),
    )  # fmt: skip
