"""Whether the server is up, and which version it is."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from app import __version__

router = APIRouter()


class Health(BaseModel):
    status: str
    version: str


@router.get("/healthz", include_in_schema=False)
def healthz() -> Health:
    return Health(status="ok", version=__version__)
