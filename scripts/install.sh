#!/bin/sh
# Makes .venv where it is missing and installs Podwright into it, each package at the version of
# constraints.txt. The argument is empty to run it, or "[dev]" to work on it as well.
set -eu
cd "$(dirname "$0")/.."
extras="${1:-}"

if ! .venv/bin/python -c '' 2>/dev/null; then
    python="$(sh scripts/find_python.sh)"
    echo "Making .venv with $($python --version)"
    rm -rf .venv
    "$python" -m venv .venv
fi

pip_install() {
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "$@"
}

echo "Installing into .venv; the first time takes a minute or two"
# The build backends come first and by their pinned versions: pip does not pin what it builds with.
# Setuptools is for PsychroLib, which is published as source only.
pip_install hatchling editables setuptools
pip_install --no-build-isolation --editable ".$extras"
