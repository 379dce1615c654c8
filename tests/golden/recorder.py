"""Everything that is recorded, in units that can be made one beside the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from tests.golden.canonical import lines_of_figures, normalised
from tests.golden.commands import CommandRecorder
from tests.golden.pages import PageRecorder
from tests.golden.rest import RestRecorder
from tests.golden.scene import Entry, Scene

COMMON = ("lists", "examples", "pages", "commands")
"""Units of what is of no design."""


class Recorder:
    """Records one design after the other, or what is of no design."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._rest, self._pages, self._commands = (
            RestRecorder(scene),
            PageRecorder(scene),
            CommandRecorder(scene),
        )

    def record(self, unit: str) -> Iterator[Entry]:
        """The entries of a design, or of a unit of `COMMON`.

        Raises
        ------
        RuntimeError : a surface answered with a fault of the server, which is no record
        """
        for entry in self._made(unit):
            if re.match(r"5\d\d ", entry.text) and entry.surface in ("page", "rest", "file", "chart"):
                raise RuntimeError(f"{' '.join(entry.key)} failed: {entry.text.splitlines()[0]}")
            if re.search(self.scene.wanted, " ".join(entry.key).strip()):
                yield entry

    def _made(self, unit: str) -> Iterator[Entry]:
        match unit:
            case "lists":
                yield from self._rest.lists()
            case "examples":
                yield from self._rest.examples()
            case "pages":
                yield from self._pages.common()
            case "commands":
                yield from self._commands.common()
            case _:
                if self.scene.may_want(unit, "evaluation", "explanation"):
                    yield from figures_of(unit)
                yield from self._rest.of_design(unit)
                yield from self._pages.of_design(unit)
                yield from self._commands.of_design(unit)


def figures_of(design: str) -> Iterator[Entry]:
    """The evaluation of a design by section, and each step of its explanations once."""
    from app.catalog.ready import ready_catalog
    from app.scenarios.evaluation.service import evaluate_example

    scenario = evaluate_example(design, ready_catalog())
    for section, values in scenario.as_json.items():
        lines = sorted(lines_of_figures({section: values}))
        yield Entry("evaluation", section, design, normalised("\n".join(lines)))
    blocks: dict[str, dict[str, str]] = {}
    for path, figure in scenario.figures.items():
        for node in figure.node.walk():
            if node is figure.node or node.kind in ("quantity", "input"):
                name = path if node is figure.node else node.name
                section = "inputs" if node.kind == "input" else re.split(r"[.\[]", name)[0]
                text = "\n".join(_explained(node, name))
                blocks.setdefault(section, {})[f"{name}\n{text}"] = text
    for section, found in blocks.items():
        text = "\n".join(found[key] for key in sorted(found))
        yield Entry("explanation", section, design, normalised(text))


def _explained(node: Any, name: str) -> Iterator[str]:
    """A step of a computation: its words and value, then how it comes from the steps below it."""
    yield f"{name} = {_value(node)}"
    if node.quantity:
        about = {part: getattr(node.quantity, part) for part in ("label", "formula", "description", "source")}
        yield from (f"    {part}: {' '.join(str(value).split())}" for part, value in about.items() if value)
    if node.origin:
        yield from (
            f"    {part}: {value}" for part, value in asdict(node.origin).items() if value not in ("", None)
        )
    if node.note:
        yield f"    note: {node.note}"
    yield from _inputs(node, "    ")


def _inputs(node: Any, indent: str) -> Iterator[str]:
    for role, child in node.inputs:
        yield f"{indent}{role or '-'} <- {child.kind} {child.name} = {_value(child)}"
        if child.kind not in ("quantity", "input") and len(indent) < 40:
            yield from _inputs(child, f"{indent}  ")


def _value(node: Any) -> str:
    array = np.asarray(node.value, dtype=float).reshape(-1)
    unit = f" {node.unit}" if node.unit else ""
    if array.size == 1:
        return f"{array[0]:.10g}{unit}"
    finite = array[np.isfinite(array)]
    return (
        f"{array.size} values, {finite.min():.10g} to {finite.max():.10g}{unit}" if finite.size else "unknown"
    )
