"""Worked examples with a few fields changed, as files: written or refused, and formulas that still agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.contract.test_changed_scenarios import changed_documents
from tests.surfaces.files.spreadsheet import Spreadsheet


@pytest.mark.slow
@settings(max_examples=25, derandomize=True, suppress_health_check=list(HealthCheck), deadline=None)
@given(document=changed_documents())
def test_a_changed_example_is_exported_or_refused(asgi_client, document):
    evaluated = asgi_client.post("/api/v1/evaluations", json=document)
    for name in ("csv", "xlsx"):
        answer = asgi_client.post(f"/api/v1/exports/{name}", json=document)
        assert answer.status_code == evaluated.status_code, answer.text
    if evaluated.status_code == 200:
        sheet = Spreadsheet(answer.content)
        for title, address in sheet.formulas():
            value, exported = sheet.computed(title, address), sheet.as_exported(title, address)
            assert np.isclose(value, exported, rtol=1e-6, equal_nan=True), f"{title}!{address}"
