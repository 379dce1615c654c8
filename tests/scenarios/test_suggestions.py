"""Suggested estimates of inputs that are not published, and their acceptance."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.leaves import leaves
from app.scenarios.evaluation.service import accept_suggestions, evaluate_scenario, inputs_hash
from app.scenarios.load import build_scenario
from app.settings import Settings
from app.surfaces.files.text import evaluation_text
from tests.scenarios.support import document


@pytest.fixture(scope="module")
def catalog(seeded_data_dir):
    return ready_catalog(Settings(data_dir=seeded_data_dir))


def _accepted(system, catalog):
    return accept_suggestions(
        evaluate_scenario(document(supernode__system=system, pod__supernodes=4), catalog)
    )


@pytest.mark.parametrize(
    ("system", "cost", "left"),
    [
        ("dgx_b300", "usd_per_run", []),
        ("aws_trn3_ultraserver_gen1", "usd_per_run_rented_on_demand", ["rent_only"]),
    ],
)
def test_accepted_estimates_leave_no_input_missing_and_travel_with_the_scenario(catalog, system, cost, left):
    before = evaluate_scenario(document(supernode__system=system, pod__supernodes=4), catalog)
    assert before.as_json["cost"]["usd_per_run"] is None
    assert before.estimates == []  # never used before they are accepted
    after = accept_suggestions(before)
    assert after.as_json["cost"][cost] > 0
    assert after.as_json["power"]["utility_peak_w"] > 0
    assert [one.constraint for one in after.problems if one.kind == "missing_input"] == left
    assert not any("_" in one.of for one in after.document.estimates.values())
    for one in after.document.estimates.values():
        assert one.low <= one.value <= one.high
        assert one.low < one.high
    assert any(f"cost.{cost}" in one["affects"] for one in after.estimates)
    again = evaluate_scenario(build_scenario(after.document.as_dict()), catalog)
    assert again.as_json["cost"] == after.as_json["cost"]


def test_an_estimate_counts_for_its_own_part_only(catalog):
    accepted = _accepted("dgx_b300", catalog).document
    other = accepted.model_copy(update={"supernode": document(supernode__system="tpu_v6e_pod").supernode})
    used = {one["label"] for one in evaluate_scenario(other, catalog).estimates}
    assert used <= {one.of for one in accepted.estimates.values()}
    assert not any("B300" in label for label in used)


def test_the_hash_of_a_scenario_without_estimates_is_unchanged(catalog):
    plain = document()
    assert inputs_hash(plain, "1") != inputs_hash(_accepted("dgx_b300", catalog).document, "1")
    assert "estimates" in plain.model_dump()


def test_text_marks_figures_and_lists_estimates(catalog):
    text = evaluation_text(_accepted("dgx_b300", catalog).as_json)
    cost = next(line for line in text.splitlines() if "Cost per run, owned" in line)
    speed = next(line for line in text.splitlines() if "Step time" in line)
    assert cost.endswith("  estimate")
    assert "estimate" not in speed
    assert "Accepted estimates, in the figures marked so" in text
    rented = evaluation_text(_accepted("aws_trn2_48xlarge", catalog).as_json)
    assert "Rent only [" in rented
    assert any(line.endswith("rent only") and ", owned" in line for line in rented.splitlines())
    assert "Cost per run, rented on demand" in rented


def test_what_rests_on_an_estimate_is_what_changes_with_it(catalog):
    """A figure that moves with an estimate is among those that are marked for it."""
    done = _accepted("dgx_b300", catalog)
    for one in done.estimates:
        estimate = done.document.estimates[one["place"]]
        moved = estimate.model_copy(update={"value": estimate.value * 1.37, "high": estimate.high * 1.37})
        estimates = {**done.document.estimates, one["place"]: moved}
        other = evaluate_scenario(done.document.model_copy(update={"estimates": estimates}), catalog)
        before, after = (dict(leaves(each.evaluation.sections)) for each in (done, other))
        changed = {path for path in before if not np.array_equal(before[path], after[path], equal_nan=True)}
        assert changed
        assert changed <= set(one["affects"])
