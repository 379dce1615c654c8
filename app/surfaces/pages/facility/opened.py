"""A design whose power and cooling are looked at."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from app.surfaces.pages.opened import OpenedDesign, opening

OpenedDep = Annotated[OpenedDesign, Depends(opening("facility"))]
