"""Files from the studio, and that a scenario comes back from its file with the same figures."""

from __future__ import annotations

import pytest

from app.scenarios.load import parse_scenario
from app.surfaces.files.formats import FORMATS
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.surfaces.pages.saved.test_saving import MAIN, SCRIPT, saved, scenario


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS, ids=lambda format: f"{format.what}-{format.name}")
def test_every_format_of_what_is_open(asgi_client: AsgiClient, format: object) -> None:
    what, name = format.what, format.name  # type: ignore[attr-defined]
    id = saved(asgi_client, "Pod: 1/2")
    for path in (f"/designs/{MAIN}", f"/designs/{id}", f"/designs/{id}@1", "/designs/new"):
        answer = asgi_client.get(f"{path}/export/{what}/{name}")
        assert answer.status_code == 200, path
        assert answer.headers["content-disposition"].startswith("attachment; ")
    assert (
        'filename="Pod 1 2'
        in asgi_client.get(f"/designs/{id}/export/{what}/{name}").headers["content-disposition"]
    )
    unsaved = {"scenario": scenario(workload__tokens=1e12)}
    assert asgi_client.post(f"/studio/export/{what}/{name}", json=unsaved).status_code == 200


@pytest.mark.slow
def test_scenario_comes_back_from_its_file(asgi_client: AsgiClient) -> None:
    values = scenario(workload__tokens=1e12)
    for name in ("yaml", "json"):
        by_address = asgi_client.get(f"/designs/{MAIN}/export/scenario/{name}?s={encode_state(values)}")
        by_script = asgi_client.post(f"/studio/export/scenario/{name}", json={"scenario": values})
        assert by_address.content == by_script.content
        again = parse_scenario(by_script.text, format="json" if name == "json" else "yaml")
        before, after = (
            asgi_client.post("/studio/evaluate", json={"key": MAIN, "scenario": each}).json()["said"]
            for each in (values, stated_values(again))
        )
        assert before == after


@pytest.mark.parametrize("path", ["scenario/xlsx", "evaluation/pdf", "secrets/json"])
def test_formats_that_are_not_there(asgi_client: AsgiClient, path: str) -> None:
    answer = asgi_client.get(f"/designs/{MAIN}/export/{path}", headers=SCRIPT)
    assert answer.status_code == 422
    assert "ormat" in answer.json()["detail"] or "exported" in answer.json()["detail"]


def test_scenario_that_is_refused_is_not_exported(asgi_client: AsgiClient) -> None:
    body = {"scenario": scenario(parallelism__tp=12)}
    answer = asgi_client.post("/studio/export/evaluation/csv", json=body)
    assert answer.status_code == 422
    assert asgi_client.post("/studio/export/scenario/yaml", json={"scenario": 3}).status_code == 422
