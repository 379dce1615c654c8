"""The tab How sure: its answer in words, tables and charts, ranges changed from it, and what it refuses."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from app.scenarios.document.uncertainty import UncertaintyDocument
from app.scenarios.errors import refuse
from app.scenarios.load import build_scenario
from app.surfaces.pages.economics import uncertainty as page_of_uncertainty
from app.surfaces.pages.economics.uncertainty_inputs import input_text
from app.surfaces.pages.economics.uncertainty_shown import chosen_path, verdict
from app.surfaces.pages.studio.state import decode_state, encode_state
from app.views.uncertainty import sensitivity
from app.views.uncertainty.findings import spread_shares
from app.views.uncertainty.inputs import SERVING_FIGURES
from app.views.uncertainty.report import Progress
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.surfaces.pages.economics.sure import bar, figure, report, share, uncertain_input

LAYOUT = {"tp": 8, "pp": 1, "zero_stage": 1}
HERE = "/economics/new/uncertainty"
FEW = {"samples": 64, "seed": 7}
NOT_VARYING = {"between": ["economics.wacc", "workload.sequence_length"], "coefficient": 0.5}


def state(uncertainty: dict[str, object] | None = None, **changes: object) -> str:
    values = scenario(parallelism=LAYOUT, pod__supernodes=4, **changes)
    return encode_state(values | {"uncertainty": FEW | (uncertainty or {})})


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def sent(client: AsgiClient, start: str, **typed: str) -> UncertaintyDocument:
    """The uncertainty of the scenario that a form leads to."""
    answer = client.get(f"{HERE}?{urlencode({'s': start} | typed)}")
    assert answer.status_code == 303, answer.text
    values = decode_state(parse_qs(urlsplit(answer.headers["location"]).query)["s"][0])
    return build_scenario(values).uncertainty


def test_the_answer_in_words_tables_and_charts(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{HERE}?s={state()}")
    assert "Cost per run, owned: 80 % between " in page
    assert "64 samples of " in page
    assert "seed 7: the same seed draws the same samples" in page
    for name in ("distribution", "tornado", "spider"):
        assert f'id="figure-{name}"' in page
    assert 'id="figure-sobol"' not in page
    assert "not asked" in page  # nobody stated a deadline
    assert "The intervals of the studio are of the predicted speed alone" in page
    assert text(asgi_client, f"{HERE}?s={state()}") == page


def test_limits_of_the_scenario_have_their_probability(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{HERE}?s={state({'deadline_days': 10_000, 'budget_usd': 1.0})}")
    assert re.search(r"Done by the deadline, 10,000 days</th><td class=\"numeric\">all samples<", page)
    assert re.search(r"Within the budget, 1.00\sUSD</th><td class=\"numeric\">none of the samples<", page)


@pytest.fixture
def few_for_indices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Indices of few samples: what they are worth is tested with the engine."""
    monkeypatch.setattr(sensitivity, "SOBOL_SAMPLES", 16)


@pytest.mark.usefixtures("few_for_indices")
def test_another_figure_and_its_indices(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{HERE}?s={state()}&figure=performance.elapsed_time_s&sobol=1")
    assert "Elapsed time: 80 % between" in page
    assert 'id="figure-sobol"' in page


@pytest.mark.usefixtures("few_for_indices")
def test_indices_come_as_lines_with_the_chart_last(asgi_client: AsgiClient) -> None:
    answer = asgi_client.get(f"{HERE}/sobol?s={state()}&figure=cost.usd_per_run")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert all(line["done"] <= line["total"] for line in lines[:-1])
    assert 'id="figure-sobol"' in lines[-1]["html"]
    assert lines[-1]["verdict"][0].startswith("Cost per run, owned")


def test_files_hold_every_sample_and_the_report(asgi_client: AsgiClient) -> None:
    rows = list(csv.DictReader(io.StringIO(asgi_client.get(f"{HERE}/samples.csv?s={state()}").text)))
    assert len(rows) == 64
    assert float(rows[0]["cost.usd_per_run"]) > 0
    found = asgi_client.get(f"{HERE}/report.json?s={state()}").json()
    assert (found["samples"], found["seed"], found["sobol"]) == (64, 7, [])


def test_a_range_is_prefilled_from_the_catalog_and_becomes_part_of_the_scenario(
    asgi_client: AsgiClient,
) -> None:
    page = text(asgi_client, f"{HERE}?s={state()}&range=economics.utilisation")
    assert re.search(r'id="range-low" name="low" [^>]*value="40"', page)
    found = sent(
        asgi_client, state(), range="economics.utilisation", change="1", low="50", typical="", high="90"
    )
    assert found.inputs["economics.utilisation"].model_dump(exclude_none=True) == {"low": 0.5, "high": 0.9}
    assert found.seed == 7


def test_a_range_without_ends_is_taken_out(asgi_client: AsgiClient) -> None:
    own = state({"inputs": {"economics.wacc": {"low": 0.08, "high": 0.12}}}, economics__wacc=0.1)
    assert "Remove<" in text(asgi_client, f"{HERE}?s={own}")
    assert sent(asgi_client, own, range="economics.wacc", change="1", low="", high="").inputs == {}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"low": "90", "high": "50"}, "low end, 0.9, above its high end, 0.5"),
        ({"low": "50", "high": "120"}, "1.2 must be at most 1"),
        ({"low": "50", "high": "<b>"}, "must be a number"),
        ({"low": "50"}, "is required"),
    ],
)
def test_a_range_that_cannot_be_used_stays_typed(
    asgi_client: AsgiClient, typed: dict[str, str], said: str
) -> None:
    asked = {"s": state(), "range": "economics.utilisation", "change": "1"} | typed
    page = text(asgi_client, f"{HERE}?{urlencode(asked)}", 422)
    assert said in page
    assert f'value="{typed["low"]}"' in page


def test_what_is_no_number_cannot_be_chosen(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{HERE}?s={state()}&range=supernode.system", 422)
    assert "supernode.system is not a number of this scenario" in page


def test_inputs_go_together_and_apart_again(asgi_client: AsgiClient) -> None:
    pair = {"pair": "1", "one": "economics.wacc", "other": "economics.utilisation"}
    found = sent(asgi_client, state(), **pair, coefficient="0.5")
    (together,) = found.correlations
    assert (together.between, together.coefficient) == (("economics.wacc", "economics.utilisation"), 0.5)
    kept = found.model_dump(mode="json", exclude_unset=True)
    assert sent(asgi_client, state(kept), **pair, coefficient="").correlations == ()
    page = text(asgi_client, f"{HERE}?{urlencode({'s': state()} | pair | {'coefficient': '2'})}", 422)
    assert "must be at most 1" in page


def test_terms_are_asked_for_and_refused_beside_their_box(asgi_client: AsgiClient) -> None:
    asked = {
        "terms": "1",
        "uncertainty.samples": "32",
        "uncertainty.sampler": "sobol",
        "uncertainty.catalog_ranges": "false",
    }
    found = sent(asgi_client, state(), **asked)
    assert (found.samples, found.sampler, found.catalog_ranges, found.seed) == (32, "sobol", False, 0)
    page = text(
        asgi_client, f"{HERE}?{urlencode({'s': state(), 'terms': '1', 'uncertainty.samples': '1'})}", 422
    )
    assert "1 must be at least 2" in page


def test_what_the_whole_answer_refuses_is_told_and_kept(asgi_client: AsgiClient) -> None:
    alone = {"between": ["economics.wacc", "economics.price_discount"], "coefficient": 0.5}
    page = text(asgi_client, f"{HERE}?s={state({'correlations': [alone]})}", 422)
    assert "Not calculated: a range cannot be used" in page
    assert "does not vary" in page
    assert "Give a range to" in page


@pytest.mark.parametrize("file", ["samples.csv", "report.json"])
@pytest.mark.parametrize(("uncertainty", "said"), [
    ({"samples": 200_000}, "more than 5,000,000 numbers"),
    ({"correlations": [NOT_VARYING]}, "does not vary"),
])  # fmt: skip
def test_files_are_refused_in_words(
    asgi_client: AsgiClient, file: str, uncertainty: dict[str, object], said: str
) -> None:
    assert said in text(asgi_client, f"{HERE}/{file}?s={state(uncertainty)}", 422)


def test_lines_of_what_cannot_be_used_do_not_begin(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{HERE}/sobol?s={state({'correlations': [NOT_VARYING]})}", 422)
    assert "does not vary" in page


def test_no_design_that_can_be_ends_the_lines_and_the_files_in_words(
    asgi_client: AsgiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def impossible(*_: object) -> Iterator[Progress]:
        yield Progress(done=1, total=2)
        raise refuse("No sample is a design that can be.", rule="no_design")

    monkeypatch.setattr(page_of_uncertainty, "uncertainty_steps", impossible)
    told = [json.loads(line) for line in asgi_client.get(f"{HERE}/sobol?s={state()}").text.splitlines()]
    assert told[0] == {"done": 1, "total": 2}
    assert "No sample is a design that can be." in told[1]["refused"]
    assert "No sample is a design" in text(asgi_client, f"{HERE}/samples.csv?s={state()}", 422)


def test_a_changed_range_keeps_its_correlations(asgi_client: AsgiClient) -> None:
    pair = {"between": ["economics.wacc", "economics.utilisation"], "coefficient": 0.5}
    own = state(
        {"inputs": {"economics.wacc": {"low": 0.08, "high": 0.12}}, "correlations": [pair]},
        economics__wacc=0.1,
    )
    found = sent(asgi_client, own, range="economics.wacc", change="1", low="6", high="10")
    assert found.inputs["economics.wacc"].model_dump(exclude_none=True) == {"low": 0.06, "high": 0.1}
    (kept,) = found.correlations
    assert (kept.between, kept.coefficient) == (("economics.wacc", "economics.utilisation"), 0.5)


def test_a_range_behind_a_refusal_is_taken_out_on_the_page(asgi_client: AsgiClient) -> None:
    support = "assumptions.economics.support_share_per_year"
    pair = {"between": [support, "workload.sequence_length"], "coefficient": 0.5}
    own = state({"inputs": {support: {"low": 0.01, "high": 0.1}}, "correlations": [pair]})
    assert "does not vary" in text(asgi_client, f"{HERE}?s={own}&range={support}", 422)
    found = sent(asgi_client, own, range=support, change="1", low="", high="")
    assert (found.inputs, found.correlations) == ({}, ())


def test_nothing_that_varies_is_said(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{HERE}?s={state({'catalog_ranges': False})}")
    assert "Nothing that varies moves it." in page
    assert "Nothing varies. Give an input a range here" in page


def test_the_verdict_names_what_decides_and_how_little_electricity_does() -> None:
    found = report(
        figures=(figure("cost.usd_per_run", 61e6, 68e6, 78e6),),
        inputs=tuple(map(uncertain_input, ("economics.utilisation", "supernode.price_usd", "facility.site.electricity_price_usd_per_kwh"))),
        tornado=(
            bar("cost.usd_per_run", "economics.utilisation", 0.8),
            bar("cost.usd_per_run", "supernode.price_usd", 0.6),
            bar("cost.usd_per_run", "facility.site.electricity_price_usd_per_kwh", 0.01),
        ),
    )  # fmt: skip
    assert dict(spread_shares("cost.usd_per_run", found.tornado, found.sobol))[
        "economics.utilisation"
    ] == pytest.approx(0.64, rel=1e-3)
    said = " ".join(verdict(found, "cost.usd_per_run")).replace("\u202f", " ").replace("\u00a0", " ")
    assert "80 % between 61.0 and 78.0 M USD, half below 68.0 M USD." in said
    assert "Economics.utilisation (64 %) and supernode.price_usd (36 %) decide." in said
    assert "The price of electricity makes under 0.1 % of the spread." in said


def test_sobol_indices_count_before_bars() -> None:
    found = report(
        figures=(figure("cost.usd_per_run", 1, 2, 3),),
        inputs=(uncertain_input("economics.wacc"),),
        tornado=(bar("cost.usd_per_run", "economics.wacc", 0.8),),
        sobol=(share("cost.usd_per_run", "economics.wacc", 0.3),),
    )
    assert spread_shares("cost.usd_per_run", found.tornado, found.sobol) == [("economics.wacc", 0.3)]
    # a figure without indices has its bars, and no share is below nothing
    other = [share("cost.tco_usd", "economics.wacc", -0.1)]
    assert spread_shares("cost.usd_per_run", found.tornado, other) == [("economics.wacc", 1.0)]
    assert spread_shares("cost.tco_usd", found.tornado, other) == [("economics.wacc", 0.0)]
    assert chosen_path(found, "no.such") == "cost.usd_per_run"


def test_a_pod_that_serves_is_asked_for_its_tokens_first() -> None:
    assert SERVING_FIGURES[:4] == (
        "performance.tpot_within_s",
        "performance.ttft_within_s",
        "performance.output_tokens_per_s_per_accelerator",
        "cost.usd_per_million_tokens",
    )
    assert len(set(SERVING_FIGURES)) == len(SERVING_FIGURES)
    found = report(figures=tuple(figure(path, 1, 2, 3) for path in reversed(SERVING_FIGURES)))
    assert chosen_path(found, "") == "performance.tpot_within_s"
    of_training = ("cost.usd_per_million_tokens", "cost.usd_per_run")
    found = report(figures=tuple(figure(path, 1, 2, 3) for path in of_training))
    assert chosen_path(found, "") == "cost.usd_per_run"


def test_without_a_known_figure_nothing_is_sure() -> None:
    assert "No figure of this design is known" in verdict(report(), "")[0]


def test_values_of_inputs_are_shown_in_the_unit_of_their_box() -> None:
    assert input_text(uncertain_input("economics.wacc"), 0.08).replace("\u202f", " ") == "8 %"
    assert input_text(uncertain_input("assumptions.x.y", unit="1/year"), 0.05) == "0.0500 per year"
