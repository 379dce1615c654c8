"""The scenario that an address is about: a design as it is, or what is unsaved of it."""

from __future__ import annotations

from fastapi import HTTPException

from app.surfaces.pages.designs import Designs
from app.surfaces.pages.studio.form import Values, stated_values
from app.surfaces.pages.studio.state import decode_state


def opened_values(source: Designs, key: str, state: str) -> Values:
    """The scenario of the design `key`, or the unsaved one that the address carries in `state`."""
    try:
        return decode_state(state) or stated_values(source.evaluated(key).document)
    except KeyError:
        raise HTTPException(404, f"There is no design {key}.") from None
