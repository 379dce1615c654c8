"""What the command line prints and writes, called in this process."""

from __future__ import annotations

import functools
import io
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import orjson

from app.views.questions.words import QUESTION_WORDS
from tests.golden.canonical import canonical_answer, canonical_json, normalised
from tests.golden.scene import Entry, Scene
from tests.golden.surfaces import exempt

ARGUMENTS: dict[str, tuple[list[str], ...]] = {
    "project": (["--deadline-days", "90"],),
    "calibrate": (["--tokens-per-s", "400"], ["--ttft", "0.9"]),
}
"""Options of commands that ask for something: the first is the usual call."""
WITHOUT_DESIGN: dict[str, tuple[list[str], ...]] = {
    "project": (["--flops", "5.76e23"], ["--parameters", "7e9", "--tokens", "2e12", "--json"]),
    "sweep": (["@sweep"], ["@sweep", "--json"]),
    "study": (["@study"], ["@study", "--json"]),
    "fleet": (["@fleet"], ["@fleet", "--json"]),
    "trends": ([], ["--json"]),
    "gallery": ([], ["--json"]),
    "claims": ([], ["--json"]),
    **{f"ask {words.key}": ([], ["--json"]) for words in QUESTION_WORDS},
    "validate": (["training", "@training"], ["collectives", "@collectives"], ["scaling", "@scaling"]),
    "model describe": (["@model"], ["@model", "--json"]),
    "catalog show": (
        [],
        ["accelerators"],
        ["accelerators", "nvidia_h100_sxm"],
        ["prices"],
        ["sites"],
        ["systems", "dgx_h100"],
    ),
}
"""Commands that take no design, with their arguments; `@` is a prepared file."""


class CommandRecorder:
    """Records commands."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def of_design(self, design: str) -> Iterator[Entry]:
        for words, command in self._scene.surfaces.commands.items():
            if exempt(f"cli {words}"):
                continue
            names = [one.name for one in command.params]
            if words == "gallery":
                if self._scene.designs[design]:
                    yield from self._command(words, [design], design)
                continue
            if not {"ref", "first"} & {*names}:
                continue
            arguments = [
                design,
                *(self._argument(words, one.name, design) for one in command.params[1:] if one.required),
            ]
            for options in ARGUMENTS.get(words, ([],)):
                yield from self._command(words, [*arguments, *options], design, " ".join(options))
            for option in command.params:
                flag = option.opts[0]
                if option.name in ("as_json", "as_csv"):
                    yield from self._command(words, [*arguments, *ARGUMENTS.get(words, ([],))[0], flag],
                                             design, flag)  # fmt: skip
                elif option.name in ("csv", "xlsx", "output", "out") and not option.required:
                    yield from self._written(words, [*arguments, flag], design, option)

    def common(self) -> Iterator[Entry]:
        for words, runs in WITHOUT_DESIGN.items():
            if words in self._scene.surfaces.commands:
                for given in runs:
                    arguments = [
                        str(self._prepared(one[1:])) if one.startswith("@") else one for one in given
                    ]
                    yield from self._command(words, arguments, "", " ".join(given))

    def _argument(self, words: str, name: str, design: str) -> str:
        """What a command needs beside the design."""
        if name == "quantity":
            return self._scene.headline(design)
        if name == "second":
            return "edge_node"
        return str(self._prepared(f"{words} {name}"))

    @functools.cache  # noqa: B019
    def _prepared(self, name: str) -> Path:
        """A file for a command, made of the example that the API's documentation has of the same question."""
        made = {
            "fabric diff file": ("cables.csv", self._cables),
            "fabric sharing jobs": ("jobs.json", lambda: self._example_members("/api/v1/fabric/sharing", "jobs")),
            "sweep": ("sweep.json", lambda: orjson.dumps(self._scene.example("/api/v1/sweeps"))),
            "study": ("study.json", lambda: orjson.dumps(self._scene.example("/api/v1/study"))),
            "fleet": ("fleet.json", lambda: orjson.dumps(self._scene.example("/api/v1/fleets"))),
            "model": ("config.json", lambda: orjson.dumps(self._scene.example("/api/v1/model-descriptions")["config"])),
            "training": ("training.csv", lambda: _seeded("tests/fixtures/training_runs.csv")),
            "collectives": ("collectives.csv", lambda: _seeded("tests/fixtures/collectives.csv")),
            "scaling": ("scaling.csv", lambda: _seeded("tests/fixtures/scaling_laws.csv")),
        }  # fmt: skip
        file, make = made[name]
        path = self._scene.folder / file
        path.write_bytes(make())
        return path

    def _cables(self) -> bytes:
        example = self._scene.example("/api/v1/fabric/cables/diff")["cables"]
        if isinstance(example, str):
            return example.encode()
        columns = list(example[0])
        return "\n".join(
            [",".join(columns), *(",".join(str(row.get(name) or "") for name in columns) for row in example)]
        ).encode()

    def _example_members(self, path: str, *names: str) -> bytes:
        return orjson.dumps({name: self._scene.example(path)[name] for name in names})

    def _command(self, words: str, arguments: list[str], design: str, shown: str = "") -> Iterator[Entry]:
        view = f"{words} {shown}".strip()
        if not self._scene.wants("cli", view, design):
            return
        start = time.perf_counter()
        code, output, errors = called([*words.split(), *arguments])
        text = f"exit {code}\n" + self._readable(output, "--json" in shown)
        if errors.strip():
            text += f"--- standard error\n{normalised(errors)}"
        text = text.replace(str(self._scene.folder), "FOLDER")
        yield Entry("cli", view, design, text, code == 0, time.perf_counter() - start)

    def _written(self, words: str, arguments: list[str], design: str, option: Any) -> Iterator[Entry]:
        """A file that a command writes, by the ending that its option asks for."""
        flag = option.opts[0]
        ending = "xlsx" if option.name == "xlsx" else "csv"
        view = f"{words} {flag}"
        if words in ("sweep", "jobs results") or not self._scene.wants("cli", view, design):
            return
        start = time.perf_counter()
        path = self._scene.folder / f"{words.replace(' ', '_')}.{ending}"
        path.unlink(missing_ok=True)
        code, _, errors = called([*words.split(), *arguments, str(path)])
        text = f"exit {code}\n{normalised(errors)}"
        if path.exists():
            kind = "x/spreadsheetml.sheet" if ending == "xlsx" else "text/csv"
            text += canonical_answer(path.read_bytes(), kind)
        text = text.replace(str(self._scene.folder), "FOLDER")
        yield Entry("cli", view, design, text, code == 0, time.perf_counter() - start)

    def _readable(self, output: bytes, is_json: bool) -> str:
        if is_json and output.strip():
            try:
                return canonical_json(orjson.loads(output))
            except orjson.JSONDecodeError:
                pass
        return normalised(output.decode())


def called(words: list[str]) -> tuple[int, bytes, str]:
    """`podwright` with these words in this process: exit code, standard output, standard error."""
    from app.surfaces import cli

    output, errors = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    code = 0
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "argv", ["podwright", *words]))
        stack.enter_context(redirect_stdout(output))
        stack.enter_context(redirect_stderr(errors))
        stack.enter_context(mock.patch("typer.main.get_command", _command_tree))
        try:
            cli.main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
        except Exception as error:
            code = -1
            errors.write(f"{type(error).__name__}: {error}\n")
    return code, output.buffer.getvalue(), errors.getvalue()  # type: ignore[attr-defined]


@functools.cache
def _command_tree(app: Any) -> Any:
    """The tree of commands, which takes as long to build as a command to run."""
    from typer.main import get_group

    return get_group(app)


def _seeded(path: str) -> bytes:
    from tests.support import ROOT

    return (ROOT / path).read_bytes()
