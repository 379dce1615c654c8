"""The small application for a server of its own, which calls `create`."""

from __future__ import annotations

from fastapi import FastAPI

from tests.server.conftest import small_app


def create() -> FastAPI:
    return small_app()
