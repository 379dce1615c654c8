"""What is refused before it reaches a route is a problem of a known type."""

from __future__ import annotations

from typing import get_args

import pytest
from fastapi import Request

from app.server.refusals import Reason, Refusal
from app.surfaces.rest.handlers import OF_REASON, refusal_response
from app.surfaces.rest.problem_types import PROBLEM_TYPES


@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_reason_is_a_problem_that_is_documented(reason: Reason) -> None:
    kind = OF_REASON[reason]
    assert kind in PROBLEM_TYPES
    refusal = Refusal(reason=reason, status=kind.status, detail="Because.", headers={"retry-after": "1"})
    request = Request({"type": "http", "path": "/api/v1/a", "headers": [], "query_string": b"", "state": {"request_id": "r"},
                       "server": ("a", 80)})  # fmt: skip
    answer = refusal_response(request, refusal)
    assert answer.status_code == kind.status
    assert answer.headers["retry-after"] == "1"
    assert f'"type":"{kind.uri}"'.encode() in answer.body
    assert b'"request_id":"r"' in answer.body
