#!/bin/sh
# Writes requirements/*.txt, the versions of constraints.txt with the hashes of their files, and from the packages
# of the image docs/sbom.cdx.json and docs/dependencies.md. `sh scripts/lock.sh --newest` first moves
# constraints.txt to the newest versions that pyproject.toml allows.
set -eu
cd "$(dirname "$0")/.."

tools=build/lock
if [ ! -x $tools/bin/cyclonedx-py ]; then
    "$(sh scripts/find_python.sh)" -m venv $tools
    $tools/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.9 cyclonedx-bom==7.5.0
fi

compile() {
    $tools/bin/uv pip compile --quiet --universal --python-version 3.11 --no-config --no-annotate --no-header "$@"
}

if [ "${1:-}" = --newest ]; then
    {
        echo "# The versions Podwright is developed and tested with; pyproject.toml says what it needs at least."
        compile pyproject.toml --extra dev --group build
    } >build/constraints.txt
    mv build/constraints.txt constraints.txt
fi

lock() {
    out="requirements/$1.txt"
    shift
    {
        echo "# Made by \`make lock\` from constraints.txt; not edited by hand."
        compile --generate-hashes --constraint constraints.txt "$@"
    } >build/locked.txt
    mv build/locked.txt "$out"
}

mkdir -p requirements
lock build --group build
lock run pyproject.toml
lock image pyproject.toml --extra cluster --extra oidc
lock dev pyproject.toml --extra dev

rm -rf build/image
"$(sh scripts/find_python.sh)" -m venv build/image
build/image/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/image.txt
$tools/bin/cyclonedx-py environment build/image --pyproject pyproject.toml --output-reproducible \
    --spec-version 1.6 --output-file build/environment.cdx.json
build/image/bin/python scripts/bill_of_software.py build/environment.cdx.json
