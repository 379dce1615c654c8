"""Where templates, static files, seed data and documents lie: beside the package in a checkout, inside it in
a wheel."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The shipped folder of this name.

    Raises
    ------
    FileNotFoundError : the installation is not whole
    """
    for place in (PACKAGE / name, PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {name} is missing beside and inside {PACKAGE}")


def templates() -> Path:
    return folder("templates")


def static() -> Path:
    return folder("static")


def seed_data() -> Path:
    return folder("seed_data")


def docs() -> Path:
    return folder("docs")


def default_data_dir() -> Path:
    """Where the database goes unless told otherwise: `data` in a checkout, else the user's own data folder."""
    checkout = PACKAGE.parent
    if (checkout / "pyproject.toml").is_file():
        return checkout / "data"
    shared = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(shared) / "podwright"
