"""What people read of the validation of serving, by each of its groups."""

from __future__ import annotations

from app.validation.serving.report import Quantity, ServingReport
from app.validation.serving.throughput import THROUGHPUT
from app.validation.study import Prediction, Report


def one(key: str, model: str, predicted: float) -> Prediction:
    groups = {"model": model, "system": "b200_sxm", "engine": "vllm", "precision": "fp8"}
    return Prediction(key, model, groups, 10.0, predicted)


def throughputs(**extra: object) -> Report:
    beside = {"idealised": [], "deployments": [], **extra}
    return Report("serving", 2, FITTED, (), {}, extra=beside, counts=(), more=THROUGHPUT.more)


FITTED = (one("1", "deepseek_v3", 11.0), one("2", "qwen3_32b", 9.0))
WITHOUT = (one("1", "deepseek_v3", 13.0), one("2", "qwen3_32b", 5.0))


def report(**left_out: tuple[Prediction, ...]) -> ServingReport:
    return ServingReport(
        kind="serving",
        rows=3,
        predictions=FITTED,
        unsupported=(),
        constants={},
        quantities={"tpot": Quantity("tpot", FITTED, left_out)},
    )


def test_every_group_has_a_heading_that_says_whether_it_was_left_out() -> None:
    lines = report(model=WITHOUT).as_text().splitlines()
    headings = [line for line in lines if line.startswith(("model", "system", "engine", "precision"))]
    assert headings == ["model, each left out", "system", "engine", "precision"]
    assert any(line.split()[:3] == ["deepseek_v3", "1", "30.0%"] for line in lines)
    assert any(line.split()[:3] == ["b200_sxm", "2", "10.0%"] for line in lines)
    assert "model" in report().as_text().splitlines()


def test_idealised_throughputs_are_a_sentence_each_and_not_among_the_figures() -> None:
    idealised = [
        {"id": "i1", "measured": 6688.0, "predicted": 4681.6, "balanced": 6019.2, "label": "idealised"}
    ]
    text = throughputs(idealised=idealised).as_text()
    assert text.endswith("  i1: 6,688 published, 4,682 as served, 6,019 with perfect balance, -10.0 %")
    assert "{" not in text
    plain = throughputs()
    assert "idealised" not in plain.as_text()
    assert plain.as_json()["idealised"] == []


def test_published_deployments_stand_beside_what_is_predicted() -> None:
    found = [
        {"id": "d1", "what": "us: 96 H100, decode tok/s per GPU", "measured": 2000.0, "predicted": 1900.0}
    ]
    text = throughputs(deployments=found).as_text()
    assert text.endswith("  d1: 2,000 published, 1,900 predicted, -5.0 %; us: 96 H100, decode tok/s per GPU")


def test_the_share_within_intervals_is_said() -> None:
    found = ServingReport(
        kind="serving",
        rows=3,
        predictions=FITTED,
        unsupported=(),
        constants={},
        quantities={"tpot": Quantity("tpot", FITTED, {}, coverage=0.79)},
    )
    assert "within the interval of 80 %" in found.as_text()
    assert found.as_json()["tpot"]["coverage"] == 0.79
