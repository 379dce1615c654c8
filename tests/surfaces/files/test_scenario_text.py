"""The scenario as YAML and JSON: canonical, so that two that mean the same give the same text."""

from __future__ import annotations

import json

from app.scenarios.load import parse_scenario
from app.surfaces.files.formats import scenario_json, scenario_yaml
from app.surfaces.files.work import Work
from tests.scenarios.support import document


def work(**changes: object) -> Work:
    def never() -> object:
        raise AssertionError("evaluated")

    return Work(document(**changes), never)  # type: ignore[arg-type]


def test_both_say_the_same():
    yaml = parse_scenario(scenario_yaml(work()).decode())
    assert yaml == parse_scenario(scenario_json(work()).decode(), format="json") == document()


def test_defaults_are_written_out_and_what_is_not_stated_is_left_out():
    values = json.loads(scenario_json(work()))
    assert values["parallelism"] == "auto"
    assert "supernode_price_usd" not in values["economics"]


def test_letters_of_any_language_stay_as_they_are():
    assert "name: Münster 配置" in scenario_yaml(work(name="Münster 配置")).decode()
    assert '"name": "Münster 配置"' in scenario_json(work(name="Münster 配置")).decode()
