"""Prices that several parts of the terms state."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

PriceUsdPerHour = Annotated[float, Field(gt=0, le=1e6)]
