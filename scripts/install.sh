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

# Modules are compiled when they are first imported: two thirds never are, and compiling them takes as long as the rest.
# The build backend comes first: what is published as source is built with it, without fetching another.
export PIP_QUIET=1 PIP_DISABLE_PIP_VERSION_CHECK=1
echo "Installing into .venv; the first time takes a minute or two"
.venv/bin/python -m pip install --no-compile --require-hashes -r requirements/build.txt
.venv/bin/python -m pip install --no-compile --require-hashes --no-build-isolation -r "requirements/$1.txt"
.venv/bin/python -m pip install --no-deps --no-build-isolation --editable .
