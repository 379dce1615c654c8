#!/bin/sh
# Makes .venv where it is missing and installs into it the files of requirements/ (docs/dependencies.md), then
# Podwright itself. The argument is run, or dev to work on it as well.
set -eu
cd "$(dirname "$0")/.."

if ! .venv/bin/python -c '' 2>/dev/null; then
    python="$(sh scripts/find_python.sh)"
    echo "Making .venv with $($python --version)"
    rm -rf .venv
    "$python" -m venv .venv
fi

pip_install() {
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation "$@"
}

echo "Installing into .venv; the first time takes a minute or two"
pip_install --require-hashes -r requirements/build.txt # first: what is published as source is built with it
pip_install --require-hashes -r "requirements/$1.txt"
pip_install --no-deps --editable .
