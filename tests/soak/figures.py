"""What `make soak` measured: a table at its end, build/soak.json, and the same table in docs/reliability.md.

A plugin of pytest. A test says what it measured by `record_property`, and its name says what was shown.
`python -m tests.soak.figures` copies the last run's file to docs/soak.json and makes the tables of the pages anew.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app import __version__
from tests.soak import IS_SHORT

ROOT = Path(__file__).resolve().parents[2]
LAST, KEPT = ROOT / "build/soak.json", ROOT / "docs/soak.json"
PAGES = (ROOT / "docs/reliability.md", ROOT / "docs/security.md")
BEGIN, END = "<!-- measured by make soak -->\n", "<!-- end -->\n"
SECURITY = ("slowed", "answers are as described", "methods")
"""Words in the names of tests that the page about security lists; the others are about reliability."""

_measured: dict[str, dict[str, Any]] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what a test measured; the cases of one test are counted and their figures added, where they are numbers."""
    if report.when != "call":
        return
    name, _, case = report.nodeid.rpartition("::")[2].removeprefix("test_").partition("[")
    shown, figures = name.replace("_", " "), dict(report.user_properties)
    if not case or not all(isinstance(value, int | float) for value in figures.values()):
        shown = f"{shown} ({case.removesuffix(']')})" if case else shown
        _measured[shown] = {
            "shown": shown, "outcome": report.outcome, "seconds": round(report.duration, 1), "figures": figures,
        }  # fmt: skip
        return
    whole = _measured.setdefault(
        shown, {"shown": shown, "outcome": "passed", "seconds": 0.0, "figures": {"cases": 0}}
    )
    whole["seconds"] = round(whole["seconds"] + report.duration, 1)
    for figure, value in {"cases": 1, **figures}.items():
        whole["figures"][figure] = whole["figures"].get(figure, 0) + value
    if report.failed:
        whole["outcome"] = report.outcome


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write the file, with what other parts of the same soak measured today, and show the table."""
    if not _measured:
        return
    LAST.parent.mkdir(exist_ok=True)
    run = {
        "version": __version__,
        "length": "short" if IS_SHORT else "long",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}",
    }
    before = json.loads(LAST.read_text(encoding="utf-8")) if LAST.exists() else {}
    kept = before.get("tests", []) if {name: before.get(name) for name in run} == run else []
    tests = {test["shown"]: test for test in kept} | _measured
    LAST.write_text(json.dumps({**run, "tests": list(tests.values())}, indent=1) + "\n", encoding="utf-8")
    terminalreporter.write_sep("-", "measured")
    for test in _measured.values():
        for line in lines_of(test):
            terminalreporter.write_line(line)


def lines_of(test: Mapping[str, Any]) -> Iterable[str]:
    """A test as rows of a table: one, or one for each thing that was measured by itself."""
    took = f"{test['seconds']:,.0f} s" if test["outcome"] == "passed" else f"**{test['outcome']}**"
    alone = {name: value for name, value in test["figures"].items() if not isinstance(value, dict)}
    if alone or not test["figures"]:
        yield f"| {test['shown']} | {took} | {_words(alone)} |"
    for name, value in test["figures"].items():
        if isinstance(value, dict):
            yield f"| {test['shown']}: {name} | {took} | {_words(value)} |"


def _words(figures: Mapping[str, Any]) -> str:
    return ", ".join(f"{_name(name)} {_value(name, value)}" for name, value in figures.items())


UNITS = {"_ms": " ms", "_mb": " MB", "_s": " s", "_percent": " %"}
"""How the name of a figure ends, and what is printed for it."""


def _name(name: str) -> str:
    return name.removesuffix(next(filter(name.endswith, UNITS), "")).replace("_", " ")


def _value(name: str, value: Any) -> str:
    unit = UNITS.get(next(filter(name.endswith, UNITS), ""), "")
    if isinstance(value, dict):
        return " and ".join(f"{each:,} of {key}" for key, each in sorted(value.items())) or "nothing"
    if isinstance(value, float):
        return f"{float(f'{value:.4g}'):,g}{unit}"
    return f"{value:,}{unit}" if isinstance(value, int) else str(value)


def tables(page: Path, run: Mapping[str, Any]) -> str:
    """The text of a page with its table made again."""
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    about_security = page.name == "security.md"
    chosen = [
        test for test in run["tests"] if any(word in test["shown"] for word in SECURITY) == about_security
    ]
    rows = [line for test in chosen for line in lines_of(test)]
    head = f"Version {run['version']}, {run['date']}, {run['machine']}:\n\n| what was shown | in | figures |\n| --- | --- | --- |\n"
    return before + BEGIN + head + "".join(f"{row}\n" for row in rows) + END + after


def main() -> None:
    """Take over the last run."""
    run = json.loads(LAST.read_text(encoding="utf-8"))
    if run["length"] != "long":
        raise SystemExit("build/soak.json is of a short run: `make soak` measures what the pages print")
    KEPT.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")
    for page in PAGES:
        page.write_text(tables(page, run), encoding="utf-8")


if __name__ == "__main__":
    main()
