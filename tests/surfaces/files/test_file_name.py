"""Names of downloads: readable, safe on every system, and no way into the header."""

from __future__ import annotations

import re

import pytest

from app.surfaces.files.file_name import content_disposition, file_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Llama 3.1: 405B", "Llama 3.1 405B.csv"),
        ("a/b\\c", "a b c.csv"),
        ("../../etc/passwd", "etc passwd.csv"),
        (".hidden", "hidden.csv"),
        ("ends with dots...", "ends with dots.csv"),
        ("   ", "scenario.csv"),
        ("", "scenario.csv"),
        ("配置 7", "配置 7.csv"),
        ("x" * 300, "x" * 80 + ".csv"),
    ],
)
def test_a_name_is_one_that_every_system_takes(name, expected):
    assert file_name(name, ".csv") == expected


def test_a_name_without_ascii_has_a_plain_stand_in():
    header = content_disposition("配置", ".csv")
    assert 'filename="scenario.csv"' in header
    assert header.endswith("filename*=UTF-8''%E9%85%8D%E7%BD%AE.csv")


@pytest.mark.parametrize(
    "name", ['a"; filename="b', "a\r\nset-cookie: x=1", "a%22b", "\u202egnp.exe", "ö\x00"]
)
def test_nothing_gets_out_of_the_header(name):
    header = content_disposition(name, ".csv")
    assert re.fullmatch(r"attachment; filename=\"[^\"\r\n%]+\"; filename\*=UTF-8''[A-Za-z0-9._~%-]+", header)
    assert header.isascii()
    assert header.isprintable()
