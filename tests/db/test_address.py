"""Addresses of databases: every usual way to write them, and none that tells a password."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.db.address import DatabaseAddressError, address_or_file, place_of, read_address


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_spoken_to_by_one_driver(scheme: str) -> None:
    url = read_address(f" {scheme}://me:secret@db.example.org:5433/work?sslmode=require ")
    assert url.drivername == "postgresql+psycopg"
    assert (url.username, url.password, url.host, url.port) == ("me", "secret", "db.example.org", 5433)
    assert (url.database, url.query["sslmode"]) == ("work", "require")


@pytest.mark.parametrize(
    "text", ["", "somewhere", "mysql://me:secret@host/db", "postgresql+psycopg2://me:secret@h/d"]
)
def test_other_databases_are_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(DatabaseAddressError, match="sqlite:///FILE or postgresql://") as caught:
        read_address(text)
    assert "secret" not in str(caught.value)


def test_a_path_is_a_sqlite_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert address_or_file("a file.db") == f"sqlite:///{tmp_path}/a file.db"
    assert address_or_file("postgres://host/db") == "postgres://host/db"


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("sqlite:////var/podwright.db", "/var/podwright.db"),
        ("sqlite://", "in memory"),
        ("postgresql://me:secret@db.example.org/work", "work on db.example.org"),
        ("postgresql://me@/work?host=/run/postgresql", "work on /run/postgresql"),
        ("postgresql:///work", "work on this machine"),
    ],
)
def test_places_are_told_without_passwords(address: str, place: str) -> None:
    assert place_of(read_address(address)) == place
