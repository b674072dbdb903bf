"""A made-up catalog of any size whose names are shortened as people do, and questions about it.

Every eighth question names its subject by another word than the tables do, which no list of
synonyms here knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from core.domain.catalog import Catalog, CatalogColumn, CatalogTable
from core.domain.query import Dialect
from core.domain.table import ColumnKind

_OTHERWISE = 1 / 8  # questions that use the subject's other word
# What is kept of it, and what people call it besides.
_SUBJECTS = """
contract:deal shipment:consignment invoice:bill warehouse:depot campaign:promotion
ticket:complaint machine:equipment vehicle:truck patient:inpatient doctor:physician course:lesson
student:pupil policy:insurance claim:damage subscription:plan delivery:dispatch inspection:audit
tenant:renter building:property meter:gauge reading:measurement outage:blackout flight:departure
passenger:traveller booking:reservation hotel:accommodation recipe:formula ingredient:component
laboratory:lab sample:specimen experiment:trial grant:funding publication:paper author:writer
library:archive merchant:shop terminal:device dispute:chargeback loan:credit mortgage:homeloan
broker:agent portfolio:holdings security:stock dividend:payout budget:allowance project:initiative
milestone:deadline candidate:applicant interview:conversation vacancy:opening training:education
certificate:diploma accident:injury permit:licence supplier:provider tender:bidding pallet:skid
container:box harbour:port vessel:ship voyage:journey cargo:freight customs:duty pipeline:conduit
reactor:furnace turbine:windmill battery:accumulator sensor:probe firmware:software defect:bug
release:rollout server:host incident:failure domain:website keyword:searchterm advert:banner
audience:viewers newsletter:mailing survey:poll donation:gift volunteer:helper member:participant
election:vote district:ward museum:gallery exhibit:artwork concert:show stadium:arena
league:division player:athlete match:game coach:trainer harvest:crop field:acre tractor:harvester
livestock:cattle forest:woods river:stream reservoir:lake station:stop timetable:schedule
""".split()
_ASPECTS = """
header line history status rate forecast balance payment document comment rating threshold
assignment transfer approval reminder discount snapshot adjustment summary
""".split()
_AREAS = "europe america asia africa wholesale".split()
_COLUMNS = """
quantity amount reason priority duration weight temperature currency category description
manager address begin finish source channel version language percentage level
""".split()
_KNOWN_SHORT = {"quantity": "qty", "amount": "amt", "description": "desc", "address": "addr"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the one table that it is about."""

    text: str
    table: str


@dataclass(frozen=True, slots=True)
class MadeSchema:
    catalog: Catalog
    questions: tuple[Asked, ...]


def make_schema(tables: int, *, questions: int, seed: int = 11) -> MadeSchema:
    """Make so many tables and questions; the same seed makes the same."""
    draw = Random(seed)
    every = [(s, a, r) for s in _SUBJECTS for a in _ASPECTS for r in _AREAS]
    draw.shuffle(every)
    made: list[CatalogTable] = []
    asked: list[Asked] = []
    for at, (subject, aspect, area) in enumerate(every[:tables]):
        plain, otherwise = subject.split(":")
        columns = draw.sample(_COLUMNS, 8)
        parts = [_shortened(word, draw) for word in (area, plain, aspect)]
        made.append(_table("_".join(parts) + f"_{at}", [plain + "_id", *columns], draw))
        if len(asked) < questions:
            word = otherwise if draw.random() < _OTHERWISE else plain
            asked.append(Asked(_question(word, aspect, area, columns[0]), made[-1].name))
    ordered = tuple(sorted(made, key=lambda table: table.name))
    return MadeSchema(Catalog(dialect=Dialect.POSTGRES, tables=ordered), tuple(asked))


def recall_at(found: list[list[str]], questions: tuple[Asked, ...]) -> float:
    """Return the share of questions whose table was among those found."""
    hits = [each.table in names for each, names in zip(questions, found, strict=True)]
    return sum(hits) / len(hits)


def _question(subject: str, aspect: str, area: str, column: str) -> str:
    return f"What is the {column} of each {subject} {aspect} in {area} this year?"


def _table(name: str, columns: list[str], draw: Random) -> CatalogTable:
    return CatalogTable(
        name=name,
        columns=tuple(
            CatalogColumn(name=_shortened(each, draw), type="TEXT", kind=ColumnKind.DIMENSION)
            for each in columns
        ),
    )


def _shortened(word: str, draw: Random) -> str:
    """Write a name as databases do: whole, begun, or without its vowels."""
    match draw.randrange(4):
        case 0 if len(word) > 6:
            return word[:5]
        case 1:
            return word[0] + "".join(letter for letter in word[1:] if letter not in "aeiou")
        case 2:
            return _KNOWN_SHORT.get(word, word)
        case _:
            return word
