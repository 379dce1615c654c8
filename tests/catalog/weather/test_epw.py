"""Reading EPW files: what is well formed is read, what is not is named by its line with a way out."""

from __future__ import annotations

import functools

import numpy as np
import psychrolib
import pytest

from app.catalog.own.entries import FaultError
from app.catalog.weather.epw import read_epw
from app.catalog.weather.errors import WeatherError
from app.catalog.weather.gaps import LONGEST_GAP_HOURS, mended, standard_pressure_pa
from app.catalog.weather.year import About, uploaded_year
from tests.catalog.weather.files import HEADER, as_bytes, epw_lines, with_cell


@functools.cache
def whole() -> list[str]:
    return epw_lines()


def refused(lines: list[str]) -> WeatherError:
    with pytest.raises(WeatherError) as caught:
        mended(read_epw(as_bytes(lines)))
    assert caught.value.hint
    return caught.value


def test_a_whole_year_is_read_by_its_columns() -> None:
    file = read_epw(as_bytes(whole()))
    assert (file.city, file.country, file.origin) == ("Graz", "AUT", "TMYx")
    assert (file.latitude, file.longitude, file.utc_offset_hours, file.elevation_m) == (46.99, 15.44, 1, 340)
    assert {name: values.shape for name, values in file.hours.items()} == dict.fromkeys(file.hours, (8760,))
    # line 9 is 1 January, hour 1: -2 - 4 cos(-3 h) = -4.83
    assert [file.hours[name][0] for name in ("dry_bulb_c", "rh_pct", "pressure_pa", "wind_m_s")] == [
        -4.8, 86.0, 97300.0, 2.5,
    ]  # fmt: skip
    assert file.notes == ()


def test_wet_bulb_of_an_upload_is_psychrolibs() -> None:
    hours, _ = mended(read_epw(as_bytes(whole())))
    psychrolib.SetUnitSystem(psychrolib.SI)
    for hour in range(0, 8760, 97):
        theirs = psychrolib.GetTWetBulbFromRelHum(
            hours["dry_bulb_c"][hour], hours["rh_pct"][hour] / 100, hours["pressure_pa"][hour]
        )
        assert hours["wet_bulb_c"][hour] == pytest.approx(theirs, abs=0.002)


def test_a_leap_day_is_left_out_and_that_is_said() -> None:
    file = read_epw(as_bytes(epw_lines(leap=True)))
    assert file.hours["dry_bulb_c"].shape == (8760,)
    assert file.notes == ("leap year: 24 hours of 29 February left out, 8,760 hours are computed",)


def test_missing_hours_are_named_where_the_next_one_stands() -> None:
    lines = [*whole()[:1000], *whole()[1001:]]
    error = refused(lines)
    assert (error.line, error.rule) == (1001, "hours")
    assert "11 Feb, hour 10 where 11 Feb, hour 9 should follow" in error.message


def test_a_year_that_ends_early_or_goes_on_is_refused() -> None:
    assert "ends after 8,000 hours, not 8,760" in refused(whole()[:8008]).message
    error = refused([*whole(), whole()[-1]])
    assert "1 hours follow after the year is over" in error.message
    assert error.line == 8769


def test_wrong_columns_are_named() -> None:
    lines = [*whole()[:99], whole()[99] + ",7", *whole()[100:]]
    error = refused(lines)
    assert (error.line, error.message) == (100, "It has 36 columns, not 35.")


@pytest.mark.parametrize(
    ("line", "column", "text", "said"),
    [
        (20, 7, "warm", "Column 7, dry bulb: 'warm' is not a number."),
        (20, 7, "-80", "Column 7, dry bulb: -80 is not between -70 and 60."),
        (30, 10, "97.3", "Column 10, pressure: 97.3 is not between 50000 and 110000."),
        (40, 9, "120", "Column 9, relative humidity: 120 is not between 0 and 110."),
        (50, 3, "x", "nan Jan, hour 18 where 2 Jan, hour 18 should follow"),
    ],
)
def test_bad_cells_are_named(line: int, column: int, text: str, said: str) -> None:
    error = refused(with_cell(whole(), line, column, text))
    assert error.line == line
    assert said in error.message


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [(7, "north", "latitude"), (8, "", "longitude"), (9, "99", "utc offset"), (10, "high", "elevation")],
)
def test_a_place_that_cannot_be_is_refused(place: int, text: str, said: str) -> None:
    error = refused(with_cell(whole(), 1, place, text))
    assert error.line == 1
    assert said in error.message


def test_another_kind_of_file_is_told_so() -> None:
    assert "8 header lines" in refused(["key,city", "a,b"]).message
    assert (
        "DATA" not in refused([*HEADER[:7], "DATA PERIODS,1,4,Data,Sunday,1/1,12/31", *whole()[8:]]).message
    )
    for content, said in (
        (b"PK\x03\x04", "zip"),
        (b"\xff\xfeL\0O\0", "plain text"),
        (b"x" * 6_000_001, "6 MB"),
    ):
        with pytest.raises(WeatherError, match=said):
            read_epw(content)


def test_latin_1_names_of_places_are_read() -> None:
    content = as_bytes(["LOCATION,M\u00fcnchen,BY,DEU,IWEC,108660,48.1,11.7,1.0,529", *whole()[1:]])
    assert read_epw(content.decode().encode("latin-1")).city == "M\u00fcnchen"
    assert read_epw(b"\xef\xbb\xbf" + content).city == "M\u00fcnchen"


def test_short_gaps_are_bridged_and_said() -> None:
    lines = whole()
    for line in (200, 201):
        lines = with_cell(lines, line, 7, "99.9")
    hours, notes = mended(read_epw(as_bytes(lines)))
    before, after = hours["dry_bulb_c"][190], hours["dry_bulb_c"][193]
    assert hours["dry_bulb_c"][191] == pytest.approx(before + (after - before) / 3)
    assert any("dry bulb of 2 hours bridged along a straight line, the first at line 200" in n for n in notes)


def test_long_gaps_are_refused_with_their_line() -> None:
    lines = whole()
    for line in range(300, 301 + LONGEST_GAP_HOURS):
        lines = with_cell(lines, line, 10, "999999")
    error = refused(lines)
    assert (error.line, error.rule, error.column) == (300, "missing", "pressure_pa")
    assert "7 hours on end are missing" in error.message


def test_many_short_gaps_are_refused_too() -> None:
    lines = whole()
    for line in range(9, 9 + 90 * 20, 20):
        lines = with_cell(lines, line, 7, "99.9")
    assert "90 hours of the year are missing" in refused(lines).message


def test_humidity_is_taken_from_the_dew_point_where_it_is_missing() -> None:
    lines = [
        *whole()[:8],
        *(",".join([*line.split(",")[:8], "999", *line.split(",")[9:]]) for line in whole()[8:]),
    ]
    hours, notes = mended(read_epw(as_bytes(lines)))
    assert "relative humidity computed from dew point in 8,760 hours" in notes
    psychrolib.SetUnitSystem(psychrolib.SI)
    theirs = psychrolib.GetRelHumFromTDewPoint(hours["dry_bulb_c"][0], hours["dew_point_c"][0])
    assert hours["rh_pct"][0] == pytest.approx(100 * theirs, abs=1e-9)
    assert hours["rh_pct"][0] == pytest.approx(86, abs=1)  # as the column said before


def test_humidities_that_contradict_each_other_are_said() -> None:
    _, notes = mended(read_epw(as_bytes(with_cell(whole(), 4000, 9, "20"))))
    assert "relative humidity and dew point contradict each other in 1 hours: drier one used" in notes


def test_pressure_that_no_hour_has_is_that_of_the_height() -> None:
    lines = [*whole()[:8], *(line.replace(",97300,", ",999999,") for line in whole()[8:])]
    hours, notes = mended(read_epw(as_bytes(lines)))
    assert hours["pressure_pa"][0] == pytest.approx(97_307, abs=1)
    assert standard_pressure_pa(1_000) == pytest.approx(89_875, abs=5)  # ASHRAE, chapter 1, table 1
    assert any("standard atmosphere at 340 m" in note for note in notes)


def test_statistics_are_those_of_the_hours() -> None:
    year = uploaded_year("graz", as_bytes(whole()), About(source="own station", licence=""))
    assert (year.name, year.country, year.year_kind) == ("Graz, AUT", "", "TMYx")
    value = {name: row["value"] for name, row in year.statistics.items()}
    assert value["dry_bulb_maximum_c"] == pytest.approx(26.0, abs=0.1)
    assert value["dry_bulb_minimum_c"] == pytest.approx(-6.0, abs=0.1)
    assert value["dry_bulb_mean_c"] == pytest.approx(10.0, abs=0.05)
    assert value["dry_bulb_up_to_35_c_hours"] == 8760
    assert value["wet_bulb_mean_c"] < value["dry_bulb_mean_c"]
    assert year.attributes["licence_note"] == "not stated: ask before passing it on"
    again = uploaded_year("graz", as_bytes(whole()), About(source="own station"))
    assert again.digest == year.digest
    assert np.isfinite(list(value.values())).all()


@pytest.mark.parametrize(
    ("key", "about", "column"),
    [
        ("Graz 2024", About(source="x"), "key"),
        ("graz", About(), "source"),
        ("graz", About(source="x", url="ftp://x"), "url"),
        ("graz", About(source="x", name="a" * 201), "name"),
        ("graz", About(source="x", as_of="yesterday"), "as_of"),
    ],
)
def test_what_is_said_of_a_year_is_checked(key: str, about: About, column: str) -> None:
    with pytest.raises(FaultError) as caught:
        uploaded_year(key, as_bytes(whole()), about)
    assert caught.value.fault.column == column
