"""Figures one by one: what they are called, what they count, where they come from."""

from __future__ import annotations

import pytest

from app.engine.trace import Origin
from app.scenarios.examples import list_examples
from app.surfaces.files.rows import ROOMS, basis_of, figure_rows, input_label, quantity_of


@pytest.mark.parametrize("key", [example.key for example in list_examples()])
def test_every_number_has_a_quantity_behind_it(work_of_example, key):
    rows = list(figure_rows(work_of_example(key).evaluated.as_json))
    assert [row.path for row in rows if not isinstance(row.value, str) and not row.formula] == []
    rooms = {row.path.partition(".")[0].partition("[")[0] for row in rows}
    shared = work_of_example(key).document.sharing is not None
    assert rooms == set(ROOMS) - (set() if shared else {"workloads"})


def test_the_basis_is_what_the_description_says_after_its_first_line():
    assert basis_of(quantity_of("cost.usd_per_run")).startswith("At the levelised cost of a utilised hour:")
    assert basis_of(quantity_of("performance.tokens_per_s")) == ""


def test_headings_of_parameters_are_no_basis(flagship):
    for row in figure_rows(flagship.evaluated.as_json):
        assert "---" not in row.basis, row.path


@pytest.mark.parametrize(
    ("origin", "label"),
    [
        (Origin(kind="scenario", label="workload.global_batch_sequences", field="workload.global_batch_sequences"),
         "Global batch size"),
        (Origin(kind="scenario", label="parallelism.tp", field="parallelism.tp"), "Tensor parallelism"),
        (Origin(kind="vendor", label="H100, memory", field="supernode.override.accelerator.memory_bytes"),
         "H100, memory"),
    ],
)  # fmt: skip
def test_inputs_have_labels_that_people_read(origin, label):
    assert input_label(origin) == label
