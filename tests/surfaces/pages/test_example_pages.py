"""The pages of the worked examples: every figure on them can be explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.catalog.ready import ready_catalog
from app.charts import FIGURES
from app.scenarios.evaluation.service import evaluate_example
from app.scenarios.examples import example, list_examples
from app.settings import Settings
from app.surfaces.pages.designs import NEW
from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

KEYS = [example.key for example in list_examples()]
MAIN = "llama_3_1_405b_on_2048_dgx_h100"


def linked(client: AsgiClient, key: str) -> set[str]:
    """Figures that the page of an example has links to."""
    page = client.get(f"/designs/{key}/all").text
    found = set(re.findall(rf'href="/designs/{key}/explain/([^"?]+)"', page))
    assert len(found) > 20
    return found


@pytest.mark.parametrize("key", [NEW, *KEYS])
def test_every_chart_is_there_once(reading_client: AsgiClient, key: str) -> None:
    page = reading_client.get(f"/designs/{key}/all").text
    found = re.findall(r'<figure [^>]*id="figure-(\w+)"', page)
    assert sorted(found) == sorted(set(FIGURES) - without_charts(key))


def without_charts(key: str) -> set[str]:
    """Charts that say nothing of a design: a pod that serves has no goodput of a run."""
    serves = key != NEW and example(key).read().workload.kind == "serving"
    return {"goodput"} if serves else set()


@pytest.mark.parametrize("key", KEYS)
def test_linked_figures_are_figures_of_the_evaluation(
    reading_client: AsgiClient, own_settings: Path, key: str
) -> None:
    scenario = evaluate_example(key, ready_catalog(Settings(data_dir=own_settings)))
    assert linked(reading_client, key) <= scenario.figures.keys()


@pytest.mark.slow
def test_every_link_of_the_main_example_is_answered(reading_client: AsgiClient) -> None:
    for path in sorted(linked(reading_client, MAIN)):
        answer = reading_client.get(f"/designs/{MAIN}/explain/{path}")
        assert answer.status_code == 200, path
