"""Every request has an id: the caller's own where it does no harm."""

from __future__ import annotations

import pytest

from app.server.request_id import current_request_id


def test_an_answer_names_its_request(small):
    answers = [small.get("/things/a") for _ in range(2)]
    ids = [answer.headers["x-request-id"] for answer in answers]
    assert [answer.json()["request_id"] for answer in answers] == ids
    assert ids[0] != ids[1]
    assert len(ids[0]) == 32
    assert current_request_id() == ""


def test_the_callers_own_id_is_kept(small):
    assert (
        small.get("/things/a", headers={"x-request-id": "job-7.a_B"}).headers["x-request-id"] == "job-7.a_B"
    )


@pytest.mark.parametrize("bad", ["", "a b", "a\tb", "x" * 65, '"}{', "é", "<script>"])
def test_an_id_that_could_do_harm_in_a_log_is_replaced(small, bad):
    found = small.get("/things/a", headers={"x-request-id": bad.encode()}).headers["x-request-id"]
    assert found != bad
    assert len(found) == 32


@pytest.mark.parametrize("path", ["/nowhere", "/waits/not"])
def test_errors_have_one_too(small, path):
    assert small.get(path).headers["x-request-id"]
