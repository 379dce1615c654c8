"""Every view of the product, and the example of each as REST and the command line take it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.surfaces.rest.views import example_of
from app.views.rooms import VIEWS
from app.views.view import Flag, View

AnyView = View[Any, Any]
NOWHERE = "no_such_option"


def named(view: AnyView) -> str:
    return f"{view.room} {view.name}"


OF_EACH_VIEW = pytest.mark.parametrize("view", VIEWS, ids=named)
OF_EACH_COMMAND = pytest.mark.parametrize("view", [one for one in VIEWS if one.text is not None], ids=named)


def address_of(view: AnyView) -> str:
    return f"/api/v1/{view.room}/{view.name}"


def scenarios_of(view: AnyView) -> dict[str, Any]:
    """The scenarios of its example."""
    return {name: example_of(view)[name] for name in view.scenarios}


def flag_of(view: AnyView, name: str) -> Flag:
    """How an option is given, with its name."""
    flag = view.flags.get(name, Flag())
    return flag if flag.name or flag.is_argument else Flag(
        name=f"--{name.replace('_', '-')}", read=flag.read, metavar=flag.metavar, default=flag.default
    )  # fmt: skip


def command_of(view: AnyView, folder: Path) -> list[str]:
    """Its command with the scenarios of its example as files, and with what it cannot do without."""
    words = [view.room, view.command_name]
    values = [*scenarios_of(view).items()]
    values += [(name, dict(view.example)) for name, flag in view.flags.items() if flag.is_argument]
    for name, value in values:
        path = folder / f"{name}.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        words.append(str(path))
    return words


def flags_of(view: AnyView) -> tuple[list[str], dict[str, Any]]:
    """Its example as words of the command line, and the options that these are."""
    words: list[str] = []
    options: dict[str, Any] = {}
    for name, value in view.example.items():
        flag = flag_of(view, name)
        if name in view.without_flag or (flag.read and flag.metavar == "FILE"):
            continue
        options[name] = value
        if flag.is_argument:
            continue
        if isinstance(value, bool):
            words.append(flag.name.split("/")[not value])
        elif isinstance(value, list):
            texts = [str(one) for one in value]
            if " " in (flag.metavar or ""):  # several words after one flag
                words += [flag.name, *texts]
                continue
            for text in [",".join(texts)] if flag.read else texts:
                words += [flag.name, text]
        else:
            words += [flag.name, str(value)]
    return words, options


def defaults_of(view: AnyView) -> dict[str, Any]:
    """Options that its command states where nothing is said."""
    return {
        name: flag.read(flag.default) if flag.read else flag.default
        for name, flag in view.flags.items()
        if flag.default is not None
    }
