"""Starting the server: one process, or several behind one address."""

from __future__ import annotations

from typing import Any

import uvicorn

from app.server.connections import KEPT_S, PatientProtocol
from app.server.counting import counting_together
from app.server.logs import logging_config
from app.settings import Settings

HEALTHY_S = (
    60  # a worker that says nothing for so long is replaced; one that starts on a busy machine is slow
)


def run_server(application: str, settings: Settings) -> None:
    """Serve what a factory makes until a signal ends it. Never returns with something under way."""
    with counting_together(settings.workers):
        uvicorn.run(application, **server_options(settings))


def server_options(settings: Settings) -> dict[str, Any]:
    """The options of the server.

    Headers of proxies are believed from those that are trusted, and no one else.
    """
    return {
        "factory": True,
        "host": settings.host,
        "port": settings.port,
        "workers": settings.workers,
        "http": PatientProtocol,
        "ws": "none",
        "log_config": logging_config(settings.log_format, settings.log_level),
        "access_log": False,
        "server_header": False,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": settings.proxies,
        "timeout_keep_alive": KEPT_S,
        "timeout_graceful_shutdown": settings.shutdown_seconds,
        "timeout_worker_healthcheck": HEALTHY_S,
    }
