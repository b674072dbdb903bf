import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

PROJECT = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("models", "mysql", "stats")  # those of the lock; the others need their vendors' drivers
NAMES = [
    re.split(r"[^\w-]", each, maxsplit=1)[0]
    for each in (
        *PROJECT["dependencies"],
        *(each for extra in EXTRAS for each in PROJECT["optional-dependencies"][extra]),
    )
]
SOURCE = "\n".join(
    path.read_text(encoding="utf-8")
    for package in ("bot", "core", "adapters")
    for path in sorted(Path(package).rglob("*.py"))
)


MODULES = {
    module: {owner.casefold().replace("_", "-") for owner in owners}
    for module, owners in packages_distributions().items()
}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_installed_is_imported(name: str):
    modules = "|".join(module for module, owners in MODULES.items() if name.casefold() in owners)

    assert modules
    assert re.search(rf"(?:\bimport |\bfrom |import_module\(\"|\")(?:{modules})\b", SOURCE)
