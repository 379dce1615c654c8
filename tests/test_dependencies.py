"""One version of every package, locked with hashes, and a bill of software that names each with its licence."""

from __future__ import annotations

import importlib.metadata
import json
import re
import tomllib
from pathlib import Path

import pytest

from scripts import bill_of_software

ROOT = Path(__file__).resolve().parents[1]
USES = ("build", "run", "image", "dev")
# Licences that let everybody use, change and pass on what Podwright is made of. The LGPL binds a changed psycopg alone.
FREE = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "LGPL-3.0-only", "MIT", "MIT-0",
    "MPL-2.0", "OFL-1.1", "PSF-2.0", "Zlib",
}  # fmt: skip


def constraints() -> dict[str, str]:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    lines = [
        line.partition(";")[0].strip() for line in text.splitlines() if line and not line.startswith("#")
    ]
    return {bill_of_software.name_of(line.partition("==")[0]): line.partition("==")[2] for line in lines}


def wanted(use: str) -> set[str]:
    """The packages that pyproject.toml asks for directly."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    asked = {
        "build": project["dependency-groups"]["build"],
        "run": project["project"]["dependencies"],
        "image": [*project["project"]["dependencies"], *extras["cluster"], *extras["oidc"]],
        "dev": [*project["project"]["dependencies"], *extras["dev"]],
    }[use]
    names = {bill_of_software.name_of(re.split(r"[\[<>=~ ]", each)[0]) for each in asked}
    return names - {"podwright"}


@pytest.mark.parametrize("use", USES)
def test_a_lock_holds_the_tested_versions(use: str) -> None:
    locked = bill_of_software.locked(use)
    assert wanted(use) <= set(locked)
    assert {name: constraints().get(name) for name in locked} == locked


@pytest.mark.parametrize("use", USES)
def test_every_file_of_a_lock_has_its_hash(use: str) -> None:
    text = (ROOT / "requirements" / f"{use}.txt").read_text(encoding="utf-8")
    entries = re.findall(r"^\S+==.*(?:\n    --hash=sha256:[0-9a-f]{64}.*)+", text, re.MULTILINE)
    assert len(entries) == len(bill_of_software.locked(use))
    assert "://" not in text, "a lock names no registry"


def test_nothing_is_pinned_that_nothing_needs() -> None:
    assert set(constraints()) == set(bill_of_software.locked("dev")) | set(bill_of_software.locked("build"))


def test_these_tests_run_on_the_locked_versions() -> None:
    found = {
        bill_of_software.name_of(each.metadata["Name"]): each.version
        for each in importlib.metadata.distributions()
    }
    locked = bill_of_software.locked("dev")
    assert {name: found[name] for name in locked if name in found} == {
        name: version for name, version in locked.items() if name in found
    }
    assert set(locked) - set(found) <= {"colorama", "pywin32", "tzdata", "win32-setctime"}  # of other systems


@pytest.mark.parametrize("file", ["Dockerfile", "scripts/install.sh"])
def test_nothing_is_installed_without_hashes(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    steps = re.findall(r"pip (?:install|wheel) .*", text)
    assert len(steps) >= 3
    assert [step for step in steps if "--require-hashes" not in step and "--no-deps" not in step] == []


def test_the_bill_lists_what_the_image_and_the_browser_load() -> None:
    bill = json.loads(bill_of_software.BILL.read_text(encoding="utf-8"))
    listed = {component["purl"] for component in bill["components"]}
    packages = {f"pkg:pypi/{name}@{version}" for name, version in bill_of_software.locked("image").items()}
    elsewhere = {purl for purl in packages - listed if re.search(r"/(colorama|tzdata|win32)", purl)}
    assert listed == packages - elsewhere | {each["purl"] for each in bill_of_software.vendored()}
    assert {each.name for each in bill_of_software.VENDORED.iterdir()} == {
        file.parent.name for file in bill_of_software.VENDORED.glob("*/VERSION")
    }
    references = {entry["ref"] for entry in bill["dependencies"]}
    assert {on for entry in bill["dependencies"] for on in entry["dependsOn"]} <= references


def test_every_licence_is_a_free_one() -> None:
    for component in json.loads(bill_of_software.BILL.read_text(encoding="utf-8"))["components"]:
        words = set(re.findall(r"[\w.-]+", component["licenses"][0]["expression"])) - {"AND", "OR", "WITH"}
        assert words <= FREE, component["name"]
        assert "LGPL-3.0-only" not in words or component["name"].startswith("psycopg")


def test_the_page_of_dependencies_is_made_of_the_bill() -> None:
    bill = json.loads(bill_of_software.BILL.read_text(encoding="utf-8"))
    assert bill_of_software.PAGE.read_text(encoding="utf-8") == bill_of_software.page(bill)
