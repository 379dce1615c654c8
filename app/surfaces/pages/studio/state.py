"""The scenario in an address: `1.` and deflated JSON in base64, so that reload, back and share keep it."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

import orjson
from pydantic import ValidationError

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.uncertainty_written import ranges_moved
from app.scenarios.errors import ScenarioError
from app.scenarios.reading.json_text import read_json
from app.scenarios.reading.limits import MOST_BYTES

VERSION = "1"


def encode_state(values: dict[str, Any]) -> str:
    """The address form of a scenario."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(orjson.dumps(values)) + packer.flush()
    return f"{VERSION}.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def decode_state(text: str) -> dict[str, Any] | None:
    """The scenario of an address, None where the address holds none that can be read."""
    version, _, packed = text.partition(".")
    if version != VERSION:
        return None
    try:
        content = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        unpacker = zlib.decompressobj(-15)
        plain = unpacker.decompress(content, MOST_BYTES)
        if unpacker.unconsumed_tail or not unpacker.eof:
            return None
        values = read_json(plain.decode())
    except (binascii.Error, zlib.error, ValueError, ScenarioError):
        return None
    return _with_ranges_moved(values) if isinstance(values, dict) else None


def _with_ranges_moved(values: dict[str, Any]) -> dict[str, Any]:
    """Ranges written in fields stand where boxes look for them, and not as text in a unit that boxes do not show."""
    try:
        moved: dict[str, Any] = ranges_moved(ScenarioDocument, values)
    except ValidationError:
        return values  # refused as it stands, beside its field
    return moved
