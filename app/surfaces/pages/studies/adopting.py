"""A candidate of an answer as what it stands for: the choices that make it, and the scenario of a design."""

from __future__ import annotations

import json
from typing import Any

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import refuse
from app.scenarios.load import build_document
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.document import StudyDocument
from app.scenarios.study.scenarios import candidate_scenario
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.studies.columns import keys_of

DEFAULTS = {"domain_size": "as_sold", "network": "first", "number_format": "workload", "layout": "auto"}
"""Words of a key that stand for a choice that is left out."""


def candidate_words(key: str, document: StudyDocument) -> str:
    """The choices of a candidate as a form carries them; "" of a column that is a scenario of its own."""
    for one in document.chosen:
        if key in keys_of(one, document):
            return one.candidate.model_dump_json(exclude_none=True) if one.candidate else ""
    values = choices_of(key)
    return json.dumps(values) if values else ""


def choices_of(key: str) -> dict[str, Any] | None:
    """The choices that a key names, None where it names none.

    >>> choices_of("gb200_nvl72/8/as_sold/first/workload/auto/oslo/own")
    {'system': 'gb200_nvl72', 'supernodes': 8, 'site': 'oslo', 'terms': 'own'}
    """
    parts = key.split("/")
    if len(parts) < 8 or not parts[1].isdigit():
        return None
    system, supernodes, domain, *network, number_format, layout, site, terms = parts
    stated: dict[str, Any] = {
        "system": system, "supernodes": int(supernodes), "domain_size": domain, "network": "/".join(network),
        "number_format": number_format, "layout": layout, "site": site, "terms": terms,
    }  # fmt: skip
    found = {name: value for name, value in stated.items() if DEFAULTS.get(name) != value}
    if "domain_size" in found:
        found["domain_size"] = int(domain)
    if "layout" in found:
        found["layout"] = json.loads(layout)
    return found


def scenario_of(document: StudyDocument, key: str, candidate: str, source: Designs) -> ScenarioDocument:
    """The scenario of a column or a candidate.

    Raises
    ------
    ScenarioError : there is no such candidate, or it is no scenario that can be
    """
    column = next((one for one in document.chosen if key in keys_of(one, document)), None)
    if column is not None and column.scenario is not None:
        return (
            column.scenario
            if isinstance(column.scenario, ScenarioDocument)
            else source.evaluated(column.scenario).document
        )
    try:
        values = json.loads(candidate) if candidate else choices_of(key)
    except ValueError:
        values = None
    if not isinstance(values, dict):
        raise refuse("There is no such candidate.", rule="unknown_candidate", path="key", value=key[:80])
    return candidate_scenario(document, build_document(CandidateDocument, values))
