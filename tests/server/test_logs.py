"""What is logged of a request, and what never is."""

from __future__ import annotations

import json
import logging
import logging.config
import sys

import pytest

from app.server.logs import JsonFormatter, TextFormatter, logging_config

SECRET = "hunter2"


@pytest.fixture
def lines(caplog):
    """What the JSON formatter makes of what is logged meanwhile, while the request is still known."""
    written: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(self.format(record))

    handler = Keep()
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger("app")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield written
    logger.removeHandler(handler)
    logger.setLevel(before)


def test_each_request_has_one_line_with_all_that_helps(small, lines):
    small.get("/things/a", headers={"x-request-id": "r1", "x-name": "acc-1"})
    inside, told = (json.loads(line) for line in lines)
    assert (inside["logger"], inside["message"], inside["request_id"]) == (
        "app.things",
        "looked at a thing",
        "r1",
    )
    assert told["message"].startswith("GET /things/{key} 200, ")
    assert {name: told[name] for name in ("level", "method", "route", "status", "request_id", "account")} == {
        "level": "info", "method": "GET", "route": "/things/{key}", "status": 200, "request_id": "r1",
        "account": "acc-1",
    }  # fmt: skip
    assert told["bytes"] == len('{"key":"a","request_id":"r1"}')
    assert 0 < told["milliseconds"] < 60_000


def test_a_mounted_application_and_an_unknown_address_are_named_without_their_values(small, lines):
    small.get(f"/below/v1/parts/{SECRET}")
    small.get(f"/{SECRET}/{SECRET}")
    assert [json.loads(line)["route"] for line in lines] == ["/below/v1/parts/{id}", "unmatched"]
    assert SECRET not in "".join(lines)


def test_queries_cookies_tokens_and_bodies_are_never_logged(small, lines):
    headers = {
        "authorization": f"Bearer {SECRET}",
        "cookie": f"podwright_sign_in={SECRET}",
        "referer": SECRET,
    }
    small.post(f"/body?token={SECRET}", content=SECRET, headers=headers)
    small.get(f"/things/{SECRET}?share={SECRET}", headers=headers)
    assert len(lines) == 3
    assert SECRET not in "".join(lines)


def test_a_line_of_an_error_has_its_trace_and_its_request(small, lines):
    try:
        raise RuntimeError("in the dark\nFAKE level=info")
    except RuntimeError:
        logging.getLogger("app.x").exception("it failed for %s", "a\nb")
    (line,) = lines
    assert "\n" not in line  # nobody can make a line of a log look like two
    found = json.loads(line)
    assert (found["level"], found["message"]) == ("error", "it failed for a\nb")
    assert "RuntimeError: in the dark" in found["error"]
    assert "request_id" not in found


def test_text_is_for_people():
    record = logging.LogRecord(
        "app.x", logging.WARNING, __file__, 1, "mind the %s", ("gap\n12:00:00 info",), None
    )
    text = TextFormatter().format(record)
    assert "warning mind the gap" in text
    assert text.splitlines()[1].startswith("  ")  # cannot be taken for a line of its own


@pytest.mark.parametrize(
    ("log_format", "terminal", "chosen"),
    [("auto", True, TextFormatter), ("auto", False, JsonFormatter),
     ("text", False, TextFormatter), ("json", True, JsonFormatter)],
)  # fmt: skip
def test_the_format_is_chosen_by_where_it_goes(monkeypatch, log_format, terminal, chosen):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    assert logging_config(log_format, "info")["formatters"]["chosen"]["()"] is chosen


def test_the_configuration_is_one_and_the_servers_own_lines_about_requests_are_off():
    config = logging_config("json", "debug")
    logging.config.DictConfigurator(config)  # refuses what is no configuration
    assert config["loggers"]["app"]["level"] == "DEBUG"
    assert config["loggers"]["uvicorn.access"] == {"level": "CRITICAL", "propagate": False}
