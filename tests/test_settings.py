"""Settings have defaults that work, and say which one is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Settings, SettingsError, database_in, get_settings


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PODWRIGHT_DATA_DIR")
    monkeypatch.setattr("app.settings.database_in", database_in)  # which tests on PostgreSQL replace


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
        ("PODWRIGHT_WORKERS", "0"),
        ("PODWRIGHT_PUBLIC_URL", "podwright.example.org"),
        ("PODWRIGHT_PUBLIC_URL", "https://podwright.example.org/below"),
        ("PODWRIGHT_PUBLIC_URL", "https://someone@podwright.example.org"),
        ("PODWRIGHT_TRUSTED_PROXIES", "*"),
        ("PODWRIGHT_TRUSTED_PROXIES", "10.0.0.1, proxy"),
        ("PODWRIGHT_LOG_FORMAT", "xml"),
        ("PODWRIGHT_RATE_PER_MINUTE", "-1"),
        ("PODWRIGHT_REQUEST_SECONDS", "0"),
    ],
)
def test_a_wrong_value_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    get_settings.cache_clear()
    with pytest.raises(SettingsError) as caught:
        get_settings()
    assert str(caught.value).startswith(f"{name} is {value!r}: ")
    assert "Value error" not in str(caught.value)


@pytest.mark.parametrize("name", ["PODWRIGHT_SECRET", "PODWRIGHT_METRICS_TOKEN"])
def test_a_wrong_secret_is_named_and_never_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "too-short")
    get_settings.cache_clear()
    with pytest.raises(SettingsError, match=f"^{name} cannot be used: ") as caught:
        get_settings()
    assert "too-short" not in str(caught.value)


def test_requests_are_limited_where_others_are_served() -> None:
    assert Settings().most_requests_per_minute == 0
    assert Settings(host="0.0.0.0").most_requests_per_minute == 600
    assert Settings(sign_in="required").most_requests_per_minute == 600
    assert Settings(host="0.0.0.0", rate_per_minute=0).most_requests_per_minute == 0
    assert Settings(rate_per_minute=7).most_requests_per_minute == 7


def test_proxies_are_listed_and_the_public_address_has_no_end() -> None:
    settings = Settings(trusted_proxies=" 10.0.0.1, 192.168.0.0/16 ,", public_url="https://a.example:8443/")
    assert settings.proxies == ["10.0.0.1", "192.168.0.0/16"]
    assert settings.public_url == "https://a.example:8443"


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"OIDC_ISSUER": "http://id.example.org", "OIDC_CLIENT_ID": "x"}, "begins with https://"),
        ({"OIDC_ISSUER": "https://id.example.org"}, "needs PODWRIGHT_OIDC_CLIENT_ID"),
        ({"LOCAL_SIGN_IN": "false"}, "else no one can sign in"),
        ({"OIDC_TEAMS": "engineers=lab"}, "group=team:role"),
        ({"OIDC_TEAMS": "engineers=lab:king"}, "group=team:role"),
    ],
)
def test_a_sign_in_that_cannot_work_is_refused(monkeypatch, variables, words):
    for name, value in variables.items():
        monkeypatch.setenv(f"PODWRIGHT_{name}", value)
    get_settings.cache_clear()
    with pytest.raises(SettingsError, match=words):
        get_settings()
    get_settings.cache_clear()


def test_groups_give_roles_in_teams():
    settings = Settings(oidc_teams="engineers=lab:editor, cn=leads=lab:owner,")
    assert settings.teams_of_groups == [("engineers", "lab", "editor"), ("cn=leads", "lab", "owner")]
