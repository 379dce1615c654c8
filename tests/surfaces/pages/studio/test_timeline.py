"""The timeline of a step in the studio: asked for by its script, hidden where there is one stage."""

from __future__ import annotations

import re

import pytest

from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import with_value
from tests.asgi import AsgiClient
from tests.support import read_example

pytestmark = pytest.mark.slow

MAIN = "llama_3_1_405b_on_2048_dgx_h100"
PLACE = re.compile(r'<div class="whole" id="pipeline"( hidden)?>')


def test_the_chart_follows_the_scenario(reading_client: AsgiClient) -> None:
    values = stated_values(read_example(MAIN))
    answer = reading_client.post("/studio/timeline", json={"key": MAIN, "scenario": values})
    assert answer.status_code == 200
    chart = answer.json()["chart"]
    assert 'id="figure-step_timeline"' in chart
    assert "16 stages of 8 chunks, 16 micro-batches" in chart
    changed = with_value(values, "workload.sequence_length", 4096)
    other = reading_client.post("/studio/timeline", json={"key": MAIN, "scenario": changed}).json()["chart"]
    assert other != chart


def test_what_cannot_be_simulated_is_said(reading_client: AsgiClient) -> None:
    served = stated_values(read_example("deepseek_r1_on_8_h200"))
    answer = reading_client.post(
        "/studio/timeline", json={"key": "deepseek_r1_on_8_h200", "scenario": served}
    )
    assert "serves" in answer.json()["error"]
    broken = reading_client.post("/studio/timeline", json={"key": MAIN, "scenario": {}}).json()
    assert "required" in broken["error"]
    nowhere = reading_client.post("/studio/timeline", json={"key": "s-none", "scenario": served}).json()
    assert set(nowhere) == {"error"}


@pytest.mark.parametrize(
    ("key", "hidden"),
    [
        (MAIN, False),
        ("edge_node", True),  # one stage
        ("deepseek_r1_on_8_h200", True),
        ("fft_3d_on_512_dgx_a100", True),
        ("training_and_serving_on_8_dgx_h200", True),  # two workloads
    ],
)
def test_it_is_shown_where_a_pipeline_trains_one_model(
    reading_client: AsgiClient, key: str, hidden: bool
) -> None:
    found = PLACE.findall(reading_client.get(f"/designs/{key}/performance").text)
    assert found == [" hidden" if hidden else ""]
