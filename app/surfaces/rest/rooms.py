"""Operations on a scenario, room by room: its views, and operations that are not views."""

from __future__ import annotations

from fastapi import APIRouter

from app.surfaces.rest import bill, cables, hours, uncertainty
from app.surfaces.rest.views import add_view
from app.views.rooms import ROOMS

BESIDE: dict[str, tuple[APIRouter, ...]] = {
    "fabric": (bill.router, cables.router),
    "facility": (hours.router,),
    "economics": (uncertainty.router,),
}
"""Operations that answer with files or streams of their own."""


def _room(name: str) -> APIRouter:
    router = APIRouter(prefix=f"/{name}", tags=[name])
    for view in ROOMS[name]:
        add_view(router, view)
    for other in BESIDE.get(name, ()):
        router.include_router(other)
    return router


ROUTERS = tuple(_room(name) for name in ROOMS)
