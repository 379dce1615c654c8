"""Encoders of images, video and sound of multimodal models: `seed_data/serving/encoders.csv`."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data

FILE = "serving/encoders.csv"
VISION, AUDIO = "vision", "audio"


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaEncoder:
    """A transformer beside a language model, and how many positions and tokens it makes of what it is shown.

    Zero stands for "has none".
    """

    model_key: str
    media: str  # vision | audio
    layers: float
    hidden: float
    inner: float  # width of the feed-forward block
    matrices: float  # of it: 3 when gated
    windowed_layers: float  # whose positions see a window alone
    window_positions: float
    projector_parameters: float
    patch_px: float  # side of a patch
    merge: float  # patches along each side that become a token
    fixed_px: float  # side that every image is scaled to
    tile_px: float  # side of tiles that images are cut into
    most_tiles: float
    most_px: float  # beyond which images are scaled down
    row_breaks: float  # tokens after each row
    frames_per_patch: float  # of a video
    positions_per_s: float  # of sound
    tokens_per_s: float
    clip_s: float  # that sound is filled up to
    confidence: str
    source: str

    def image(self, pixels: float) -> tuple[float, float, float]:
        """Spans of attention that an image makes, positions of each, and tokens of all."""
        if self.fixed_px:
            positions = (self.fixed_px / self.patch_px) ** 2
            return 1.0, positions, positions / self.merge**2
        if self.tile_px:
            cut = min(max(math.ceil(pixels / self.tile_px**2), 1), self.most_tiles)
            tiles = cut + (cut > 1)  # the whole image once more
            positions = (self.tile_px / self.patch_px) ** 2
            return float(tiles), positions, tiles * positions / self.merge**2
        shown = min(pixels, self.most_px) if self.most_px else pixels
        tokens = max(round(shown / (self.patch_px * self.merge) ** 2), 1)
        return 1.0, tokens * self.merge**2, tokens + self.row_breaks * math.sqrt(tokens)

    def sound(self, seconds: float) -> tuple[float, float, float]:
        """Spans of attention of so much sound, positions of each, and tokens of all of it."""
        clips = math.ceil(seconds / self.clip_s)
        return float(clips), self.clip_s * self.positions_per_s, seconds * self.tokens_per_s


NUMBERS = tuple(field.name for field in fields(MediaEncoder) if field.type == "float")
COLUMNS = tuple(field.name for field in fields(MediaEncoder))


@cache
def media_encoders(directory: Path | None = None) -> dict[str, MediaEncoder]:
    """Every encoder by the key of its model.

    Raises
    ------
    SeedError : a row cannot be used
    """
    found = {}
    for row in read_rows(directory or seed_data(), FILE, COLUMNS):
        row.sourced()
        if row.cells["media"] not in (VISION, AUDIO):
            raise row.error("media", f"is neither {VISION} nor {AUDIO}")
        cells: dict[str, Any] = {name: row.cells[name] for name in COLUMNS} | {
            name: _number(row, name) for name in NUMBERS
        }
        found[row.cells["model_key"]] = MediaEncoder(**cells)
    return found


def _number(row: SeedRow, column: str) -> float:
    try:
        return float(row.cells[column] or 0)
    except ValueError:
        raise row.error(column, "is not a number") from None
