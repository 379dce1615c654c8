"""Names that count machines, and sentences that rank what costs time."""

from __future__ import annotations

import copy
import html
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_example
from app.scenarios.examples import list_examples
from app.surfaces.pages.design_name import outdated, size_words
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state, with_value
from app.surfaces.pages.verdict import NO_LOSS, verdict
from tests.asgi import AsgiClient
from tests.support import read_example

META = "llama_3_1_405b_on_2048_dgx_h100"


def named(name: str, supernodes: int, *, accelerators: int = 8, nodes: int = 1) -> dict[str, Any]:
    return {
        "name": name,
        "inputs": {
            "pod": {"supernodes": supernodes, "accelerators_used": supernodes * accelerators, "kinds": []},
            "supernode": {"name": "DGX H100", "accelerators": accelerators, "nodes": nodes},
            "accelerator": {"name": "H100 SXM5 80GB"},
        },
    }


@pytest.mark.parametrize(
    ("name", "supernodes", "words"),
    [
        ("Llama 3.1 405B on 2,048 DGX H100", 2048, ""),
        ("Llama 3.1 405B on 2,048 DGX H100", 1024, "now 1,024 × DGX H100"),
        ("Llama 3.1 405B on 16384 H100", 2048, ""),
        ("Our 16,384 GPUs", 2048, ""),
        ("Our 16,384 GPUs", 1024, "now 1,024 × DGX H100"),
        ("Cluster on 64 GB200 NVL72", 32, "now 32 × DGX H100"),
        ("R1 on SuperNodes of 8 H100", 16, ""),  # of each
        ("Llama 3.1 405B", 3, ""),
        ("Run 7 of March on Monday", 3, ""),
        ("A month of 128 rented H100", 3, ""),  # what the number counts is not said
        ("Version 1.2 on 0.5 of it", 3, ""),
        ("Llama 3.1 8B on 200 G tokens", 1, ""),
        ("Llama 3.1 8B on 15 T-token text", 1, ""),
        ("Training on 20 MW", 3, ""),
        ("", 3, ""),
    ],
)
def test_a_count_in_a_name_is_held_against_the_design(name: str, supernodes: int, words: str) -> None:
    assert outdated(named(name, supernodes)) == words


@pytest.mark.parametrize("key", [example.key for example in list_examples()])
def test_no_example_has_a_wrong_count_in_its_name(key: str) -> None:
    evaluation = evaluate_example(key, ready_catalog()).as_json
    assert outdated(evaluation) == ""
    assert size_words(evaluation)


def test_the_studio_says_what_the_design_is(asgi_client: AsgiClient) -> None:
    values = with_value(stated_values(read_example(META)), "pod.supernodes", 1024)
    page = html.unescape(asgi_client.get(f"/designs/{META}?s={encode_state(values)}").text)
    heading = page[page.index("<h1") : page.index("</h1>")]
    assert "now 1,024 × DGX H100" in heading
    assert "<li>1,024 × DGX H100</li><li>8,192 accelerators</li>" in page
    assert "<title>Llama 3.1 405B on 2,048 DGX H100, now 1,024 × DGX H100" in page
    unchanged = asgi_client.get(f"/designs/{META}").text
    assert "chip warn" not in unchanged[unchanged.index("<h1") : unchanged.index("</h1>")]


@pytest.mark.parametrize("seconds", [0.0, 1e-9, 4.9e-4])
def test_a_loss_that_rounds_to_nothing_is_not_ranked(seconds: float) -> None:
    evaluation = copy.deepcopy(evaluate_example(META, ready_catalog()).as_json)
    performance = evaluation["performance"]
    parts = performance["time_breakdown_s"]
    first = next(part for part in parts if part not in NO_LOSS)
    performance["step_time_s"] = 1.0
    performance["time_breakdown_s"] = dict.fromkeys(parts, seconds) | {"gemm": 0.9, first: 0.1}
    loss = verdict(evaluation).loss
    assert "10\u202f%" in loss
    assert "then" not in loss
    performance["time_breakdown_s"] = dict.fromkeys(parts, seconds) | {"gemm": 1.0}
    assert verdict(evaluation).loss.startswith("Arithmetic takes all of the time.")
