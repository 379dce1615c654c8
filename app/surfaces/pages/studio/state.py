"""The scenario in an address: `1.` and deflated JSON in base64, so that reload, back and share keep it."""

from __future__ import annotations

import base64
import binascii
import copy
import zlib
from typing import Any

import orjson
from pydantic import ValidationError

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.uncertainty_written import ranges_moved
from app.scenarios.errors import ScenarioError
from app.scenarios.reading.json_text import MOST_BYTES, read_json

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
        return values  # refused as it is, beside its field
    return moved


MISSING = object()


def value_at(values: Any, path: str) -> Any:
    """Contents at a path, MISSING where nothing does.

    >>> value_at({"pod": {"supernodes": 4}}, "pod.supernodes")
    4
    """
    for name in path.split("."):
        if not isinstance(values, dict) or name not in values:
            return MISSING
        values = values[name]
    return values


def with_value(values: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with one field set, or taken out when `value` is MISSING; parts left empty go too.

    >>> with_value({"a": {"b": 1}}, "a.b", MISSING), with_value({}, "a.b", 2)
    ({}, {'a': {'b': 2}})
    """
    changed = copy.deepcopy(values)
    names = path.split(".")
    parts = [changed]
    for name in names[:-1]:
        inner = parts[-1].get(name)
        if not isinstance(inner, dict):
            if value is MISSING:
                return changed
            inner = parts[-1][name] = {}
        parts.append(inner)
    if value is not MISSING:
        parts[-1][names[-1]] = value
        return changed
    parts[-1].pop(names[-1], None)
    for depth in range(len(parts) - 1, 0, -1):
        if not parts[depth]:
            del parts[depth - 1][names[depth - 1]]
    return changed
