"""What a problem offers really helps."""

from __future__ import annotations

import pytest

from app.catalog.lookup import Catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.examples import list_examples
from app.scenarios.load import build_scenario
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.offers import fix_offers, refusal
from app.surfaces.pages.studio.state import with_value
from tests.asgi import AsgiClient
from tests.support import read_example

pytestmark = pytest.mark.slow

MAIN = "llama_3_1_405b_on_2048_dgx_h100"


@pytest.fixture(scope="module")
def catalog(asgi_client: AsgiClient) -> Catalog:
    from app.catalog.ready import ready_catalog, ready_engine
    from app.settings import get_settings

    ready_catalog(get_settings())
    return Catalog.open(ready_engine(get_settings()))


@pytest.mark.parametrize(
    ("path", "value"), [("parallelism.pp", 8), ("pod.supernodes", 1024), ("workload.sequence_length", 16384)]
)
def test_infeasible_becomes_feasible(catalog: Catalog, path: str, value: int) -> None:
    """The offered changes, taken one after the other, end in a design that fits."""
    values = with_value(stated_values(read_example(MAIN)), path, value)
    if path == "parallelism.pp":
        values = with_value(values, "parallelism.vpp", 8)
    for _ in range(4):
        evaluated = evaluate_scenario(build_scenario(values), catalog)
        broken = [item for item in evaluated.as_json["problems"] if item["kind"] == "infeasible"]
        if not broken:
            break
        offers = fix_offers(broken[0])
        values = with_value(values, offers[0].field, offers[0].value)
    assert evaluated.as_json["feasible"]


@pytest.mark.parametrize("key", [item.key for item in list_examples()])
def test_every_offer_is_a_change_that_the_document_takes(catalog: Catalog, key: str) -> None:
    values = stated_values(read_example(key))
    for problem in evaluate_scenario(build_scenario(values), catalog).as_json["problems"]:
        for offer in fix_offers(problem):
            build_scenario(with_value(values, offer.field, offer.value))
            assert offer.label.startswith(("Set ", "Use "))


@pytest.mark.parametrize(
    ("path", "value", "offered"),
    [
        ("parallelism.tp", 12, [8, 16]),
        ("pod.supernodes", 0, [1]),
        ("economics.wacc", 1.5, [1.0]),
        ("workload.precision", "bf17", ["bf16"]),
        ("workload.sequence_length", 8192.4, [8192]),
        ("workload.tokens", "many", []),
    ],
)
def test_refusals_offer_the_nearest_values(
    catalog: Catalog, path: str, value: object, offered: list[object]
) -> None:
    values = with_value(stated_values(read_example(MAIN)), path, value)
    with pytest.raises(ScenarioError) as caught:
        evaluate_scenario(build_scenario(values), catalog)
    found = refusal(next(error for error in caught.value.errors if error.path == path))
    assert [offer.value for offer in found.offers] == offered
    assert str(value).split(".")[0] in found.message


def test_a_precision_without_a_peak_offers_one_that_the_form_has(catalog: Catalog) -> None:
    values = with_value(stated_values(read_example(MAIN)), "supernode.system", "dgx2_v100")
    with pytest.raises(ScenarioError) as caught:
        evaluate_scenario(build_scenario(values), catalog)
    found = refusal(caught.value.errors[0])
    assert [(offer.value, offer.label) for offer in found.offers] == [("fp16", "Use FP16")]
    assert found.label == "Precision"
