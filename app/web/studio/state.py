"""The scenario in an address: `1.` and deflated JSON in base64, so that reload, back and share keep it."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

import orjson

from app.scenarios.errors import ScenarioError
from app.scenarios.json_text import read_json
from app.scenarios.limits import MOST_BYTES

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
    return values if isinstance(values, dict) else None
