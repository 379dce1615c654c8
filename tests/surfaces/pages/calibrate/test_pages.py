"""The calibration page: runs in, corrected figures out, and an address that applies them."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from httpx import Response

from app.scenarios.examples import example
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import decode_state, encode_state, with_value
from tests.asgi import AsgiClient
from tests.validation.calibration.logs import MEGATRON, log

PAGE = "/calibrate/edge_node"
VALUES = stated_values(example("edge_node").read())
STATED = with_value(VALUES, "workload.calibration", {"measured_over_predicted": 0.9})


def sent(client: AsgiClient, page: str = PAGE, **fields: str) -> Response:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    return client.post(page, content=urlencode(fields), headers=kind)


def applied(page: str) -> dict[str, object]:
    """The scenario that the button of an answer leads to."""
    (link,) = re.findall(r'href="(/designs/edge_node\?s=[^"]+)" id="apply"', page)
    values = decode_state(parse_qs(urlsplit(html.unescape(link)).query)["s"][0])
    assert values is not None
    return values


def test_the_studio_leads_to_an_empty_form(reading_client: AsgiClient) -> None:
    assert f'href="{PAGE}"' in reading_client.get("/designs/edge_node").text
    page = reading_client.get(PAGE)
    assert page.status_code == 200
    assert "Calibrate on your own runs</h1>" in page.text
    assert 'aria-invalid="true"' not in page.text


def test_runs_correct_the_design_and_nothing_else_of_it(reading_client: AsgiClient) -> None:
    page = sent(reading_client, step_times="15.6 15.8, 15.7")
    assert page.status_code == 200
    assert re.search(r"Your runs are [\d.]+\s%\sslower than predicted</h1>", page.text)
    assert page.text.count(" believed") == 1
    assert page.text.count("step time 15.") == 3
    values = applied(page.text)
    own = values["workload"].pop("calibration")  # type: ignore[attr-defined]
    assert own["low"] < own["measured_over_predicted"] < own["high"] < 1
    assert own["note"].startswith("3 own runs: step time 15.6 s")
    assert values == VALUES


def test_what_is_applied_is_shown_by_the_studio(reading_client: AsgiClient) -> None:
    values = applied(sent(reading_client, step_times="15.6").text)
    page = reading_client.get(f"/designs/edge_node?s={encode_state(values)}").text
    assert re.search(r"Own runs take [\d.]+\s%\slonger", page)
    assert "Calibration" in page


def test_a_state_that_is_not_saved_is_kept(reading_client: AsgiClient) -> None:
    state = encode_state(VALUES | {"name": "Not saved yet"})
    page = sent(reading_client, f"{PAGE}?s={state}", speeds="17000").text
    assert 'class="back"><a href="/designs/edge_node?s=' in page
    assert applied(page)["name"] == "Not saved yet"


def test_what_is_stated_is_set_aside_and_can_be_left_out(reading_client: AsgiClient) -> None:
    page = sent(reading_client, f"{PAGE}?s={encode_state(STATED)}", step_times="15.6").text
    assert "states a correction of 0.9 already" in page
    assert applied(page) == applied(sent(reading_client, step_times="15.6").text)
    assert f'href="/designs/edge_node?s={encode_state(VALUES)}">Open the design without it' in page


def test_a_log_is_read(reading_client: AsgiClient) -> None:
    batch = VALUES["workload"]["global_batch_sequences"]
    page = sent(reading_client, log=log(MEGATRON, seconds=15.0, batch=batch))
    assert page.status_code == 200
    assert "the log, Megatron-LM, median of 32 steps after 8 of warm-up" in page.text


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({}, "step_times", "Give a step time, a speed or a log."),
        ({"step_times": "fast"}, "step_times", "is not a number. Write 18362.5"),
        ({"step_times": "0"}, "step_times", "0.0 must be above 0."),
        ({"step_times": "nan"}, "step_times", "finite"),
        ({"speeds": "18,362"}, "speeds", "is not a number"),
        ({"speeds": "1e9"}, "speeds", "of the peak FLOP/s"),
        ({"log": "<b>nothing</b>"}, "log", "no line of a training step"),
        ({"log": log(MEGATRON, batch=7)}, "log", "logs a global batch of 7 sequences"),
        ({"log": "x" * 600_001}, "log", "has 600,001 characters"),
        ({"step_times": "1 " * 201}, "step_times", "200"),
    ],
)
def test_bad_input_is_said_beside_its_field_and_kept(
    reading_client: AsgiClient, fields: dict[str, str], field: str, said: str
) -> None:
    page = sent(reading_client, **fields)
    assert page.status_code == 422
    error = re.search(rf'<p class="field-error" id="{field}-error">(.*?)</p>', page.text)
    assert error, page.text
    assert said in html.unescape(error[1])
    assert page.text.count('aria-invalid="true"') == 1
    for text in fields.values():
        assert html.escape(text.strip()) in page.text.replace("&#34;", "&quot;")


def test_a_scenario_that_cannot_be_used_is_refused(reading_client: AsgiClient) -> None:
    state = encode_state(with_value(VALUES, "workload.tokens", -1))
    page = sent(reading_client, f"{PAGE}?s={state}", step_times="15.6")
    assert page.status_code == 422
    assert "Not calibrated: " in page.text
    assert 'value="15.6"' in page.text


def test_what_is_not_there_and_who_may_not_ask(reading_client: AsgiClient) -> None:
    assert reading_client.get("/calibrate/no_such_design").status_code == 404
    foreign = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site"}
    assert reading_client.post(PAGE, content="step_times=15", headers=foreign).status_code == 403
