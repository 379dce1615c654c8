"""The calibration page of a served model: what users waited for in, corrected latencies out."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlsplit

from app.scenarios.errors import InputError
from app.scenarios.examples import example
from app.surfaces.pages.calibrate.page import CalibrationForm
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import decode_state, encode_state, with_value
from tests.asgi import AsgiClient
from tests.surfaces.pages.calibrate.test_pages import sent

KEY = "deepseek_r1_on_8_h200"
PAGE = f"/calibrate/{KEY}"
VALUES = stated_values(example(KEY).read())


def applied(page: str) -> dict[str, dict[str, object]]:
    """The scenario that the button of an answer leads to."""
    (link,) = re.findall(rf'href="(/designs/{KEY}\?s=[^"]+)" id="apply"', page)
    values = decode_state(parse_qs(urlsplit(html.unescape(link)).query)["s"][0])
    assert values is not None
    return values


def test_the_studio_leads_to_a_form_of_latencies(reading_client: AsgiClient) -> None:
    studio = reading_client.get(f"/designs/{KEY}").text
    assert f'href="{PAGE}"' in studio
    page = reading_client.get(PAGE)
    assert page.status_code == 200
    assert "Calibrate on your own measurement</h1>" in page.text
    assert "Time per output token, mean" in page.text
    assert "Step times" not in page.text
    assert 'aria-invalid="true"' not in page.text


def test_a_measured_point_corrects_the_design(reading_client: AsgiClient) -> None:
    page = sent(reading_client, PAGE, tpots="60 60", ttfts="")
    assert page.status_code == 200, page.text
    assert re.search(r"Time per output token: [\d.]+\s%\slonger than predicted</h1>", page.text)
    assert "80 % interval" not in page.text.partition('class="page-terms"')[0]
    values = applied(page.text)
    own = values["workload"].pop("calibration")
    assert own["measured_tpot_over_predicted"] > 1  # type: ignore[index]
    assert "measured_ttft_over_predicted" not in own  # type: ignore[operator]
    assert values == VALUES


def test_what_is_applied_is_shown_by_the_studio(reading_client: AsgiClient) -> None:
    values = applied(sent(reading_client, PAGE, tpots="60", ttfts="500").text)
    page = reading_client.get(f"/designs/{KEY}?s={encode_state(values)}")
    assert page.status_code == 200
    assert "60.0" in page.text


def test_what_is_stated_is_set_aside(reading_client: AsgiClient) -> None:
    stated = encode_state(with_value(VALUES, "workload.calibration", {"measured_tpot_over_predicted": 1.5}))
    page = sent(reading_client, f"{PAGE}?s={stated}", tpots="60", ttfts="").text
    assert "states a correction already: 1.5 of the time per output token" in page
    bare = sent(reading_client, PAGE, tpots="60", ttfts="").text
    assert applied(page)["workload"]["calibration"] == applied(bare)["workload"]["calibration"]


def test_what_cannot_be_used_stands_beside_its_field(reading_client: AsgiClient) -> None:
    for fields, said in (
        ({"tpots": "", "ttfts": ""}, "is empty, and so is the other"),
        ({"tpots": "fast", "ttfts": ""}, "is not a number. Write"),
        ({"tpots": "-3", "ttfts": "200"}, "above 0"),
        ({"tpots": "", "ttfts": "0.3"}, "Check its unit"),
    ):
        page = sent(reading_client, PAGE, **fields)
        assert page.status_code == 422, said
        assert said in page.text
        assert 'aria-invalid="true"' in page.text
        for typed in filter(None, fields.values()):
            assert f'value="{typed}"' in page.text  # nothing that was typed is lost


def test_a_fault_of_a_run_stands_beside_its_own_field() -> None:
    form = CalibrationForm(ttfts="300", tpots="60")
    for path, name in (("runs[1].tpot_s", "tpots"), ("runs[0].ttft_s", "ttfts"), ("tpot_s", "tpots")):
        fault = InputError(path=path, value=60, rule="far_from_predicted", message="is far apart.")
        assert set(form.refused(fault).errors) == {name}
