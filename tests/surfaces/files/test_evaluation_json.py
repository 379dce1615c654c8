"""The JSON export: the evaluation as the API gives it, and the scenario it was made from."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime

import orjson

from app.surfaces.files.formats import evaluation_json


def test_it_is_the_evaluation_with_its_scenario(flagship):
    content = json.loads(evaluation_json(flagship))
    assert content.pop("scenario") == flagship.document.as_dict()
    assert content == json.loads(orjson.dumps(flagship.evaluated.as_json))


def test_a_saved_one_says_which_revision_it_is(flagship):
    saved = dataclasses.replace(
        flagship, revision=3, note="cheaper", saved_at=datetime(2026, 5, 4, 12, tzinfo=UTC)
    )
    content = json.loads(evaluation_json(saved))
    assert content["saved"] == {"revision": 3, "note": "cheaper", "saved_at": "2026-05-04T12:00:00+00:00"}
