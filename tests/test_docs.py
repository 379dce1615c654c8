"""What can be set, said or made is documented, and what is documented exists."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer

from app.settings import Settings
from app.surfaces.cli import app
from app.surfaces.pages.navigation import MENUS
from tests.soak import figures

ROOT = Path(__file__).resolve().parents[1]


def sections(document: str) -> dict[str, str]:
    """The parts of a page of docs/ by their second-level headings, backticks taken off."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    _, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return {heading.strip(" `"): body for heading, _, body in (part.partition("\n") for part in parts)}


def commands(group: Any = None, name: str = "podwright") -> dict[str, Any]:
    """Every command by the words that call it, those of groups too."""
    group = group or typer.main.get_group(app)
    found: dict[str, Any] = {}
    for word, command in group.commands.items():
        below = hasattr(command, "commands")
        found |= commands(command, f"{name} {word}") if below else {f"{name} {word}": command}
    return found


def environment_names() -> dict[str, list[str]]:
    """Field of the settings -> names of the variables it is read from."""
    names = {}
    for field, info in Settings.model_fields.items():
        alias = info.validation_alias
        names[field] = [str(choice) for choice in alias.choices] if alias else [f"PODWRIGHT_{field.upper()}"]  # type: ignore[union-attr]
    return names


def test_every_setting_is_documented_and_nothing_else() -> None:
    assert set(sections("settings.md")) == {names[0] for names in environment_names().values()}


@pytest.mark.parametrize("field", Settings.model_fields)
def test_a_setting_says_what_it_is_for(field: str) -> None:
    names = environment_names()[field]
    body = sections("settings.md")[names[0]]
    assert (Settings.model_fields[field].description or "no description") in body
    assert all(f"`{name}`" in body for name in names[1:])
    assert "Default:" in body


def test_every_command_is_documented_and_nothing_else() -> None:
    assert set(sections("commands.md")) == set(commands())


@pytest.mark.parametrize("name", commands())
def test_a_command_says_what_it_takes(name: str) -> None:
    command = commands()[name]
    body = sections("commands.md")[name]
    assert command.help, f"{name} has no help"
    for parameter in command.params:
        if parameter.param_type_name == "option":
            assert [option for option in parameter.opts if option not in body] == []
        else:
            assert (parameter.metavar or parameter.name.upper()) in body


def test_every_make_target_is_in_the_readme() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):.*## ", makefile, flags=re.MULTILINE)
    assert "run" in targets
    assert [target for target in targets if not re.search(rf"make {target}(?![\w-])", readme)] == []


def test_links_between_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


def test_every_page_of_the_navigation_is_documented_and_nothing_else() -> None:
    rows = re.findall(
        r"^\| (\w*) ?\| ([^|]+) \| `([^`]+)` \|", sections("interface.md")["Pages"], re.MULTILINE
    )
    documented, menu = [], ""
    for name, page, address in rows:
        menu = name or menu
        documented.append((menu, page, address))
    assert documented == [(menu.name, place.name, place.address) for menu in MENUS for place in menu.places]


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_commands_that_a_page_names_exist(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    named = re.findall(r"(?:`|^ *|/bin/)podwright ([a-z-]+)((?: [a-z-]+)?)", text, re.MULTILINE)
    known = {name.removeprefix("podwright ") for name in commands()}
    groups = {name.split()[0] for name in known if " " in name}
    assert {word for word, _ in named} <= known | groups
    assert {word + below for word, below in named if word in groups - known and below} <= known


@pytest.mark.parametrize("page", figures.PAGES, ids=lambda page: page.name)
def test_a_page_prints_what_the_last_soak_measured(page: Path) -> None:
    run = json.loads(figures.KEPT.read_text(encoding="utf-8"))
    assert page.read_text(encoding="utf-8") == figures.tables(page, run)
    assert {test["outcome"] for test in run["tests"]} == {"passed"}
