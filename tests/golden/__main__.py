"""`python -m tests.golden`: record, compare with the committed record, and show what differs.

make golden                       record everything; exit 1 and a readable diff where anything differs
make golden ONLY='economics/cost' only entries that match the pattern
make golden-accept                take what was recorded last as the new record
make golden-texts REF=main        make the texts of a commit, so that differences to it can be shown
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from tests.golden.compare import Texts, brief, changes_of, described, read_record, write_record
from tests.golden.record import DAY, Recording, record

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("record.csv")
BUILD = ROOT / "build" / "golden"
NOW, BEFORE, DIFF = BUILD / "now", BUILD / "before", BUILD / "diff.txt"
LIST = "record.csv"
"""Beside the texts: what is recorded in full."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description="The golden record.")
    parser.add_argument(
        "--only", default="", metavar="PATTERN", help="record what matches `surface view design`"
    )
    parser.add_argument("--accept", action="store_true", help="take the last full recording as the record")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="only write texts and hashes there")
    parser.add_argument(
        "--resume", action="store_true", help="go on with an interrupted recording of the same code"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--day", default=DAY, help="the day that the clock shows")
    given = parser.parse_args(arguments)
    if given.accept:
        return _accept()
    start = time.monotonic()
    made = record(
        given.into or NOW, wanted=given.only, processes=given.processes, day=given.day, resume=given.resume
    )
    _say(_summary(made, time.monotonic() - start))
    if not given.only:
        write_record((given.into or NOW) / LIST, made.hashes)
    if given.into:
        return 0
    for name in made.unrecorded:
        _say(
            f"NOT RECORDED: {name}. Record it, or name it in EXEMPT of tests/golden/surfaces.py with the reason."
        )
    return _compared(made, given.only) or int(bool(made.unrecorded))


def _compared(made: Recording, only: str) -> int:
    """Show what differs from the record; 1 where anything does."""
    recorded = {
        key: hash for key, hash in read_record(RECORD).items() if re.search(only, " ".join(key).strip())
    }
    now = {key: hash for key, hash in made.hashes.items() if re.search(only, " ".join(key).strip())}
    changes = changes_of(recorded, now)
    if not changes:
        _say(f"Nothing differs from {RECORD.relative_to(ROOT)}.")
        if not only:
            _keep_as_before()
        return 0
    lines = list(described(changes, recorded, Texts(BEFORE), Texts(NOW)))
    DIFF.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _say("\n".join(brief(lines)))
    _say(
        f"\n{len(changes.changed)} changed, {len(changes.added)} new, {len(changes.removed)} no longer recorded; "
        f"all of it in {DIFF.relative_to(ROOT)}. `make golden-accept` takes it as the record."
    )
    return 1


def _accept() -> int:
    if not (NOW / LIST).exists():
        _say("There is no full recording to accept: run `make golden` first.")
        return 2
    shutil.copyfile(NOW / LIST, RECORD)
    _keep_as_before()
    _say(
        f"{RECORD.relative_to(ROOT)} has {len(read_record(RECORD))} entries; say in the commit what changed and why."
    )
    return 0


def _keep_as_before() -> None:
    """The texts of the last recording are those of the record now."""
    shutil.rmtree(BEFORE, ignore_errors=True)
    shutil.copytree(NOW, BEFORE)


def _summary(made: Recording, seconds: float) -> str:
    counts = Counter(entry.key[0] for entry in made.entries)
    refused = Counter(entry.key[0] for entry in made.entries if not entry.answered)
    surfaces = ", ".join(f"{surface} {count}" for surface, count in sorted(counts.items()))
    slowest = sorted(made.entries, key=lambda one: -one.seconds)[:5]
    return (
        f"{len(made.entries)} entries in {seconds:.0f} s ({surfaces}; {sum(refused.values())} of them refusals).\n"
        "Slowest: "
        + "; ".join(f"{' '.join(one.key)} {one.seconds:.1f} s" for one in slowest)
        + "\nUnits: "
        + ", ".join(
            f"{unit} {took:.0f}" for unit, took in sorted(made.units.items(), key=lambda one: -one[1])[:8]
        )
    )


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
