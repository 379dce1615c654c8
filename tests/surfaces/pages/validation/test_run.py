"""One run: what its source prints, what the engine says by every fit, and why."""

from __future__ import annotations

import re

import pytest

from app.catalog.validated import validated_runs
from app.charts.format import number, signed_percent
from app.surfaces.pages.validation.measured import GROUPS, assumed_text, repository_address
from app.validation.judged import BASES
from app.validation.training.study import printed_runs
from tests.asgi import AsgiClient
from tests.surfaces.pages.validation.support import PAGE, get, words

RUNS = {run.id: run for run in validated_runs()}
OPEN = next(run for run in RUNS.values() if run.assumed and "h100" in run.accelerator_key)
"""A run whose source leaves something open."""
PATH = f"/validation/training/{OPEN.id}"


def test_every_fit_is_shown(reading_client: AsgiClient) -> None:
    said = words(get(reading_client, PATH))
    for basis in BASES.values():
        predicted = basis.predicted(OPEN)
        error = signed_percent(predicted / OPEN.measured_tokens_per_s - 1).replace("\u202f", " ")
        assert re.search(rf"{basis.name} (shown above )?{number(predicted)} {re.escape(error)}", said)


def test_inputs_are_as_they_were_given(reading_client: AsgiClient) -> None:
    said = words(get(reading_client, PATH))
    row = printed_runs()[OPEN.id]
    for column in ("model_name", "hardware", "layers", "hidden", "seq_len", "global_batch_seqs"):
        assert row.text(column) in said
    for line in OPEN.assumed:
        assert assumed_text(line) in said


def test_source_is_linked(reading_client: AsgiClient) -> None:
    page = get(reading_client, PATH)
    assert OPEN.source in words(page)
    assert re.search(r'<a href="https://[^"]+" rel="noreferrer external">', page)


@pytest.mark.slow
def test_explanation_and_design_are_of_the_same_scenario(reading_client: AsgiClient) -> None:
    page = get(reading_client, PATH)
    assert 'id="figure-step_time"' in page
    opened = re.search(r'href="(/designs/new\?s=[^"]+)">Open as a design', page)
    assert opened
    assert OPEN.model in words(get(reading_client, opened[1]))
    explained = re.search(r'href="(/designs/new/explain/performance\.step_time_s\?s=[^"]+)"', page)
    assert explained
    assert opened[1].partition("?")[2] == explained[1].partition("?")[2]
    assert "step_time_s" in get(reading_client, explained[1])


def test_neighbours_are_other_runs(reading_client: AsgiClient) -> None:
    near = get(reading_client, PATH).split('id="near"')[1].split("</table>")[0]
    found = re.findall(r'href="/validation/training/([\w-]+)"', near)
    assert len(found) == 6
    assert OPEN.id not in found


def test_way_back_keeps_what_was_asked(reading_client: AsgiClient) -> None:
    page = get(reading_client, PATH, precision=OPEN.precision, basis="fitted")
    assert (
        f'href="/validation/training?precision={OPEN.precision}&amp;basis=fitted">Training runs</a>' in page
    )
    assert "With the runs in the fit shown above" in words(page)


def test_unknown_fit_is_said(reading_client: AsgiClient) -> None:
    answer = reading_client.get(PATH, params={"basis": "sourc"}, headers=PAGE)
    assert answer.status_code == 422
    assert "Basis cannot be “sourc”. The nearest is “source”." in words(answer.text)
    assert "Source and accelerator left out shown above" in words(answer.text)


@pytest.mark.parametrize(
    ("asked", "nearest"), [(f"{OPEN.id}0", OPEN.id), (OPEN.id.lower(), OPEN.id), ("<b>", None)]
)
def test_unknown_run_names_the_nearest(reading_client: AsgiClient, asked: str, nearest: str | None) -> None:
    answer = reading_client.get(f"/validation/training/{asked}", headers=PAGE)
    assert answer.status_code == 404
    assert "<b>" not in answer.text
    near = re.findall(r'href="/validation/training/([\w-]+)"', answer.text)
    assert near
    assert nearest is None or near[0] == nearest


def test_columns_shown_are_columns_of_the_file() -> None:
    cells = next(iter(printed_runs().values())).cells
    assert [column for _, columns in GROUPS for column, _, _ in columns if column not in cells] == []


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://arxiv.org/abs/2104.04473 ; NVIDIA/Megatron-LM x.png", ""),
        (
            "mlcommons/training_results_v5.0 NVIDIA/results/x",
            "https://github.com/mlcommons/training_results_v5.0",
        ),
        ("a/b {c,d}/e.md @1234567", "https://github.com/a/b"),
        ("a/b docs/e.md @v1.2", "https://github.com/a/b/blob/v1.2/docs/e.md"),
        ("", ""),
    ],
)
def test_address_of_a_repository(text: str, address: str) -> None:
    assert repository_address(text) == address


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted({run.family: run.id for run in RUNS.values()}.values()))
def test_a_run_of_every_source_opens(reading_client: AsgiClient, key: str) -> None:
    assert "cannot evaluate this run" not in get(reading_client, f"/validation/training/{key}")
