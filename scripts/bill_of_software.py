"""Write docs/sbom.cdx.json and docs/dependencies.md: what the image holds, with versions and licences.

The argument is the CycloneDX file of an environment with the packages of requirements/image.txt. Only those are kept;
the parts of static/vendor, which no package manager knows, are added from their VERSION files.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
VENDORED = ROOT / "static/vendor"
BILL = ROOT / "docs/sbom.cdx.json"
PAGE = ROOT / "docs/dependencies.md"

# Licences by their classifiers or names -> identifiers of SPDX.
IDENTIFIERS = {
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "SIL Open Font License 1.1": "OFL-1.1",
}
# Packages whose metadata name no licence, read in the licence file that they install.
READ = {"partd": "BSD-3-Clause"}


def name_of(package: str) -> str:
    """The normalised name of a package (PEP 503)."""
    return re.sub(r"[-_.]+", "-", package).lower()


def locked(use: str) -> dict[str, str]:
    """Normalised name -> version of a file of requirements/."""
    text = (ROOT / "requirements" / f"{use}.txt").read_text(encoding="utf-8")
    return {
        name_of(name): version for name, version in re.findall(r"^([\w.-]+)==([\w.+!-]+)", text, re.MULTILINE)
    }


def licence_of(component: dict[str, Any]) -> str:
    """One expression of SPDX; identifiers go before names, since metadata often say both."""
    stated = [
        entry.get("expression") or entry["license"].get("id") or IDENTIFIERS.get(entry["license"]["name"])
        for entry in component.get("licenses", [])
    ]
    found = next((licence for licence in stated if licence), None) or READ.get(name_of(component["name"]))
    if found is None:
        raise SystemExit(
            f"{component['name']} {component['version']} states no licence: read it, and add it to READ"
        )
    return found


def vendored() -> list[dict[str, Any]]:
    """The parts of static/vendor as components."""
    found = []
    for file in sorted(VENDORED.glob("*/VERSION")):
        text = file.read_text(encoding="utf-8")
        name, version = text.split()[:2]
        stated = re.search(r"^Licence: (.+?) \(", text, re.MULTILINE)
        assert stated is not None, f"{file} states no licence"
        licence = IDENTIFIERS.get(stated[1], stated[1])
        found.append(_component(name, version, licence, f"pkg:npm/{name}@{version}"))
    return found


def _component(name: str, version: str, licence: str, purl: str) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
        "licenses": [{"expression": licence}],
    }


def bill(environment: dict[str, Any]) -> dict[str, Any]:
    """The bill of software of the image, as CycloneDX."""
    versions = locked("image")
    components = []
    references = {}
    for component in environment["components"]:
        name = name_of(component["name"])
        if name not in versions:  # pip, which the environment came with
            continue
        assert component["version"] == versions[name], f"{name} is installed as {component['version']}"
        purl = f"pkg:pypi/{name}@{component['version']}"
        references[component["bom-ref"]] = purl
        components.append(_component(component["name"], component["version"], licence_of(component), purl))
    root = environment["metadata"]["component"]
    references[root["bom-ref"]] = "podwright"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": environment["specVersion"],
        "version": 1,
        "metadata": {
            "component": {
                "type": "application", "bom-ref": "podwright", "name": "podwright",
                "licenses": [{"expression": "Apache-2.0"}],
            }
        },
        "components": sorted([*components, *vendored()], key=lambda component: component["purl"]),
        "dependencies": sorted(
            (
                {
                    "ref": references[entry["ref"]],
                    "dependsOn": sorted(references[on] for on in entry.get("dependsOn", []) if on in references),
                }
                for entry in environment["dependencies"]
                if entry["ref"] in references
            ),
            key=lambda entry: entry["ref"],
        ),
    }  # fmt: skip


def page(bill: dict[str, Any]) -> str:
    """docs/dependencies.md, its table made anew."""
    core = locked("run")
    rows = []
    for component in sorted(bill["components"], key=lambda component: component["name"].lower()):
        where = "browser" if component["purl"].startswith("pkg:npm") else "core"
        if where == "core" and name_of(component["name"]) not in core:
            where = "extras"
        rows.append(
            f"| {component['name']} | {component['version']} | {component['licenses'][0]['expression']} | {where} |"
        )
    head = "| package | version | licence | part of |\n| --- | --- | --- | --- |\n"
    prose = PAGE.read_text(encoding="utf-8").partition(head)[0]
    return prose + head + "\n".join(rows) + "\n"


def main() -> None:
    found = bill(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    BILL.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
