"""Settings: read from the environment, every one with a default that works. Listed in docs/settings.md."""

from __future__ import annotations

import functools
from pathlib import Path

from pydantic import AliasChoices, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.paths import default_data_dir


class Settings(BaseSettings):
    """What may differ between installations. Names take the prefix PODWRIGHT_."""

    model_config = SettingsConfigDict(env_prefix="PODWRIGHT_", env_ignore_empty=True, populate_by_name=True)

    host: str = Field(default="127.0.0.1", description="Address the server listens on.")
    port: int = Field(
        default=8000, ge=0, le=65535, description="Port the server listens on; 0 takes a free one."
    )
    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="Folder of the SQLite database; made when it is missing.",
    )
    database_url: str = Field(
        default="",
        validation_alias=AliasChoices("PODWRIGHT_DATABASE_URL", "DATABASE_URL"),
        description="SQLAlchemy address of the database; without it, podwright.db in the data folder.",
    )
    ship_climate_needing_check: bool = Field(
        default=True,
        description="Whether to load climate years whose terms ask for a check before they are passed on.",
    )

    @model_validator(mode="after")
    def _database_in_data_dir(self) -> Settings:
        if not self.database_url:
            self.database_url = f"sqlite:///{self.data_dir.expanduser().resolve() / 'podwright.db'}"
        return self


class SettingsError(ValueError):
    """A setting has a value that cannot be used; the message names the variable."""


@functools.cache
def get_settings() -> Settings:
    """The settings of this process, read once.

    Raises
    ------
    SettingsError : a setting cannot be used
    """
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError("; ".join(_fault(fault) for fault in error.errors())) from None


def _fault(fault: ErrorDetails) -> str:
    name = ".".join(str(part) for part in fault["loc"]).upper().removeprefix("PODWRIGHT_")
    message = fault["msg"][:1].lower() + fault["msg"][1:]
    return f"PODWRIGHT_{name} is {str(fault['input'])!r}: {message}"
