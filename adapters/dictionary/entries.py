"""Entries of a file as definitions, with a problem for each that cannot be taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from adapters.dictionary.yaml_text import Many, Section, Value, Words
from core.domain.definitions import Definition, Join, Metric, Place, Problem, Synonym, Term
from core.domain.names import nearest

_METRIC = (
    "table", "expression", "filters", "date", "grain", "unit", "ranks", "synonyms", "description",
)  # fmt: skip
_TERM = ("table", "filter", "synonyms", "description")
_LONGEST_NAME, _LONGEST_TEXT = 80, 2_000
_MOST = 2_000


class _Wrong(Exception):
    """What is wrong with an entry, at a line."""

    def __init__(self, text: str, line: int) -> None:
        super().__init__(text)
        self.line = line


@dataclass(slots=True)
class Reading:
    """Reads one file; what it finds, in order."""

    source: str
    definitions: list[Definition] = field(default_factory=list[Definition])
    problems: list[Problem] = field(default_factory=list[Problem])

    def read(self, whole: Value) -> None:
        """Take over what can be taken, and note what is wrong with the rest."""
        kinds: dict[str, Callable[[Value], Iterator[Definition]]] = {
            "metrics": lambda value: self._named(value, "metrics", self._metric),
            "terms": lambda value: self._named(value, "terms", self._term),
            "synonyms": lambda value: self._named(value, "synonyms", self._synonym),
            "joins": self._joins,
        }
        for key, value in self._sections(whole):
            if key.text not in kinds:
                self._note(_Wrong(f"the file has {_unknown(key.text, tuple(kinds))}", key.line))
            elif not _is_empty(value):
                self._take(kinds[key.text], value)
        if len(self.definitions) > _MOST:
            del self.definitions[_MOST:]
            text = f"there are more than {_MOST} definitions; take out those nobody needs"
            self.problems.append(Problem(Place(self.source), text))

    def _take(self, read: Callable[[Value], Iterator[Definition]], value: Value) -> None:
        try:
            self.definitions.extend(read(value))
        except _Wrong as wrong:
            self._note(wrong)

    def _sections(self, whole: Value) -> tuple[tuple[Words, Value], ...]:
        try:
            return _section(whole, "the file").entries
        except _Wrong as wrong:
            self._note(wrong)
            return ()

    def _note(self, wrong: _Wrong) -> None:
        self.problems.append(Problem(Place(self.source, wrong.line), str(wrong)))

    def _named(
        self, value: Value, kind: str, read: Callable[[Words, Value], Definition]
    ) -> Iterator[Definition]:
        for name, body in _section(value, kind).entries:
            try:
                _check_name(name)
                yield read(name, body)
            except _Wrong as wrong:
                self._note(wrong)

    def _metric(self, name: Words, body: Value) -> Metric:
        fields = _Fields(f"the metric {name.text!r}", body, _METRIC)
        return Metric(
            name=_flat(name.text),
            place=Place(self.source, name.line),
            table=fields.needed("table"),
            expression=fields.needed("expression"),
            conditions=fields.listed("filters"),
            also=fields.names("synonyms"),
            meaning=_flat(fields.text("description")),
            date=fields.text("date"),
            grain=_flat(fields.text("grain")),
            unit=_flat(fields.text("unit")),
            ranks=fields.listed("ranks"),
        )

    def _term(self, name: Words, body: Value) -> Term:
        # A term with nothing but a description may be written in one line.
        if isinstance(body, Words):
            body = Section(((Words("description", body.line), body),), body.line)
        what = f"the term {name.text!r}"
        fields = _Fields(what, body, _TERM)
        table, condition = fields.text("table"), fields.text("filter")
        if bool(table) is not bool(condition):
            missing, given = ("table", "filter") if condition else ("filter", "table")
            raise _Wrong(f"{what} has a {given}, so it needs a {missing} as well", name.line)
        meaning = _flat(fields.text("description"))
        if not (condition or meaning):
            raise _Wrong(
                f"{what} says nothing: give it a description, or table and filter", name.line
            )
        return Term(
            name=_flat(name.text),
            place=Place(self.source, name.line),
            table=table,
            condition=condition,
            also=fields.names("synonyms"),
            meaning=meaning,
        )

    def _synonym(self, name: Words, body: Value) -> Synonym:
        target = _words(body, f"the synonym {name.text!r}")
        table, _, column = target.rpartition(".")
        place = Place(self.source, name.line)
        if not table:
            return Synonym(name=_flat(name.text), place=place, table=column)
        return Synonym(name=_flat(name.text), place=place, table=table, column=column)

    def _joins(self, value: Value) -> Iterator[Join]:
        for each in _many(value, "joins"):
            try:
                yield self._join(each)
            except _Wrong as wrong:
                self._note(wrong)

    def _join(self, written: Value) -> Join:
        text = _words(written, "a join")
        sides = [side.strip().rpartition(".") for side in text.split("=")]
        if len(sides) != 2 or not all(table and column for table, _, column in sides):
            raise _Wrong(
                f"the join {text!r} has to be like orders.customer_id = customers.customer_id",
                written.line,
            )
        (table, _, column), (to_table, _, to_column) = sides
        return Join(
            place=Place(self.source, written.line),
            table=table,
            column=column,
            to_table=to_table,
            to_column=to_column,
        )


class _Fields:
    """The keys of one entry, each at most once and known."""

    def __init__(self, what: str, body: Value, known: tuple[str, ...]) -> None:
        self._what, self._line = what, body.line
        self._values: dict[str, Value] = {}
        for key, value in _section(body, what).entries:
            if key.text not in known:
                raise _Wrong(f"{what} has {_unknown(key.text, known)}", key.line)
            if key.text in self._values:
                raise _Wrong(f"{what} has {key.text!r} twice; take one of them out", key.line)
            self._values[key.text] = value

    def text(self, key: str) -> str:
        value = self._values.get(key)
        return "" if value is None else _words(value, f"{key!r} of {self._what}")

    def needed(self, key: str) -> str:
        text = self.text(key)
        if not text:
            raise _Wrong(f"{self._what} needs {key!r}", self._line)
        return text

    def listed(self, key: str) -> tuple[str, ...]:
        """Return one text or several, however they are written."""
        value = self._values.get(key)
        if value is None or _is_empty(value):
            return ()
        many = _many(value, f"{key!r} of {self._what}")
        return tuple(_words(each, f"{key!r} of {self._what}") for each in many)

    def names(self, key: str) -> tuple[str, ...]:
        value = self._values.get(key)
        for each in _many(value, key) if value is not None and not _is_empty(value) else ():
            _check_name(Words(_words(each, f"{key!r} of {self._what}"), each.line))
        return tuple(map(_flat, self.listed(key)))


def _section(value: Value, what: str) -> Section:
    if not isinstance(value, Section):
        raise _Wrong(f"{what} has to hold keys with values, written as key: value", value.line)
    return value


def _many(value: Value, what: str) -> tuple[Value, ...]:
    if isinstance(value, Section):
        raise _Wrong(f"{what} has to be a list, with a dash before each entry", value.line)
    return value.entries if isinstance(value, Many) else (value,)


def _words(value: Value, what: str) -> str:
    if not isinstance(value, Words):
        raise _Wrong(f"{what} has to be one text", value.line)
    if len(value.text) > _LONGEST_TEXT:
        raise _Wrong(f"{what} is longer than {_LONGEST_TEXT} characters; shorten it", value.line)
    return value.text.strip()


def _check_name(name: Words) -> None:
    text = name.text.strip()
    if not any(sign.isalnum() for sign in text):
        raise _Wrong(f"the name {text!r} has no letter in it; call it by a word", name.line)
    if len(text) > _LONGEST_NAME:
        raise _Wrong(f"a name is longer than {_LONGEST_NAME} characters; shorten it", name.line)


def _is_empty(value: Value) -> bool:
    return isinstance(value, Words) and not value.text.strip()


def _flat(text: str) -> str:
    """Return words on one line, without signs that nobody sees."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _unknown(key: str, known: tuple[str, ...]) -> str:
    meant = nearest(key, known, at_most=1)
    instead = f"did you mean {meant[0]!r}?" if meant else f"known are {', '.join(known)}"
    return f"an unknown key {key!r}; {instead}"
