"""Settings have defaults that work, and say which one is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Settings, SettingsError, get_settings


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PODWRIGHT_DATA_DIR")


def test_defaults_work() -> None:
    settings = Settings()
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.database_url == f"sqlite:///{settings.data_dir / 'podwright.db'}"
    assert settings.ship_climate_needing_check


def test_database_lies_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODWRIGHT_DATA_DIR", str(tmp_path))
    assert Settings().database_url == f"sqlite:///{tmp_path}/podwright.db"


def test_a_relative_data_folder_is_taken_from_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PODWRIGHT_DATA_DIR", "here")
    assert Settings().database_url == f"sqlite:///{tmp_path}/here/podwright.db"


def test_database_address_under_its_common_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:////elsewhere.db")
    assert Settings().database_url == "sqlite:////elsewhere.db"
    monkeypatch.setenv("PODWRIGHT_DATABASE_URL", "sqlite:////own.db")
    assert Settings().database_url == "sqlite:////own.db"


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODWRIGHT_PORT", "")
    assert Settings().port == 8000


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PODWRIGHT_PORT", "eighty"),
        ("PODWRIGHT_PORT", "65536"),
        ("PODWRIGHT_PORT", "-1"),
        ("PODWRIGHT_SHIP_CLIMATE_NEEDING_CHECK", "perhaps"),
    ],
)
def test_a_wrong_value_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    get_settings.cache_clear()
    with pytest.raises(SettingsError, match=f"^{name} is '{value}': "):
        get_settings()
