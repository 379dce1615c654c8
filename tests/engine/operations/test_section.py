"""The whole section: every figure explains itself, and problems name their remedy."""

import dataclasses
import re

import numpy as np
import pytest

from app.engine.leaves import leaves
from app.engine.operations.section import evaluate_reliability, operations_problems
from app.engine.trace import Traced
from tests.engine.operations.runs import evaluate, meta_run, operations, pod, traced, with_assumptions


@pytest.mark.parametrize("scheme", ["blocking", "two_level"])
@pytest.mark.parametrize("spares", [None, 5.0])
def test_every_figure_explains_itself(scheme: str, spares: float | None) -> None:
    run = meta_run(operations=operations(checkpoint=scheme, spares=spares))
    bare = dict(leaves(evaluate_reliability(**run), "reliability"))
    explained = dict(leaves(evaluate_reliability(**traced(run)), "reliability"))
    assert bare.keys() == explained.keys()
    for path, figure in explained.items():
        assert isinstance(figure, Traced), path
        assert figure.node.kind == "quantity"
        assert figure.node.name == re.sub(r"\[\d+\]", "[]", path)
        np.testing.assert_array_equal(figure.value, bare[path], err_msg=path)
        for node in figure.node.walk():
            assert node.inputs or node.kind == "input", (path, node.name)


def test_three_levels_and_silent_corruption_explain_themselves() -> None:
    late = with_assumptions(corruption_found_at_validation=1)
    run = meta_run(operations=operations(checkpoint="three_level"), assumptions=late)
    bare = dict(leaves(evaluate_reliability(**run), "reliability"))
    explained = dict(leaves(evaluate_reliability(**traced(run)), "reliability"))
    assert (
        bare.keys() == explained.keys() >= {"reliability.node_drain_s", "reliability.validation_interval_s"}
    )
    for path, figure in explained.items():
        np.testing.assert_array_equal(figure.value, bare[path], err_msg=path)
        assert figure.node.kind == "quantity"
        for node in figure.node.walk():
            assert node.inputs or node.kind == "input", (path, node.name)


def test_no_corruption_is_no_difference() -> None:
    """A rate of zero that is found at validations, and drives that recover nothing, are today's figures to the last bit."""
    plain = evaluate()
    never = evaluate(
        assumptions=with_assumptions(corruption_found_at_validation=1, corruptions_per_accelerator_hour=0)
    )
    no_drives = evaluate(
        operations=operations(checkpoint="three_level"), assumptions=with_assumptions(node_recovery_share=0)
    )
    for name in ("ettr", "checkpoint_interval_s", "restart_s", "rollback_s"):
        assert getattr(never, name) == getattr(plain, name) == getattr(no_drives, name), name
    assert never.goodput_breakdown == plain.goodput_breakdown


def test_what_silent_corruption_and_drives_change() -> None:
    """More corruption and longer validations lose more, drives and faster ones less."""

    def at(scheme: str = "three_level", **values: float) -> float:
        late = with_assumptions(**{"corruption_found_at_validation": 1.0} | values)
        found = evaluate(operations=operations(checkpoint=scheme, write=5e10), assumptions=late).ettr
        assert found is not None
        return float(found[0])

    rates = [at(corruptions_per_accelerator_hour=rate) for rate in (0, 1e-7, 2.8e-7, 1e-6)]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] - rates[2] == pytest.approx(0.006, abs=0.004)
    assert at(validation_steps=0.1) > at() > at(validation_steps=10)
    assert at(node_recovery_share=0.9) > at() > at(scheme="two_level")
    assert at(node_write_bandwidth_bytes_per_s=1e10) >= at() > at(node_write_bandwidth_bytes_per_s=1e6)


def test_good_run_has_no_problem() -> None:
    assert operations_problems(operations=operations(), reliability=evaluate()) == []


def test_checkpoint_slower_than_failures() -> None:
    terms = operations(checkpoint="blocking", write=1e8, read=1e9)
    found = evaluate(operations=terms)
    problem = operations_problems(operations=terms, reliability=found)[0]
    assert problem.kind == "infeasible"
    assert problem.fix is not None
    mended = dataclasses.replace(
        terms,
        storage=dataclasses.replace(terms.storage, write_bandwidth_bytes_per_s=np.array([problem.fix.value])),
    )
    kinds = [p.kind for p in operations_problems(operations=mended, reliability=evaluate(operations=mended))]
    assert "infeasible" not in kinds


def test_dear_blocking_checkpoints_suggest_two_levels() -> None:
    terms = operations(checkpoint="blocking", write=5e10)
    problem, lost = operations_problems(operations=terms, reliability=evaluate(operations=terms))
    assert problem.fix is not None
    assert problem.fix.value == "two_level"
    assert lost.constraint == "closed form of lost time"
    assert lost.value == pytest.approx(1 - evaluate(operations=terms).ettr[0])
    assert evaluate(operations=operations(write=5e10)).ettr[0] > evaluate(operations=terms).ettr[0]


def test_a_job_too_large_to_wait_as_a_whole_has_no_share_of_useful_time() -> None:
    """Above 100,000 accelerators a job goes on with part of them, or has no number."""
    rigid, elastic = with_assumptions(elastic_operation=0.0), with_assumptions()
    at_most = pod(supernodes=12_500, accelerators_used=100_000)
    larger = pod(supernodes=12_501, accelerators_used=100_008)
    assert evaluate(pod=at_most, assumptions=rigid).ettr[0] > 0.5
    assert evaluate(pod=larger, assumptions=elastic).ettr[0] > 0.5
    unknown = evaluate(pod=larger, assumptions=rigid)
    assert np.isnan(unknown.ettr[0])
    (problem,) = operations_problems(operations=operations(), reliability=unknown)
    assert "Above 100,000 accelerators" in problem.message
    assert problem.field == "assumptions.operations.elastic_operation"


def test_too_few_spares() -> None:
    terms = operations(spares=2)
    (problem,) = operations_problems(operations=terms, reliability=evaluate(operations=terms))
    assert problem.constraint == "spare units"
    assert problem.fix is not None
    assert problem.fix.value == evaluate().spare_units_recommended[0]


def test_unknown_raises_no_problem() -> None:
    unknown = with_assumptions(failures_per_node_day=np.nan)
    for scheme in ("blocking", "two_level"):
        terms = operations(checkpoint=scheme, spares=1)
        assert (
            operations_problems(operations=terms, reliability=evaluate(operations=terms, assumptions=unknown))
            == []
        )


def test_a_small_job_on_a_large_pod_has_its_spares() -> None:
    found = evaluate(pod=pod(supernodes=2048, accelerators_used=1024))
    assert found.spare_supernodes[0] == 0
    assert found.waiting_s[0] == pytest.approx(0, abs=1e-6)
