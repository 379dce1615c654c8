"""A copy of the seed data that may be passed on: without the climate files that need a check first.

`python -m app.catalog.distribution DIRECTORY` makes one; a wheel or archive is then built from it.
Loading accepts that such files are absent.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from app.catalog.licences import needing_check
from app.catalog.seed import read_seed


def files_needing_check(seed_dir: Path) -> list[Path]:
    """Files to leave out, relative to the seed folder: what a build's exclude list names."""
    return [Path("climate") / f"{key}.csv.gz" for key in needing_check(read_seed(seed_dir))]


def copy_for_distribution(seed_dir: Path, target: Path) -> list[Path]:
    """Copy the seed data without those files, and say which they are.

    Raises
    ------
    FileExistsError : the target is there already
    """
    left_out = files_needing_check(seed_dir)
    shutil.copytree(
        seed_dir,
        target,
        ignore=lambda folder, names: {
            name for name in names if Path(folder, name).relative_to(seed_dir) in left_out
        },
    )
    return left_out


if __name__ == "__main__":
    import sys

    from app.paths import seed_data

    left_out = copy_for_distribution(seed_data(), Path(sys.argv[1]))
    sys.stdout.write(f"left out {len(left_out)} climate files that need a check\n")
