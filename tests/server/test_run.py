"""How the server is started: what it is told, and what it is not."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import uvicorn

from app.server.connections import PatientProtocol
from app.server.counting import COUNTED_IN, counting_together
from app.server.run import server_options
from app.settings import Settings


def test_the_server_takes_its_options_and_workers_get_them_too():
    options = server_options(Settings(workers=3, trusted_proxies="10.0.0.0/8, 192.0.2.1", shutdown_seconds=7))
    config = uvicorn.Config("app.starting:starting_app", **options | {"log_config": None})
    assert config.workers == 3
    assert config.timeout_graceful_shutdown == 7
    assert config.timeout_worker_healthcheck >= 30  # else a busy machine kills its workers before they start
    assert config.forwarded_allow_ips == ["10.0.0.0/8", "192.0.2.1"]
    assert config.proxy_headers
    assert pickle.loads(pickle.dumps(options))["http"] is PatientProtocol  # as each worker is sent them


def test_by_default_no_proxy_is_believed_and_requests_are_told_once():
    options = server_options(Settings())
    assert options["forwarded_allow_ips"] == []
    assert not options["proxy_headers"]
    assert not options["access_log"]
    assert not options["server_header"]


def test_several_workers_count_in_a_folder_that_goes_when_they_do(monkeypatch):
    monkeypatch.delenv(COUNTED_IN, raising=False)
    with counting_together(2):
        folder = Path(os.environ[COUNTED_IN])
        assert folder.is_dir()
    assert not folder.exists()
    assert COUNTED_IN not in os.environ
    with counting_together(1):
        assert COUNTED_IN not in os.environ
    monkeypatch.setenv(COUNTED_IN, "/of/someone")
    with counting_together(2):
        assert os.environ[COUNTED_IN] == "/of/someone"
