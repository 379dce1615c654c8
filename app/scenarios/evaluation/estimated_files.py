"""The examples and the designs of the gallery, with the estimates that today's catalog suggests.

Each of their files ends with what its scenario takes for values that are not published, as a person who accepts every
suggestion would have it. A test holds the files to the catalog; `python -m app.scenarios.evaluation.estimated_files`
updates them after the catalog has changed. An estimate whose rule begins with "by hand" is the file's own and stays.
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.catalog.gallery import reference_designs
from app.catalog.lookup import Catalog
from app.scenarios.evaluation.service import accept_suggestions, evaluate_scenario
from app.scenarios.examples import list_examples
from app.scenarios.load import parse_scenario
from app.scenarios.reading.yaml_text import write_yaml

SECTION = "estimates"
BY_HAND = "by hand"


def shipped_files() -> tuple[Path, ...]:
    """The scenarios that ship."""
    return (*(one.path for one in list_examples()), *(one.path for one in reference_designs().values()))


def with_todays_estimates(text: str, catalog: Catalog) -> str:
    """The text of a scenario with its section of estimates as the catalog suggests it today, at the end."""
    stated = _without_section(text)
    own = {
        place: one for place, one in parse_scenario(text).estimates.items() if one.rule.startswith(BY_HAND)
    }
    document = parse_scenario(stated).model_copy(update={SECTION: own})
    accepted = accept_suggestions(evaluate_scenario(document, catalog)).document.estimates
    if not accepted:
        return stated
    return stated + write_yaml(
        {SECTION: {place: one.model_dump(mode="json") for place, one in accepted.items()}}
    )


def _without_section(text: str) -> str:
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        if not line.startswith((" ", "\n")):
            inside = line.startswith(f"{SECTION}:")
        if not inside:
            kept.append(line)
    return "".join(kept).rstrip("\n") + "\n"


if __name__ == "__main__":
    from app.catalog.ready import ready_catalog

    today = ready_catalog()
    for path in shipped_files():
        path.write_text(with_todays_estimates(path.read_text(encoding="utf-8"), today), encoding="utf-8")
        sys.stdout.write(f"{path}\n")
