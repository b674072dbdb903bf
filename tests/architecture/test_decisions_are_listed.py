import re
from pathlib import Path

FOLDER = Path("docs/decisions")


def test_each_is_listed_under_its_title():
    titles = {
        path.name: path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        for path in FOLDER.glob("0*.md")
    }
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")

    lines = re.findall(r"^- (\d+\.) \[(.+)\]\((.+)\)$", listed, re.MULTILINE)
    assert {name: f"{number} {title}" for number, title, name in lines} == titles
